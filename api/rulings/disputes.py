"""Disputes: raise, appeal, withdraw and list them."""

import asyncio
from collections import Counter
from datetime import datetime
from typing import Annotated, cast
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET, Meta, UnsetType

from api.common.act_handlers import CommandContext
from api.common.lists import wait_for_hidden_games
from api.common.reading import check_full_view
from api.common.tables.columns import Column, Row, Table, row_of
from api.common.tables.dialects import CsvDialect
from api.common.tables.files import WHOLE, FormName, TableFile, list_formats, list_or_file
from api.common.texts import reason_of, text_by_id
from api.http.browsers.sessions import Sessions
from api.http.decoding import (
    ChangedSince,
    Cursor,
    Incoming,
    MinSequence,
    Name,
    Number,
    ResponseModel,
    ShortLimit,
    copy_fields,
    in_utc,
    read_query,
)
from api.http.errors import say
from api.http.formats import schemas
from api.http.operations import Content, Operation, reads
from api.http.places import place_in_game
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash, encode
from api.rulings.commands import build_decision, game_act, parse_illegal_move, rules_of
from api.rulings.requests import AppealRuling, RaiseDispute, StateReason
from api.rulings.responses import AppealView, Disputes, DisputeView, RefusedMoveView, RulingPoints, RulingView
from api.services import Sources
from domain.access import ARBITERS, OFFICIALS, covers
from domain.cards import Seat
from domain.dispute import WAITING, Dispute, Ruling, Stage
from domain.errors import Forbidden
from domain.events.game import DisputeAppealed, DisputeRaised, DisputeWithdrawn, RefusedMove
from domain.game import Game
from domain.journal.registers import Registers, stamp
from domain.moves import reject_move, seat_held, viewpoint_of
from projections.models.disputes import DISPUTES, DisputeFilters, DisputeRow, disputes_page


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
    Operation(
        id="list_disputes",
        tag="Rulings",
        summary="List the disputes of a game, with the rulings and whether moves may be made",
        description=(
            "Officials alone see claims; everybody sees rulings. A viewer sees a reason if it is public, or once its position "
            "is open. Until then it is null, like an erased one."
        ),
        responses={200: Content("disputes and rulings, oldest first", Disputes, headers=("ETag",))},
    ),
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
    services, sessions = services_of(request), cast(Sessions, request.app.state["sessions"])
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


# Disputes of all games in one list, also as an exported table.


TABLE = Table(
    "disputes",
    "kiebitz-disputes/1",
    "disputes of all games, newest first",
    (
        Column("game", "string", "id of the game (a UUID)", required=True),
        Column("number", "integer", "number of the dispute in its game, from 1", required=True),
        Column("ruleset", "string", "what is played", required=True),
        Column("tournament", "string", "id of the tournament, if the game belongs to one"),
        Column("round", "integer", "round of the tournament"),
        Column("table", "string", "table of the tournament"),
        Column("at", "datetime", "when it was raised (UTC)", required=True),
        Column("by", "string", "the principal who recorded it", required=True),
        Column("seat", "integer", "the seat that raised it, from 0; empty for an official"),
        Column("raised_at", "integer", "position of the event that raised it", required=True),
        Column("position", "integer", "the position in dispute", required=True),
        Column("claim", "string", "what is claimed; only for officials"),
        Column("suspends", "boolean", "whether play waits for the decision", required=True),
        Column("state", "string", "open, ruled, appealed or withdrawn", required=True),
        Column("sequence", "integer", "sequence of the event that raised it in the whole store", required=True),
    ),
    ("game", "number"),
)


class DisputesQuery(Incoming, frozen=True, kw_only=True):
    """All filters that are given must hold."""

    undecided: Annotated[bool | None, Meta(description="those that wait for a decision (open or appealed), or those that do not")] = None
    state: Annotated[Stage | None, Meta(description="those in this state")] = None
    tournament: Annotated[Name | None, Meta(description="in games of this tournament", examples=["spring-open"])] = None
    round: Annotated[Number | None, Meta(description="in games of this round", examples=[2])] = None
    ruleset: Annotated[Name | None, Meta(description="in games of this ruleset", examples=["casino"])] = None
    game: Annotated[str, Meta(pattern="^[0-9a-f-]{36}$", description="in this game")] | None = None
    changed_since: ChangedSince = None
    format: Annotated[FormName | None, Meta(description="takes precedence over `Accept`; all but json come whole")] = None
    dialect: CsvDialect = None
    cursor: Cursor = None
    limit: ShortLimit = 50
    min_sequence: MinSequence = None


class DisputeCase(ResponseModel, frozen=True, kw_only=True):
    """A dispute with its game. ``raised_at`` is the position of its event, ``position`` the one in dispute; ``claim`` only for officials,
    null if it was erased.
    """

    game: UUID
    number: int
    ruleset: str
    tournament: str | None
    round: int | None
    table: str | None
    at: datetime
    by: Annotated[str, Meta(description="the principal who recorded it")]
    seat: Annotated[int | None, Meta(description="the seat that raised it; null for an official")]
    raised_at: int
    position: int
    claim: str | None | UnsetType = UNSET
    suspends: bool
    state: Stage
    sequence: int


class AllDisputes(ResponseModel, frozen=True, kw_only=True):
    """A page, newest first. ``next`` is the cursor of the following page, null on the last."""

    items: list[DisputeCase]
    next: str | None


class DisputesFile(TableFile, frozen=True, kw_only=True):
    filters: DisputeFilters

    @property
    def table(self) -> Table:
        return TABLE

    def found(self, sources: Sources, cursor: str | None, limit: int) -> AllDisputes:
        """Return a page of disputes. The public gets no claims, which may name hidden cards, and no dark games."""
        public = self.about.public
        page = disputes_page(sources.store, self.about.reach, self.filters, cursor, limit, public=public)
        return AllDisputes(items=[_case(sources.registers, row, public) for row in page.rows], next=page.next)

    def row(self, one: DisputeCase) -> Row:
        return row_of(TABLE, one, game=str(one.game))


def _case(registers: Registers, row: DisputeRow, public: bool) -> DisputeCase:
    claim = UNSET if public else None if row.claim is None else registers.text(row.claim)
    return copy_fields(row, DisputeCase, claim=claim)


@reads(
    "/v1/disputes",
    Operation(
        id="list_all_disputes",
        summary="List the disputes of all games, newest first",
        description=(
            "`undecided=true` lists the disputes that wait for an arbiter or the committee. Officials alone see claims. "
            f"Viewers see games that are not live once these are over. `/v1/games/{{game}}/disputes` has the rulings. {WHOLE}"
        ),
        query=DisputesQuery,
        responses={200: Content("a page of disputes", schemas(list_formats(AllDisputes)), headers=("ETag", "Link", "Kiebitz-As-Of"))},
        within="lists",
    ),
)
async def list_all_disputes(request: Request) -> Response:
    query = read_query(request, DisputesQuery)
    filters = copy_fields(query, DisputeFilters)
    await wait_for_hidden_games(request)
    return await list_or_file(
        request,
        DISPUTES.name,
        query,
        lambda form, about: DisputesFile(form=form, about=about, filters=filters),
        query.tournament,
    )


# Checks that a player acts for their own seat and no other (docs/decisions/0042-players-eyes.md).


def resolve_own_seat(request: Request, game: Game, named: Seat | None) -> Seat | None:
    """Return the seat for which something is said; for a player, their own, given or not. Raises ``Forbidden`` for another seat."""
    if request.user.role != "player":
        return named
    held = seat_held(request.user, game)
    if named not in (None, held):
        raise Forbidden(say("other_seat", seat=held), *OFFICIALS)
    return held


def check_party(request: Request, game: Game, party: int) -> None:
    """Raise ``Forbidden`` for a player of another party."""
    if request.user.role == "player":
        held = seat_held(request.user, game)
        if party >= len(game.setup.parties) or held not in game.setup.parties[party]:
            raise Forbidden(say("other_seat", seat=held), *OFFICIALS)


def check_withdraws(request: Request, game: Game, dispute: Dispute | None) -> None:
    """Check that a player withdraws only a dispute, or the latest appeal, of their own seat. Raises ``Forbidden``."""
    if request.user.role == "player" and dispute is not None:
        held = seat_held(request.user, game)
        if (dispute.appealed_by if dispute.stage == "appealed" else dispute.seat) != held:
            raise Forbidden(say("other_seat", seat=held), *OFFICIALS)
