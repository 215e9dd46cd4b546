"""Disputes: raise, appeal, withdraw and list them."""

import asyncio
from collections import Counter
from datetime import datetime
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET, UnsetType

from api.common.act_handlers import CommandContext
from api.common.reading import check_full_view
from api.common.texts import reason_of, text_by_id
from api.http.browsers.sessions import Sessions
from api.http.decoding import copy_fields, in_utc
from api.http.operations import Content, reads
from api.http.places import place_in_game
from api.http.request import Request, part_of, services_of
from api.http.response import Response, build_etag_response, content_hash, encode
from api.rulings.commands import build_decision, game_act, parse_illegal_move, rules_of
from api.rulings.own_seat import check_withdraws, resolve_own_seat
from api.rulings.requests import AppealRuling, RaiseDispute, StateReason
from api.rulings.responses import AppealView, Disputes, DisputeView, RefusedMoveView, RulingPoints, RulingView
from domain.access import ARBITERS, covers
from domain.cards import Seat
from domain.dispute import WAITING, Dispute, Ruling
from domain.events.game import DisputeAppealed, DisputeRaised, DisputeWithdrawn, RefusedMove
from domain.game import Game
from domain.journal.registers import stamp
from domain.moves import reject_move, viewpoint_of


async def _deadline(_: Request, body: AppealRuling) -> datetime | None:
    return in_utc(body.deadline, "deadline")


def _seat(on: CommandContext[Game]) -> Seat | None:
    return resolve_own_seat(on.request, on.now, on.body.seat)


def _withdrawn(on: CommandContext[Game]) -> DisputeWithdrawn:
    check_withdraws(on.request, on.now, on.now.docket.dispute(on.path_parameter("number")))
    return DisputeWithdrawn(on.path_parameter("number"), on.text)


def _build_dispute(on: CommandContext[Game]) -> DisputeRaised:
    return DisputeRaised(0, on.body.position or on.now.position, _seat(on), on.text, on.body.suspends, _read_refused_move(on))


def _read_refused_move(on: CommandContext[Game]) -> RefusedMove | UnsetType:
    """Return the move in dispute with its refusal, which may depend on any card. Raises ``Forbidden`` and ``Refused``."""
    given = on.body.refused_move
    if given is None:
        return UNSET
    check_full_view(on.request)
    return reject_move(rules_of(on), on.now.table, given.seat, parse_illegal_move(on.request, given))


ACTS = (
    game_act(
        "disputes",
        "raise_dispute",
        "Raise a dispute about a position",
        RaiseDispute,
        "player_or_official",
        build_decision(_build_dispute),
        text="claim",
        description=(
            "Disputes are numbered from 1. A dispute with `suspends` stops play until it is decided or withdrawn. A player "
            "raises a dispute for their own seat. `refused_move` is the move that was made although the rules refuse it: an arbiter may "
            "let it stand as it was made."
        ),
    ),
    game_act(
        "disputes/{number:int}/appeals",
        "appeal",
        "Appeal against the ruling on a dispute",
        AppealRuling,
        "player_or_official",
        build_decision(lambda on: DisputeAppealed(on.path_parameter("number"), _seat(on), on.prepared, on.text, on.body.suspends)),
        prepare=_deadline,
        description="The committee then decides. An appeal with `suspends` stops play until it is decided or withdrawn.",
    ),
    game_act(
        "disputes/{number:int}/withdrawal",
        "withdraw_dispute",
        "Withdraw a dispute, or an appeal",
        StateReason,
        "player_or_official",
        build_decision(_withdrawn),
        description="A player withdraws a dispute of their own seat.",
    ),
)


@reads(
    "/v1/games/{game:uuid}/disputes",
    "list_disputes",
    "List the disputes of a game, with the rulings and whether moves may be made",
    tag="Rulings",
    description=(
        "Officials alone see claims; everybody sees rulings. A viewer sees a reason if it is public, or once its position "
        "is open. Until then it is null, like an erased one."
    ),
    responses={200: Content("disputes and rulings, oldest first", Disputes, headers=("ETag",))},
)
async def list_disputes(request: Request, game: FromPath[UUID]) -> Response:
    now = await services_of(request).journal.current(game)
    waits = request.user.has_full_view and any(one.stage in WAITING for one in now.docket.disputes)
    called = await _list_called(request, now) if waits else UNSET
    body = encode(await asyncio.to_thread(_disputes_view, request, now, called))
    return build_etag_response(
        request, f"{now.position}.{viewpoint_of(request.user, now)}.{content_hash(body)}.disputes.json", lambda: body
    )


async def _list_called(request: Request, game: Game) -> list[str]:
    """Return the names of those who are signed in and may rule in the game: of arbiters, else of directors."""
    services, sessions = services_of(request), part_of(request.app, Sessions)
    kept, place = await asyncio.to_thread(services.registers.list_sessions, stamp(services.clock())), place_in_game(game)
    able = [one for one in kept if one.role in ARBITERS and covers(one.grant.scope, place) and await sessions.goes_on(one)]
    arbiters = [one for one in able if one.role == "arbiter"]
    return sorted({one.label for one in arbiters or able})


def _disputes_view(request: Request, game: Game, called: list[str] | UnsetType) -> Disputes:
    docket, dark = game.docket, game.hidden_from_position(viewpoint_of(request.user, game)) is not None
    return Disputes(
        game=game.id,
        position=game.position,
        state=docket.standing,
        disputes=[] if dark else [_dispute_view(request, one) for one in docket.disputes],
        rulings=[] if dark else [_ruling_view(request, game, one) for one in docket.rulings],
        called=called,
    )


def _dispute_view(request: Request, one: Dispute) -> DisputeView:
    if not request.user.has_full_view:
        return copy_fields(one, DisputeView, state=one.stage, claim=UNSET, refused_move=UNSET, appeal=UNSET)
    refused = one.refused_move and copy_fields(one.refused_move, RefusedMoveView)
    appealed = one.appeal is not None or one.appealed_by is not None or one.stage == "appealed"
    appeal = AppealView(seat=one.appealed_by, reason=text_by_id(request, one.appeal)) if appealed else UNSET
    return copy_fields(one, DisputeView, state=one.stage, claim=text_by_id(request, one.claim), refused_move=refused, appeal=appeal)


def _ruling_view(request: Request, game: Game, one: Ruling) -> RulingView:
    score = game.table.score
    given = Counter[int]()
    for change in (*score.adjustments, *score.lifted):
        if change.ruling == one.number:
            given[change.party] += change.points
    points = [RulingPoints(party=party, points=points) for party, points in sorted(given.items())]
    return copy_fields(one, RulingView, reason=reason_of(request, game, one.reason, one.position), points=points)
