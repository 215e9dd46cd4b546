"""Standings as tables: exported (the rows go to the export process: they are few, and computed already), and the cross table of pages."""

from collections.abc import Iterator
from typing import Any, Self, get_args

from msgspec import Struct

from api.common.names import names_in_tournament
from api.common.tables.columns import Column, Table
from api.common.tables.files import FileInfo, FormName, Steps, TableFile, objects_of
from api.common.time_zone import Times
from api.services import Sources
from api.standings.as_of import AsOf, StandingsAt, standings_of
from api.standings.responses import Standings, StandingsRowView
from api.standings.views import standings_view
from domain.errors import Unknown
from domain.standings.tie_breaks import TieBreak
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from projections.models.disputes import DISPUTES, list_disputed_tables
from projections.models.game_index import GAME_INDEX
from projections.models.players import PLAYERS, roots
from projections.models.results import RESULTS, results
from projections.models.tournaments import TOURNAMENTS

_FIRST = (
    Column("place", "integer", "place in the standings", required=True),
    Column("entrant", "integer", "number of the entrant", required=True),
    Column("players", "string", "what may stand for the players before whoever asks, with commas between", required=True),
    Column("score", "number", "the score, in the unit of the tournament", required=True),
    Column("played", "integer", "tables that were played", required=True),
    Column("wins", "integer", "of them won; empty at tables not of two"),
    Column("draws", "integer", "of them drawn; empty at tables not of two"),
    Column("losses", "integer", "of them lost; empty at tables not of two"),
)
_LAST = (
    Column("withdrawn_from", "integer", "the first round that an entrant who withdrew did not play"),
    Column("undecided", "integer", "disputes that wait for a decision, on every line: until then the standings are provisional"),
    Column("note", "string", "other players who stood for the entrant, and when, in words"),
    Column("club", "string", "club of the entrant"),
    Column("team", "string", "team of the entrant"),
    Column("category", "string", "category in which the entrant can win prizes"),
    Column("prize", "number", "the prize by these standings; empty without one"),
    Column("prize_category", "string", "category of the fund from which the prize comes; empty for that of all entrants"),
    Column("tournament", "string", "id of the tournament", required=True),
)


def standings_table(tie_breaks: tuple[TieBreak, ...]) -> Table:
    """Return the table with a column for each of these tie-breaks, in the order in which they decide."""
    figures = (Column(_column_name(name), "number", f"the tie-break {name}; empty where it does not apply") for name in tie_breaks)
    return Table(
        "standings", "kiebitz-standings/1", "standings of tournaments, best first", (*_FIRST, *figures, *_LAST), ("tournament", "entrant")
    )


def _column_name(name: TieBreak) -> str:
    """Return the name of the column; ``tie_break_`` precedes a name that another column has."""
    return f"tie_break_{name}" if any(column.name == name for column in _FIRST) else name


STANDINGS = standings_table(get_args(TieBreak))


def load_present_standings(sources: Sources, tournament: str, round: int | None = None) -> StandingsAt:
    """Return the present standings, of the first rounds only. Raises ``Unknown``."""
    try:
        now = sources.journal.aggregate(TOURNAMENT, tournament_stream(tournament))
    except Unknown:
        raise Unknown("tournament", tournament) from None
    games = results(sources.store, tournament)
    known = roots(sources.store, _players_of(now) | {player for game in games for player in game.all_players})
    return standings_of(now, games, lambda player: known.get(player, player), AsOf(round=round))


def _players_of(now: Tournament) -> set[str]:
    return {player for entrant in now.entrants for player in entrant.all_players}


def read_present_standings(sources: Sources, tournament: str, about: FileInfo, round: int | None = None) -> Standings:
    """Return the present standings, with names. Raises ``Unknown``."""
    of = load_present_standings(sources, tournament, round)
    shown = names_in_tournament(sources.registers, sources.store, of.tournament, _players_of(of.tournament), about.name_viewer)
    undecided = len(list_disputed_tables(sources.store, tournament, public=about.public))
    return standings_view(of, shown, about.language, explained=False, undecided=undecided)


class PresentStandings(Struct, frozen=True, kw_only=True):
    """The standings of a tournament, of the first rounds only."""

    tournament: str
    round: int | None = None


class StandingsFile(TableFile, frozen=True, kw_only=True):
    """The rows go to the export process: they are few, and computed already."""

    full_table = STANDINGS
    query = PresentStandings
    projections = (TOURNAMENTS.name, RESULTS.name, PLAYERS.name, DISPUTES.name, GAME_INDEX.name)
    tie_breaks: tuple[TieBreak, ...]
    rows: list[list[Any]]

    @classmethod
    def make(cls, sources: Sources, query: PresentStandings, times: Times, form: FormName, about: FileInfo) -> Self:
        return cls.of(read_present_standings(sources, query.tournament, about, query.round), form, about)

    @classmethod
    def of(cls, standings: Standings, form: FormName, about: FileInfo) -> Self:
        return cls(form=form, about=about, tie_breaks=standings.tie_breaks, rows=rows_of(standings))

    @property
    def table(self) -> Table:
        return standings_table(self.tie_breaks)

    def steps(self, sources: Sources) -> Steps:
        yield self.rows

    def objects(self, sources: Sources) -> Steps:
        return objects_of(self.table.columns, [self.rows])


def rows_of(standings: Standings, table: Table | None = None) -> list[list[Any]]:
    """Return the rows of a table, by default of that with the tie-breaks of the tournament; a tie-break that it lacks is empty."""
    prizes = {one.entrant: (one.amount, one.category) for one in standings.prizes or ()}
    names = [column.name for column in standings_table(standings.tie_breaks).columns]
    rows = [
        [*_cells(line), standings.undecided, *_labels(line), *prizes.get(line.entrant, (None, None)), standings.tournament]
        for line in standings.lines
    ]
    if table is None:
        return rows
    return [[cells.get(column.name) for column in table.columns] for cells in (dict(zip(names, row, strict=True)) for row in rows)]


def _labels(line: StandingsRowView) -> Iterator[object]:
    yield from (line.note or None, line.club or None, line.team or None, line.category or None)


def _cells(line: StandingsRowView) -> Iterator[object]:
    yield from (line.place, line.entrant, ", ".join(line.shown), line.score, line.played, line.wins, line.draws, line.losses)
    yield from (figure.value for figure in line.tie_breaks)
    yield line.withdrawn_from


# The cross table of standings as pages show it: a row for each entrant, with opponents and points of each round, and the tie-breaks.
