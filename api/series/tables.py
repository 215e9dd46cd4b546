"""The tables of a series: their views, and as an exported file with a line for each line of each table."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self, get_args
from urllib.parse import quote

from msgspec import UNSET, Struct

from api.common.tables.columns import Column, Table
from api.common.tables.files import FileInfo, FormName, Steps, TableFile, objects_of
from api.common.time_zone import Times
from api.http.decoding import copy_fields
from api.series import responses
from api.series.reading import SeriesAt, SeriesPoint, compute_tables, names_in_series
from api.services import Sources
from api.standings.tables import load_present_standings
from domain.errors import Unknown
from domain.series import series
from domain.series.results import PlayedTournament
from domain.series.tables import SeriesResult, SeriesRow, SeriesTable
from domain.standings.plan import SeriesTieBreak
from projections.models.players import PLAYERS
from projections.models.results import RESULTS

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


class PresentSeries(Struct, frozen=True, kw_only=True):
    """The tables of a series, after one of its tournaments."""

    series: str
    after: str | None = None


class SeriesFile(TableFile, frozen=True, kw_only=True):
    full_table = SERIES
    query = PresentSeries
    projections = (RESULTS.name, PLAYERS.name)
    rows: list[list[Any]]

    @classmethod
    def make(cls, sources: Sources, query: PresentSeries, times: Times, form: FormName, about: FileInfo) -> Self:
        try:
            now = sources.journal.aggregate(series.SERIES, series.series_stream(query.series))
        except Unknown:
            raise Unknown("series", query.series) from None
        if query.after is not None and not now.has(query.after):
            raise Unknown("tournament", query.after)
        standings = {one.tournament: load_present_standings(sources, one.tournament) for one in now.tournaments}
        of = compute_tables(sources.store, SeriesPoint(after=query.after), now, standings)
        shown = names_in_series(sources.registers, about.name_viewer, of)
        return cls(form=form, about=about, rows=rows_of(series_standings_view(of, None, shown, [None] * len(now.adjustments))))

    def steps(self, sources: Sources) -> Steps:
        yield self.rows

    def objects(self, sources: Sources) -> Steps:
        return objects_of(self.table.columns, [self.rows])


def rows_of(standings: responses.SeriesStandings) -> list[list[Any]]:
    return [[number, *cells] for number, cells in enumerate(_list_cells(standings), 1)]


def _list_cells(standings: responses.SeriesStandings) -> Iterator[list[Any]]:
    for table in standings.tables:
        for line in table.lines:
            figures = {one.tie_break: one.value for one in line.tie_breaks}
            results = "; ".join(map(_describe_result, line.results))
            name = ", ".join(line.shown)
            cells = [table.kind, table.category, line.place, name, line.points, line.played, line.adjusted, results or None]
            yield [*cells, *(figures.get(tie_break) for tie_break in _BREAKS)]


def _describe_result(result: responses.SeriesResultView) -> str:
    told = f"{result.tournament}: {result.points}"
    return told if result.counts else f"({told})"


# Views of the tables of a series.


def round_points(value: Fraction) -> int | float:
    """Return the value with two digits, rounded half up; a whole number where it is one."""
    hundredths = (200 * value.numerator + value.denominator) // (2 * value.denominator)
    return hundredths // 100 if hundredths % 100 == 0 else hundredths / 100


def point_view(moment: SeriesPoint) -> responses.SeriesAsOf:
    return copy_fields(moment, responses.SeriesAsOf)


def series_standings_view(
    of: SeriesAt, title: str | None, shown: Mapping[str, str], reasons: Sequence[str | None]
) -> responses.SeriesStandings:
    weights = {one.tournament: one.weight for one in of.series.tournaments}
    return responses.SeriesStandings(
        series=of.series.series,
        title=title,
        as_of=point_view(of.moment),
        position=of.series.position,
        provisional=any(one.ended_at is None for one in of.played),
        tournaments=[_view_of_tournament(one, weights[one.tournament]) for one in of.played],
        tables=[_table_view(table, shown) for table in of.tables],
        adjustments=[
            responses.AdjustmentView(player=one.player, points=one.points, reason=reason)
            for one, reason in zip(of.series.adjustments, reasons, strict=True)
        ],
    )


def _view_of_tournament(one: PlayedTournament, weight: str) -> responses.PlayedView:
    return responses.PlayedView(
        tournament=one.tournament,
        weight=weight,
        ended_at=one.ended_at,
        played=len(one.entries),
        provisional=one.ended_at is None,
        standings=f"/v1/tournaments/{quote(one.tournament, safe='')}/standings",
    )


def _table_view(table: SeriesTable, shown: Mapping[str, str]) -> responses.SeriesTableView:
    return responses.SeriesTableView(kind=table.kind, category=table.category, lines=[_line(table, row, shown) for row in table.rows])


def _line(table: SeriesTable, row: SeriesRow, shown: Mapping[str, str]) -> responses.SeriesLine:
    club = table.kind == "club"
    return copy_fields(
        row,
        responses.SeriesLine,
        players=() if club else row.contestant,
        shown=list(row.contestant) if club else [shown[player] for player in row.contestant],
        club=row.contestant[0] if club else UNSET,
        points=round_points(row.points),
        results=[copy_fields(one, responses.SeriesResultView, points=round_points(one.points)) for one in row.results],
        tie_breaks=[
            responses.SeriesTieBreakView(tie_break=one.tie_break, value=None if one.value is None else round_points(one.value))
            for one in row.figures
        ],
    )


def move_views(before: SeriesAt, after: SeriesAt, shown: Mapping[str, str]) -> Iterator[responses.SeriesMove]:
    """Yield the players whose place, points or results differ, in the order of the later table."""
    was, now = ({row.contestant: row for row in at.tables[0].rows} for at in (before, after))
    for one in {**now, **was}:
        old, new = was.get(one), now.get(one)
        tournaments = sorted(dict(_results(old).items() ^ _results(new).items()))
        if tournaments or _place(old) != _place(new):
            yield responses.SeriesMove(player=one[0], shown=shown[one[0]], before=_place(old), after=_place(new), tournaments=tournaments)


def _results(row: SeriesRow | None) -> Mapping[str, SeriesResult]:
    return {one.tournament: one for one in row.results} if row else {}


def _place(row: SeriesRow | None) -> responses.SeriesPlace | None:
    return None if row is None else responses.SeriesPlace(place=row.place, points=round_points(row.points))
