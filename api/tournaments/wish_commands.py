"""Wishes that draws heed, and presence: half-point byes, fixed tables, entrants kept apart, wanted pairings, who is absent."""

from collections.abc import Sequence

from litestar.params import FromPath

from api.common.act_handlers import CommandContext
from api.http.decoding import copy_fields
from api.http.operations import Content, reads
from api.http.request import Request
from api.http.response import Response, encode
from api.tournaments.commands import Receipts, tournament_act
from api.tournaments.reading import current_tournament, tournament_response
from api.tournaments.requests import CheckPresence, RecordWish, WithdrawWish
from api.tournaments.responses import WishList, WishView
from domain.events.tournament import PresenceChecked, WishRecorded
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_presence, warn_about_wish
from domain.tournament.wish_rules import WishInput, check_presence, record_wish, withdraw_wish


@reads(
    "/v1/tournaments/{tournament:str}/wishes",
    "list_wishes",
    "List the wishes that draws heed",
    responses={200: Content("wishes that were not withdrawn, oldest first", WishList, headers=("ETag",))},
    role="official",
)
async def list_wish_views(request: Request, tournament: FromPath[str]) -> Response:
    now = await current_tournament(request, tournament)
    wishes = [copy_fields(one, WishView, wish=one.number) for one in now.wishes if not one.withdrawn]
    return tournament_response(request, now, encode(WishList(tournament=tournament, position=now.position, wishes=wishes)))


def _record(on: CommandContext[Tournament]) -> tuple[WishRecorded]:
    body: RecordWish = on.body
    return (record_wish(on.now, WishInput(body.kind, tuple(body.entrants), body.round, body.table)),)


def _warn_about_wish(receipt: Receipts, _: object) -> Sequence[Remark]:
    event = receipt.events[0].event
    return warn_about_wish(receipt.after, event) if isinstance(event, WishRecorded) else ()


def _warn_about_presence(receipt: Receipts, _: object) -> Sequence[Remark]:
    event = receipt.events[0].event
    return warn_about_presence(event) if isinstance(event, PresenceChecked) else ()


ACTS = (
    tournament_act(
        "wishes",
        "record_wish",
        "Record a wish about the draw",
        RecordWish,
        "director",
        _record,
        remarks=_warn_about_wish,
        description=(
            "`half_bye`: the entrant is not drawn for a round that is not paired yet, and gets half the score of a bye; once each, "
            "not in a knock-out or round robin. `table`: draws give the entrant this table. `apart`: a meeting counts like a "
            "repeated one. `meet`: two are paired. `remarks` of a pairing name wishes that it does not keep."
        ),
        creates={"wish": "/events/0/body/wish"},
    ),
    tournament_act(
        "wishes/{wish:int}/withdrawal",
        "withdraw_wish",
        "Withdraw a wish about the draw",
        WithdrawWish,
        "director",
        lambda on: (withdraw_wish(on.now, on.path_parameter("wish")),),
        description="A half-point bye of a round that is paired stays.",
    ),
    tournament_act(
        "presence",
        "check_presence",
        "Check who is there before a draw",
        CheckPresence,
        "recorder",
        lambda on: (check_presence(on.now, on.body.absent, on.body.round),),
        remarks=_warn_about_presence,
        description=(
            "The `absent` are not drawn for this one round. All others who may play are there, also if they were to sit it out. "
            "Entrants who withdrew stay away. `remarks` name the changes."
        ),
    ),
)
