"""Views of the tables of a series."""

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from urllib.parse import quote

from msgspec import UNSET

from api.http.decoding import copy_fields
from api.series.reading import SeriesAt, SeriesPoint
from api.series.responses import (
    AdjustmentView,
    PlayedView,
    SeriesAsOf,
    SeriesLine,
    SeriesMove,
    SeriesPlace,
    SeriesResultView,
    SeriesStandings,
    SeriesTableView,
    SeriesTieBreakView,
)
from domain.series.results import PlayedTournament
from domain.series.tables import SeriesResult, SeriesRow, SeriesTable


def round_points(value: Fraction) -> int | float:
    """Return the value with two digits, rounded half up; a whole number where it is one."""
    hundredths = math.floor(value * 100 + Fraction(1, 2))
    return hundredths // 100 if hundredths % 100 == 0 else hundredths / 100


def point_view(moment: SeriesPoint) -> SeriesAsOf:
    return copy_fields(moment, SeriesAsOf)


def series_standings_view(of: SeriesAt, title: str | None, shown: Mapping[str, str], reasons: Sequence[str | None]) -> SeriesStandings:
    weights = {one.tournament: one.weight for one in of.series.tournaments}
    return SeriesStandings(
        series=of.series.series,
        title=title,
        as_of=point_view(of.moment),
        position=of.series.position,
        provisional=any(one.ended_at is None for one in of.played),
        tournaments=[_played_view(one, weights[one.tournament]) for one in of.played],
        tables=[_table_view(table, shown) for table in of.tables],
        adjustments=[
            AdjustmentView(player=one.player, points=one.points, reason=reason)
            for one, reason in zip(of.series.adjustments, reasons, strict=True)
        ],
    )


def _played_view(one: PlayedTournament, weight: str) -> PlayedView:
    return PlayedView(
        tournament=one.tournament,
        weight=weight,
        ended_at=one.ended_at,
        played=len(one.entries),
        provisional=one.ended_at is None,
        standings=f"/v1/tournaments/{quote(one.tournament, safe='')}/standings",
    )


def _table_view(table: SeriesTable, shown: Mapping[str, str]) -> SeriesTableView:
    return SeriesTableView(kind=table.kind, category=table.category, lines=[_line(table, row, shown) for row in table.rows])


def _line(table: SeriesTable, row: SeriesRow, shown: Mapping[str, str]) -> SeriesLine:
    club = table.kind == "club"
    return copy_fields(
        row,
        SeriesLine,
        players=() if club else row.contestant,
        shown=list(row.contestant) if club else [shown[player] for player in row.contestant],
        club=row.contestant[0] if club else UNSET,
        points=round_points(row.points),
        results=[copy_fields(one, SeriesResultView, points=round_points(one.points)) for one in row.results],
        tie_breaks=[
            SeriesTieBreakView(tie_break=one.tie_break, value=None if one.value is None else round_points(one.value)) for one in row.figures
        ],
    )


def move_views(before: SeriesAt, after: SeriesAt, shown: Mapping[str, str]) -> Iterator[SeriesMove]:
    """Yield the players whose place, points or results differ, in the order of the later table."""
    was, now = ({row.contestant: row for row in at.tables[0].rows} for at in (before, after))
    for one in {**now, **was}:
        old, new = was.get(one), now.get(one)
        tournaments = sorted(dict(_results(old).items() ^ _results(new).items()))
        if tournaments or _place(old) != _place(new):
            yield SeriesMove(player=one[0], shown=shown[one[0]], before=_place(old), after=_place(new), tournaments=tournaments)


def _results(row: SeriesRow | None) -> Mapping[str, SeriesResult]:
    return {one.tournament: one for one in row.results} if row else {}


def _place(row: SeriesRow | None) -> SeriesPlace | None:
    return None if row is None else SeriesPlace(place=row.place, points=round_points(row.points))
