"""Standings of all tournaments as one table: a row for each entrant, as the standings of each tournament have them."""

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from api.common.consistency import wait_for_head
from api.common.names import names_in_tournament
from api.common.tables.columns import CsvDialect, Row, Table
from api.common.tables.files import WHOLE, FileInfo, FormName, TableFile, list_formats, list_or_file, objects_of
from api.http.decoding import ChangedSince, Cursor, Incoming, MinSequence, Name, ResponseModel, read_query
from api.http.operations import Content, reads
from api.http.request import Request
from api.http.response import Response, schemas
from api.services import Sources
from api.standings.as_of import AsOf, StandingsAt, standings_of
from api.standings.responses import Standings
from api.standings.tables import STANDINGS, rows_of
from api.standings.views import standings_view
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from projections.models.disputes import DISPUTES, list_disputed_tables
from projections.models.game_index import GAME_INDEX, list_changed_tournaments
from projections.models.players import PLAYERS, roots
from projections.models.results import RESULTS, results
from projections.models.tournaments import TOURNAMENTS, TournamentFilters, tournaments_page


class AllStandingsQuery(Incoming, frozen=True, kw_only=True):
    """Filters of tournaments; all that are given must hold."""

    tournament: Annotated[Name | None, Meta(description="of this tournament", examples=["spring-open"])] = None
    ruleset: Annotated[Name | None, Meta(description="of tournaments of this ruleset", examples=["casino"])] = None
    changed_since: ChangedSince = None
    format: Annotated[FormName | None, Meta(description="takes precedence over `Accept`; all but json come whole")] = None
    dialect: CsvDialect = None
    cursor: Cursor = None
    limit: Annotated[int, Meta(ge=1, le=20, description="tournaments on a page of JSON")] = 10
    min_sequence: MinSequence = None


class StandingsRows(ResponseModel, frozen=True, kw_only=True):
    """The rows of some tournaments, the one announced last first. ``next`` is the cursor of the following page, null on the last."""

    items: Annotated[list[dict[str, Any]], Meta(description="see `/v1/schemas/standings`")]
    next: str | None


def load_present_standings(sources: Sources, tournament: str) -> StandingsAt:
    """Return the present standings. Raises ``Unknown``."""
    now = sources.journal.aggregate(TOURNAMENT, tournament_stream(tournament))
    games = results(sources.store, tournament)
    known = roots(sources.store, _players_of(now) | {player for game in games for player in game.all_players})
    return standings_of(now, games, lambda player: known.get(player, player), AsOf())


def _players_of(now: Tournament) -> set[str]:
    return {player for entrant in now.entrants for player in entrant.all_players}


def read_present_standings(sources: Sources, tournament: str, about: FileInfo) -> Standings:
    """Return the present standings, with names. Raises ``Unknown``."""
    of = load_present_standings(sources, tournament)
    shown = names_in_tournament(sources.registers, sources.store, of.tournament, _players_of(of.tournament), about.name_viewer)
    undecided = len(list_disputed_tables(sources.store, tournament, public=about.public))
    return standings_view(of, shown, about.language, explained=False, undecided=undecided)


class AllStandingsFile(TableFile, frozen=True, kw_only=True):
    a_step: ClassVar[int] = 20  # tournaments
    filters: TournamentFilters
    changed_since: int | None

    @property
    def table(self) -> Table:
        return STANDINGS

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
    for projection in (RESULTS, PLAYERS, DISPUTES, GAME_INDEX):
        await wait_for_head(request, projection.name)
    filters = TournamentFilters(query.ruleset, tournament=query.tournament)
    return await list_or_file(
        request,
        TOURNAMENTS.name,
        query,
        lambda form, about: AllStandingsFile(form=form, about=about, filters=filters, changed_since=query.changed_since),
        query.tournament,
    )
