"""Disputes: raised, appealed, withdrawn, and read."""

import asyncio
from datetime import datetime
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.acts import Grounds
from api.common.own_seat import check_withdraws, seat_speaking
from api.common.reading import eyes_on
from api.common.texts import reason_of, text_by_id
from api.http.decoding import in_utc
from api.http.etag import content_hash, respond_with_etag
from api.http.fields import alike
from api.http.operations import Content, Operation, reads
from api.http.request import Request, services_of
from api.http.response import Response, encode
from api.rulings.commands import enacted, game_act
from api.rulings.requests import AppealRuling, GiveReason, RaiseDispute
from api.rulings.responses import Disputes, DisputeView, RulingView
from domain.cards import Seat
from domain.dispute import Dispute, Ruling
from domain.events.game import DisputeAppealed, DisputeRaised, DisputeWithdrawn
from domain.game import Game


async def _deadline(_: Request, body: AppealRuling) -> datetime | None:
    return in_utc(body.deadline, "deadline")


def _seat(on: Grounds[Game]) -> Seat | None:
    return seat_speaking(on.request, on.now, on.body.seat)


def _withdrawn(on: Grounds[Game]) -> DisputeWithdrawn:
    check_withdraws(on.request, on.now, on.now.docket.dispute(on.named("number")))
    return DisputeWithdrawn(on.named("number"), on.text)


ACTS = (
    game_act(
        "disputes",
        "raise_dispute",
        "Raise a dispute about a position",
        RaiseDispute,
        "player_or_official",
        enacted(lambda on: DisputeRaised(0, on.body.position or on.now.position, _seat(on), on.text, on.body.suspends)),
        text="claim",
        description=(
            "Disputes are numbered from 1. One that suspends stops play until it is decided or withdrawn. A player raises one for the seat "
            "that he holds."
        ),
    ),
    game_act(
        "disputes/{number:int}/appeals",
        "appeal",
        "Appeal against the ruling on a dispute",
        AppealRuling,
        "player_or_official",
        enacted(lambda on: DisputeAppealed(on.named("number"), _seat(on), on.prepared, on.text, on.body.suspends)),
        prepare=_deadline,
        description="The committee then decides. One that suspends stops play until it has, or until it is withdrawn.",
    ),
    game_act(
        "disputes/{number:int}/withdrawal",
        "withdraw_dispute",
        "Withdraw a dispute, or an appeal",
        GiveReason,
        "player_or_official",
        enacted(_withdrawn),
        description="A player withdraws what was said for the seat that he holds.",
    ),
)


@reads(
    "/v1/games/{game:uuid}/disputes",
    Operation(
        id="list_disputes",
        tag="Rulings",
        summary="The disputes of a game, the rulings, and whether moves may be made",
        description=(
            "Claims are told to officials only, rulings to everybody. A reason is told to viewers if it is public, else once its position "
            "is open; until then it is null, like one that was erased."
        ),
        responses={200: Content("disputes and rulings, oldest first", Disputes, headers=("ETag",))},
        refuses=(404,),
        headers=("If-None-Match",),
    ),
)
async def list_disputes(request: Request, game: FromPath[UUID]) -> Response:
    now = await services_of(request).journal.current(game)
    body = encode(await asyncio.to_thread(_disputes_view, request, now))
    return respond_with_etag(request, f"{now.position}.{eyes_on(request, now)}.{content_hash(body)}.disputes.json", lambda: body)


def _disputes_view(request: Request, game: Game) -> Disputes:
    docket, dark = game.docket, game.dark_from(eyes_on(request, game)) is not None
    return Disputes(
        game=game.id,
        position=game.position,
        standing=docket.standing,
        disputes=[] if dark else [_dispute_view(request, one) for one in docket.disputes],
        rulings=[] if dark else [_ruling_view(request, game, one) for one in docket.rulings],
    )


def _dispute_view(request: Request, one: Dispute) -> DisputeView:
    return alike(one, DisputeView, claim=text_by_id(request, one.claim) if request.user.sees_all else UNSET)


def _ruling_view(request: Request, game: Game, one: Ruling) -> RulingView:
    return alike(one, RulingView, reason=reason_of(request, game, one.reason, one.position))
