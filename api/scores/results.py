"""Results of games and tables: a row for each player, as pages of JSON or as an exported table."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Self, TypeAlias
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType, field

from api.common.names import Appearance, NameViewer, load_display_names, wait_for_names
from api.common.tables.columns import Column, Row, Table, row_of
from api.common.tables.files import WHOLE, FileInfo, FormName, ListQuery, TableFile, list_formats, list_or_file
from api.common.time_zone import Times
from api.http.decoding import LocalTime, Name, Number, ResponseModel, copy_fields, read_query
from api.http.operations import Content, reads
from api.http.request import Request
from api.http.response import Response, schemas
from api.services import Sources
from projections.models.player_places import APPEARANCES
from projections.models.players import PLAYERS
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.score_list import How
from projections.models.score_lines.table_list import PlayerResult, ResultFilters, player_results_page
from projections.models.tournaments import TOURNAMENTS

_Names: TypeAlias = Mapping[Appearance, str | None]

RESULTS = Table(
    "results",
    "kiebitz-results/2",
    "what games and tables came to for each player, newest first",
    (
        Column("played_at", "datetime", "when it was played (UTC): what was said of it, else when it was recorded", required=True),
        Column("tournament", "string", "id of the tournament, if it belongs to one"),
        Column("round", "integer", "round of the tournament"),
        Column("table", "string", "table of the tournament"),
        Column("ruleset", "string", "what was played", required=True),
        Column("game", "string", "id of the game (a UUID); empty for the result of a table"),
        Column("player", "string", "id of the player, after mergers; empty where none is known"),
        Column("club", "string", "club of the player"),
        Column("party", "integer", "party at the table, from 0", required=True),
        Column("seat", "integer", "seat at the table, from 0", required=True),
        Column("points", "integer", "what counts for the player, adjustments included", required=True),
        Column("place", "integer", "place of the party, for those who sat there at the end"),
        Column("partners", "strings", "ids of the other players of the party"),
        Column("opponents", "strings", "ids of the players of the other parties"),
        Column("how", "string", "recorded as a game, entered as a result, or forfeited", required=True),
        Column("hands", "integer", "finished hands that count for the player; 0 where no game counts", required=True),
        Column("finished", "boolean", "whether it is over", required=True),
        Column("sequence", "integer", "since which event of the whole store it stands like this", required=True),
        Column("player_name", "string", "what may stand for the player before whoever asks; only with names=true"),
    ),
    ("tournament", "round", "table", "game", "seat", "player"),
)


class ResultsQuery(ListQuery, frozen=True, kw_only=True):
    """Filters; all that are given must hold."""

    tournament: Annotated[Name | None, Meta(description="of this tournament", examples=["spring-open"])] = None
    round: Annotated[Number | None, Meta(description="of this round", examples=[2])] = None
    table: Annotated[Name | None, Meta(description="of this table", examples=["3"])] = None
    game: Annotated[UUID | None, Meta(description="of this game")] = None
    ruleset: Annotated[Name | None, Meta(description="of this ruleset", examples=["casino"])] = None
    player: Annotated[Name | None, Meta(description="results that count for this player", examples=["GER-1017"])] = None
    club: Annotated[Name | None, Meta(description="results that count for its members")] = None
    from_: Annotated[LocalTime, Meta(description="played at this moment or later")] | None = field(default=None, name="from")
    to: Annotated[LocalTime, Meta(description="played before this moment")] | None = None
    names: Annotated[bool, Meta(description="with the player's name or alias, as you may see it, in another field")] = False
    limit: Annotated[int, Meta(ge=1, le=200, description="games and tables on a page of JSON")] = 50


class ResultView(ResponseModel, frozen=True, kw_only=True):
    """The result of a game or a table for a player: see ``/v1/schemas/results``. ``game`` is null for the result of a table."""

    played_at: datetime
    tournament: str | None
    round: int | None
    table: str | None
    ruleset: str
    game: Annotated[str, Meta(extra_json_schema={"format": "uuid"})] | None
    player: str | None
    club: str | None
    party: int
    seat: int
    points: int
    place: int | None
    partners: tuple[str, ...]
    opponents: tuple[str, ...]
    how: How
    hands: int
    finished: bool
    sequence: int
    player_name: str | None | UnsetType = UNSET


class Results(ResponseModel, frozen=True, kw_only=True):
    """A page, newest first. ``next`` is the cursor of the following page, null on the last."""

    items: list[ResultView]
    next: str | None


class ResultsFile(TableFile, frozen=True, kw_only=True):
    """The export. ``named``: with a column of names."""

    full_table = RESULTS
    query = ResultsQuery
    projections = (SCORE_LINES.name, PLAYERS.name, TOURNAMENTS.name, APPEARANCES.name)
    filters: ResultFilters
    named: bool

    @classmethod
    def make(cls, sources: Sources, query: ResultsQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        game, played = query.game and str(query.game), {"played_from": times.get("from_"), "played_before": times.get("to")}
        return cls(form=form, about=about, filters=copy_fields(query, ResultFilters, game=game, **played), named=query.names)

    @property
    def table(self) -> Table:
        return RESULTS if self.named else _without_names(RESULTS)

    def found(self, sources: Sources, cursor: str | None, limit: int) -> Results:
        found = player_results_page(sources.store, self.about.reach, self.filters, cursor, limit)
        names = _names(sources, found.results, self.about.name_viewer) if self.named else None
        told = [copy_fields(one, ResultView, player_name=UNSET if names is None else _name(one, names)) for one in found.results]
        return Results(items=told, next=found.next)

    def row(self, one: ResultView) -> Row:
        return row_of(self.table, one)


def _without_names(table: Table) -> Table:
    return Table(table.name, table.schema, table.title, table.columns[:-1], table.unique)


def _names(sources: Sources, some: Sequence[PlayerResult], audience: NameViewer) -> _Names:
    known = {(one.player, one.tournament) for one in some if one.player is not None}
    return load_display_names(sources.registers, sources.store, known, audience)


def _name(one: PlayerResult, names: _Names) -> str | None:
    return None if one.player is None else names[one.player, one.tournament]


@reads(
    "/v1/results",
    "list_results",
    "List the results of games and tables, a row for each player, newest first",
    description=(
        "The list holds games in which a finished hand counts, and tables whose result was entered or forfeited; a table "
        f"counts once. Byes are in the standings only. `limit` counts games and tables. {WHOLE}"
    ),
    query=ResultsQuery,
    responses={200: Content("a page of results", schemas(list_formats(Results)), headers=("ETag", "Link"))},
    within="lists",
)
async def list_results(request: Request) -> Response:
    query = read_query(request, ResultsQuery)
    if query.names:
        await wait_for_names(request)
    return await list_or_file(request, ResultsFile, query)
