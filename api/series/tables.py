"""The tables of a series as an exported file: a line for each line of each table."""

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from api.common.tables.columns import Column, Row, Table
from api.common.tables.files import TableFile
from api.series.responses import SeriesResultView, SeriesStandings
from api.services import Sources
from domain.standings.series_plan import SeriesTieBreak

_BREAKS: tuple[SeriesTieBreak, ...] = get_args(SeriesTieBreak)
SERIES = Table(
    "series",
    "kiebitz-series/1",
    "tables of a series, best first",
    (
        Column("line", "integer", "number of the line in the file", required=True),
        Column("table", "string", "players, category, club or partnership", required=True),
        Column("category", "string", "of which category the table is"),
        Column("place", "integer", "empty below the line: too few tournaments were played"),
        Column("name", "string", "what may stand for the players before whoever asks, with commas between; or the club", required=True),
        Column("points", "number", "with bonus and penalty points, rounded to two digits", required=True),
        Column("played", "integer", "tournaments that were played", required=True),
        Column("adjusted", "integer", "bonus and penalty points", required=True),
        Column("results", "string", "points by tournament, with semicolons between; those that do not count in brackets"),
        *(Column(name, "number", f"the tie-break {name}; empty where it does not apply") for name in _BREAKS),
    ),
    ("line",),
)


class SeriesFile(TableFile, frozen=True, kw_only=True):
    rows: list[list[Any]]

    @property
    def table(self) -> Table:
        return SERIES

    def page(self, sources: Sources, cursor: str | None) -> tuple[Sequence[Row], str | None]:
        return self.rows, None


def rows_of(standings: SeriesStandings) -> list[list[Any]]:
    return [[number, *cells] for number, cells in enumerate(_list_cells(standings), 1)]


def _list_cells(standings: SeriesStandings) -> Iterator[list[Any]]:
    for table in standings.tables:
        for line in table.lines:
            figures = {one.tie_break: one.value for one in line.tie_breaks}
            results = "; ".join(map(_describe_result, line.results))
            name = ", ".join(line.shown)
            cells = [table.kind, table.category, line.place, name, line.points, line.played, line.adjusted, results or None]
            yield [*cells, *(figures.get(tie_break) for tie_break in _BREAKS)]


def _describe_result(result: SeriesResultView) -> str:
    told = f"{result.tournament}: {result.points}"
    return told if result.counts else f"({told})"
