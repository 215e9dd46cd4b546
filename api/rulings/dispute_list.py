"""Disputes of all games in one list, also as an exported table."""

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType, field

from api.common.lists import wait_for_hidden_games
from api.common.tables.columns import Column, Row, Table, row_of
from api.common.tables.files import WHOLE, FileInfo, FormName, ListQuery, TableFile, list_formats, list_or_file
from api.common.time_zone import Times
from api.http.decoding import (
    ChangedSince,
    LocalTime,
    Name,
    Number,
    ResponseModel,
    copy_fields,
    read_query,
)
from api.http.operations import Content, reads
from api.http.request import Request
from api.http.response import Response, schemas
from api.services import Sources
from domain.dispute import Stage
from domain.journal.registers import Registers
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
        Column("state", "string", "open, ruled, appealed or withdrawn", required=True),
        Column("sequence", "integer", "sequence of the event that raised it in the whole store", required=True),
    ),
    ("game", "number"),
)


class DisputesQuery(ListQuery, frozen=True, kw_only=True):
    """All filters that are given must hold."""

    undecided: Annotated[bool | None, Meta(description="those that wait for a decision (open or appealed), or those that do not")] = None
    state: Annotated[Stage | None, Meta(description="those in this state")] = None
    tournament: Annotated[Name | None, Meta(description="in games of this tournament", examples=["spring-open"])] = None
    round: Annotated[Number | None, Meta(description="in games of this round", examples=[2])] = None
    table: Annotated[Name | None, Meta(description="in games at this table", examples=["3"])] = None
    ruleset: Annotated[Name | None, Meta(description="in games of this ruleset", examples=["casino"])] = None
    game: Annotated[str, Meta(pattern="^[0-9a-f-]{36}$", description="in this game")] | None = None
    from_: Annotated[LocalTime, Meta(description="raised at this moment or later")] | None = field(default=None, name="from")
    to: Annotated[LocalTime, Meta(description="raised before this moment")] | None = None
    changed_since: ChangedSince = None


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
    full_table = TABLE
    query = DisputesQuery
    projections = (DISPUTES.name,)
    filters: DisputeFilters

    @classmethod
    def make(cls, sources: Sources, query: DisputesQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        raised = {"raised_from": times.get("from_"), "raised_to": times.get("to")}
        return cls(form=form, about=about, filters=copy_fields(query, DisputeFilters, **raised))

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
    "list_all_disputes",
    "List the disputes of all games, newest first",
    description=(
        "`undecided=true` lists the disputes that wait for an arbiter or the committee. Officials alone see claims. "
        f"Viewers see games that are not live once these are over. `/v1/games/{{game}}/disputes` has the rulings. {WHOLE}"
    ),
    query=DisputesQuery,
    responses={200: Content("a page of disputes", schemas(list_formats(AllDisputes)), headers=("ETag", "Link", "Kiebitz-As-Of"))},
    within="lists",
)
async def list_all_disputes(request: Request) -> Response:
    query = read_query(request, DisputesQuery)
    await wait_for_hidden_games(request)
    return await list_or_file(request, DisputesFile, query)
