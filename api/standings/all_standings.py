"""Standings of all tournaments as one table: a row for each entrant, as the standings of each tournament have them."""

from typing import Annotated, Any, Self

from msgspec import Meta

from api.common.consistency import wait_for_head
from api.common.tables.columns import Row
from api.common.tables.files import WHOLE, FileInfo, FormName, ListQuery, TableFile, list_formats, list_or_file, objects_of
from api.common.time_zone import Times
from api.http.decoding import ChangedSince, Name, ResponseModel, read_query
from api.http.operations import Content, reads
from api.http.request import Request
from api.http.response import Response, schemas
from api.services import Sources
from api.standings.tables import STANDINGS, StandingsFile, read_present_standings, rows_of
from projections.models.game_index import list_changed_tournaments
from projections.models.tournaments import TournamentFilters, tournaments_page


class AllStandingsQuery(ListQuery, frozen=True, kw_only=True):
    """Filters of tournaments; all that are given must hold."""

    tournament: Annotated[Name | None, Meta(description="of this tournament", examples=["spring-open"])] = None
    ruleset: Annotated[Name | None, Meta(description="of tournaments of this ruleset", examples=["casino"])] = None
    changed_since: ChangedSince = None
    limit: Annotated[int, Meta(ge=1, le=20, description="tournaments on a page of JSON")] = 10


class StandingsRows(ResponseModel, frozen=True, kw_only=True):
    """The rows of some tournaments, the one announced last first. ``next`` is the cursor of the following page, null on the last."""

    items: Annotated[list[dict[str, Any]], Meta(description="see `/v1/schemas/standings`")]
    next: str | None


class AllStandingsFile(TableFile, frozen=True, kw_only=True):
    a_step = 20  # tournaments
    full_table = STANDINGS
    query = AllStandingsQuery
    projections = StandingsFile.projections
    filters: TournamentFilters
    changed_since: int | None

    @classmethod
    def make(cls, sources: Sources, query: AllStandingsQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        filters = TournamentFilters(query.ruleset, tournament=query.tournament)
        return cls(form=form, about=about, filters=filters, changed_since=query.changed_since)

    def found(self, sources: Sources, cursor: str | None, limit: int) -> StandingsRows:
        page = tournaments_page(sources.store, self.about.reach, self.filters, cursor, limit)
        since = self.changed_since or 0
        changed = list_changed_tournaments(sources.store, since) if since else frozenset()
        some = [row.tournament for row in page.rows if row.sequence > since or row.tournament in changed]
        rows = (rows_of(read_present_standings(sources, id, self.about), STANDINGS) for id in some)
        return StandingsRows(items=[one for found in objects_of(STANDINGS.columns, rows) for one in found], next=page.next)

    def row(self, one: dict[str, Any]) -> Row:
        return list(one.values())


@reads(
    "/v1/tables/standings",
    "list_standings",
    "List the present standings of all tournaments, a row for each entrant",
    tag="Scores",
    description=(
        "With `changed_since` the rows of the tournaments come in which something was recorded since; `Kiebitz-As-Of` is the sequence "
        f"to go on with. `limit` counts tournaments. {WHOLE}"
    ),
    query=AllStandingsQuery,
    responses={200: Content("a page of standings", schemas(list_formats(StandingsRows)), headers=("ETag", "Link", "Kiebitz-As-Of"))},
    within="lists",
)
async def list_standings(request: Request) -> Response:
    query = read_query(request, AllStandingsQuery)
    for projection in AllStandingsFile.projections[1:]:
        await wait_for_head(request, projection)
    return await list_or_file(request, AllStandingsFile, query)
