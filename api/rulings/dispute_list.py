"""Disputes of all games in one list, also as a table to take home."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from api.common.lists import know_what_is_dark
from api.common.tables.columns import Column, Row, Table
from api.common.tables.files import ROWS_A_STEP, WHOLE, TableFile, list_or_file
from api.common.tables.formats import FormName, list_formats
from api.http.fields import Cursor, Incoming, MinSequence, Name, Number, Outgoing, ShortLimit, alike
from api.http.formats import schemas
from api.http.operations import Content, Operation, reads
from api.http.places import reach_of
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response
from domain.access.reach import Reach
from domain.dispute import Stage
from domain.journal.registers import Registers
from projections.engine.store import Store
from projections.models.disputes import DISPUTES, DisputeFilters, DisputeRow, disputes_page

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
        Column("stage", "string", "open, ruled, appealed or withdrawn", required=True),
        Column("sequence", "integer", "sequence of the event that raised it in the whole store", required=True),
    ),
    ("game", "number"),
)


class DisputesQuery(Incoming, frozen=True, kw_only=True):
    """All filters that are given must hold."""

    undecided: Annotated[bool | None, Meta(description="those that wait for a decision (open or appealed), or those that do not")] = None
    stage: Annotated[Stage | None, Meta(description="those at this stage")] = None
    tournament: Annotated[Name | None, Meta(description="in games of this tournament", examples=["spring-open"])] = None
    round: Annotated[Number | None, Meta(description="in games of this round", examples=[2])] = None
    ruleset: Annotated[Name | None, Meta(description="in games of this ruleset", examples=["casino"])] = None
    game: Annotated[str, Meta(pattern="^[0-9a-f-]{36}$", description="in this game")] | None = None
    format: Annotated[FormName | None, Meta(description="goes before `Accept`; all but json come whole")] = None
    cursor: Cursor = None
    limit: ShortLimit = 50
    min_sequence: MinSequence = None


class DisputeCase(Outgoing, frozen=True, kw_only=True):
    """A dispute and where it is. ``raised_at`` is the position of its event, ``position`` the one in dispute; ``claim`` only for officials,
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
    seat: Annotated[int | None, Meta(description="who raised it; null for an official")]
    raised_at: int
    position: int
    claim: str | None | UnsetType = UNSET
    suspends: bool
    stage: Stage
    sequence: int


class AllDisputes(Outgoing, frozen=True, kw_only=True):
    """Newest first. ``next`` is the cursor of the following page, null on the last."""

    disputes: list[DisputeCase]
    next: str | None


class DisputesFile(TableFile, frozen=True, kw_only=True):
    filters: DisputeFilters

    @property
    def table(self) -> Table:
        return TABLE

    def page(self, registers: Registers, store: Store, cursor: str | None) -> tuple[Sequence[Row], str | None]:
        found = _found(registers, store, self.about.reach, self.filters, cursor, ROWS_A_STEP, public=self.about.public)
        return [_row(one) for one in found.disputes], found.next


def _found(
    registers: Registers, store: Store, reach: Reach, filters: DisputeFilters, cursor: str | None, limit: int, *, public: bool
) -> AllDisputes:
    """``public``: without the claims, which may name hidden cards, and without games that are dark."""
    page = disputes_page(store, reach, filters, cursor, limit, public=public)
    return AllDisputes(disputes=[_case(registers, row, public) for row in page.rows], next=page.next)


def _case(registers: Registers, row: DisputeRow, public: bool) -> DisputeCase:
    claim = UNSET if public else None if row.claim is None else registers.text(row.claim)
    return alike(row, DisputeCase, claim=claim)


def _row(one: DisputeCase) -> Row:
    where = (str(one.game), one.number, one.ruleset, one.tournament, one.round, one.table)
    claim = None if one.claim is UNSET else one.claim
    return (*where, one.at, one.by, one.seat, one.raised_at, one.position, claim, one.suspends, one.stage, one.sequence)


@reads(
    "/v1/disputes",
    Operation(
        id="list_all_disputes",
        tag="Rulings",
        summary="Disputes of all games, newest first",
        description=(
            "With `undecided=true` those that wait for an arbiter or the committee. Claims are told to officials only; viewers are told of "
            f"games that are not live when these are over. `/v1/games/{{game}}/disputes` has the rulings. {WHOLE}"
        ),
        query=DisputesQuery,
        responses={200: Content("a page of disputes", schemas(list_formats(AllDisputes)), headers=("ETag", "Link"))},
        refuses=(501, 503),
        headers=("If-None-Match",),
        within="lists",
    ),
)
async def list_all_disputes(request: Request) -> Response:
    query, services = read_query(request, DisputesQuery), services_of(request)
    filters, reach, public = alike(query, DisputeFilters), reach_of(request), not request.user.sees_all
    await know_what_is_dark(request)
    return await list_or_file(
        request,
        DISPUTES.name,
        query,
        lambda: _found(services.registers, services.store, reach, filters, query.cursor, query.limit, public=public),
        lambda form, about: DisputesFile(form=form, about=about, filters=filters),
    )
