"""Standings as tables: exported (the rows go to the export process: they are few, and computed already), and the cross table of pages."""

from collections.abc import Iterator
from typing import Any, get_args

from api.common.tables.columns import Column, Table
from api.common.tables.files import Steps, TableFile, objects_of
from api.services import Sources
from api.standings.responses import Standings, StandingsRowView
from domain.standings.tie_breaks import TieBreak

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


class StandingsFile(TableFile, frozen=True, kw_only=True):
    tie_breaks: tuple[TieBreak, ...]
    rows: list[list[Any]]

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
