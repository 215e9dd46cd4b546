"""The tables of a series, from the standings of its tournaments alone: players, clubs, partnerships and categories. Nothing is rounded."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import lcm
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.series.results import PlayedEntry, PlayedTournament, points_by_entrant
from domain.series.series import Series
from domain.standings.plan import SeriesPlan, SeriesTieBreak
from domain.standings.tie_breaks import lot
from domain.tournament.games import PersonOf, keep_id

TableKind: TypeAlias = Literal["players", "club", "partnership", "category"]
Contestant: TypeAlias = tuple[str, ...]
"""A player, the players of a partnership, or the name of a club."""
ClubOf: TypeAlias = Callable[[str], str | None]


class SeriesResult(Struct, frozen=True):
    """The result of a contestant in a tournament. ``entrants``: whose it is, several of a club. ``counts`` is false beyond the best."""

    tournament: str
    entrants: tuple[int, ...]
    place: int
    points: Fraction
    counts: bool = True


class SeriesValue(Struct, frozen=True):
    """A tie-break. Of ``best_results`` the best; of ``direct_comparison`` the place among the tied; null where there is none."""

    tie_break: SeriesTieBreak
    value: Fraction | None


class SeriesRow(Struct, frozen=True):
    """A line of the table. ``place`` is null below the line: too few tournaments were played. ``results`` in the order of the tournaments,
    ``adjusted``: bonus and penalty points, which are in ``points``.
    """

    place: int | None
    contestant: Contestant
    points: Fraction
    played: int
    results: tuple[SeriesResult, ...]
    adjusted: int = 0
    figures: tuple[SeriesValue, ...] = ()


class SeriesTable(Struct, frozen=True):
    """A table. ``category``: the name of the category of which it is."""

    kind: TableKind
    category: str | None
    rows: tuple[SeriesRow, ...]


Results: TypeAlias = Mapping[Contestant, Sequence[SeriesResult]]


def series_tables(
    series: Series, tournaments: Iterable[PlayedTournament], person_of: PersonOf = keep_id, club_of: ClubOf = lambda _: None
) -> tuple[SeriesTable, ...]:
    """Return the tables, that of the players first. ``club_of``: of a player whose entry names no club. Raises nothing."""
    plan, played = series.plan, order_tournaments(tournaments)
    adjusted = _adjustments(series, person_of)
    players = _collect(plan, played, _players)
    for player in adjusted:
        players.setdefault(player, [])
    tables = [SeriesTable("players", None, rank(plan, played, players, adjusted))]
    if plan.tables.category:
        named: dict[Contestant, str | None] = {(person_of(one.player),): one.category for one in series.categories}
        for name in sorted({name for name in named.values() if name}):
            own = {player: results for player, results in players.items() if named.get(player) == name}
            tables.append(SeriesTable("category", name, rank(plan, played, own, adjusted)))
    if plan.tables.club is not None:
        clubs = _club_results(plan, played, plan.tables.club, club_of)
        tables.append(SeriesTable("club", None, rank(plan, played, clubs)))
    if plan.tables.partnership:
        pairs = _collect(plan, [one for one in played if one.partners], _partners)
        tables.append(SeriesTable("partnership", None, rank(plan, played, pairs)))
    return tuple(tables)


_IN_PLAY = datetime.max.replace(tzinfo=UTC)


def order_tournaments(tournaments: Iterable[PlayedTournament]) -> list[PlayedTournament]:
    """Return the tournaments by their end; those in play last, in the order in which they were added."""
    return sorted(tournaments, key=lambda one: one.ended_at or _IN_PLAY)


def tournaments_until(tournaments: Iterable[PlayedTournament], last: str) -> list[PlayedTournament]:
    """Return the tournaments that ended before this one, and itself."""
    ordered = order_tournaments(tournaments)
    return ordered[: next((place for place, one in enumerate(ordered, 1) if one.tournament == last), 0)]


def _adjustments(series: Series, person_of: PersonOf) -> Mapping[Contestant, int]:
    found: defaultdict[Contestant, int] = defaultdict(int)
    for one in series.adjustments:
        found[(person_of(one.player),)] += one.points
    return found


def _players(entry: PlayedEntry) -> Iterator[Contestant]:
    yield from ((player,) for line_up in entry.line_ups for player in line_up)


def _partners(entry: PlayedEntry) -> Iterator[Contestant]:
    pairs = (tuple(sorted({*line_up})) for line_up in entry.line_ups)
    yield from (pair for pair in pairs if len(pair) > 1)


def _collect(
    plan: SeriesPlan, played: Iterable[PlayedTournament], contestants: Callable[[PlayedEntry], Iterable[Contestant]]
) -> dict[Contestant, list[SeriesResult]]:
    """Return the results of each contestant, one of each tournament: of several entries the best."""
    found: defaultdict[Contestant, list[SeriesResult]] = defaultdict(list)
    for tournament in played:
        for one, (result, _) in _best_entries(plan, tournament, contestants).items():
            found[one].append(result)
    return found


def _best_entries(
    plan: SeriesPlan, tournament: PlayedTournament, contestants: Callable[[PlayedEntry], Iterable[Contestant]]
) -> dict[Contestant, tuple[SeriesResult, PlayedEntry]]:
    points = points_by_entrant(plan.points, tournament)
    found: dict[Contestant, tuple[SeriesResult, PlayedEntry]] = {}
    for entry in tournament.entries:
        result = SeriesResult(tournament.tournament, (entry.entrant,), entry.place, points[entry.entrant])
        for one in contestants(entry):
            if one not in found or found[one][0].points < result.points:
                found[one] = result, entry
    return found


def _club_results(plan: SeriesPlan, played: Iterable[PlayedTournament], count: int, club_of: ClubOf) -> Results:
    """Return the results of each club: in each tournament the sum of its best players, by the club that stands beside the entry."""
    found: defaultdict[Contestant, list[SeriesResult]] = defaultdict(list)
    for tournament in played:
        members: defaultdict[str, list[SeriesResult]] = defaultdict(list)
        for (player,), (result, entry) in _best_entries(plan, tournament, _players).items():
            if club := entry.club or club_of(player):
                members[club].append(result)
        for club, results in members.items():
            best = sorted(results, key=lambda one: (-one.points, one.place))[:count]
            entrants = tuple(dict.fromkeys(entrant for one in best for entrant in one.entrants))
            points = sum((one.points for one in best), Fraction(0))
            found[(club,)].append(SeriesResult(tournament.tournament, entrants, min(one.place for one in best), points))
    return found


# The ranking.


def rank(
    plan: SeriesPlan, played: Sequence[PlayedTournament], results: Results, adjusted: Mapping[Contestant, int] | None = None
) -> tuple[SeriesRow, ...]:
    """Return the table, best first; contestants that share a place in the order of their ids. Below the line stand, in the same order,
    those who played too few tournaments.
    """
    rows = [_row(plan, one, own, (adjusted or {}).get(one, 0)) for one, own in sorted(results.items())]
    seed = ":".join(one.seed for one in played if one.seed)
    above = _break_ties(plan, [row for row in rows if row.played >= plan.minimum], seed)
    below = _break_ties(plan, [row for row in rows if row.played < plan.minimum], seed)
    return (*_with_places(above), *(row for group in below for row in group))


def _row(plan: SeriesPlan, one: Contestant, results: Sequence[SeriesResult], adjusted: int) -> SeriesRow:
    weighed = tuple(results)
    if plan.best is not None and len(results) > plan.best:
        best = sorted(range(len(results)), key=lambda number: -results[number].points)[: plan.best]
        weighed = tuple(replace(result, counts=number in best) for number, result in enumerate(results))
    points = sum((result.points for result in weighed if result.counts), Fraction(adjusted))
    return SeriesRow(None, one, points, len(results), weighed, adjusted)


def _with_places(groups: Iterable[Sequence[SeriesRow]]) -> Iterator[SeriesRow]:
    place = 1
    for group in groups:
        yield from (replace(row, place=place) for row in group)
        place += len(group)


def _break_ties(plan: SeriesPlan, rows: Sequence[SeriesRow], seed: str) -> list[list[SeriesRow]]:
    scale = lcm(*(row.points.denominator for row in rows))  # whole numbers: fractions are slow to compare
    groups = _split(rows, lambda row: row.points.numerator * (scale // row.points.denominator))
    for name in plan.tie_breaks:
        split: list[list[SeriesRow]] = []
        for group in groups:
            keys = TIE_BREAKS[name](group, seed)
            told = [replace(row, figures=(*row.figures, SeriesValue(name, _value_of(name, keys[row.contestant])))) for row in group]
            split += _split(told, partial(_key_of, keys))
        groups = split
    return groups


Key: TypeAlias = tuple[Fraction, ...]
"""Compared from the first number on, the higher first; none before there is one."""
Keys: TypeAlias = Mapping[Contestant, Key]


def _split(rows: Iterable[SeriesRow], key: Callable[[SeriesRow], int | Fraction | Key]) -> list[list[SeriesRow]]:
    return [list(group) for _, group in groupby(sorted(rows, key=key, reverse=True), key=key)]


def _key_of(keys: Keys, row: SeriesRow) -> Key:
    return keys[row.contestant]


def _value_of(name: SeriesTieBreak, key: Key) -> Fraction | None:
    if not key:
        return None
    return -key[0] if name in ("direct_comparison", "lots") else key[0]


def _first_places(tied: Sequence[SeriesRow], _: str) -> Keys:
    return {row.contestant: (Fraction(sum(result.place == 1 for result in row.results)),) for row in tied}


def _best_results(tied: Sequence[SeriesRow], _: str) -> Keys:
    """Compare the best results, then the next, all that there are; a tournament that was not played counts as 0."""
    longest = max(row.played for row in tied)
    return {
        row.contestant: tuple(sorted([*(result.points for result in row.results), *[Fraction(0)] * (longest - row.played)], reverse=True))
        for row in tied
    }


def _tournaments(tied: Sequence[SeriesRow], _: str) -> Keys:
    return {row.contestant: (Fraction(row.played),) for row in tied}


def _latest_result(tied: Sequence[SeriesRow], _: str) -> Keys:
    return {row.contestant: tuple(result.points for result in row.results[-1:]) for row in tied}


def _direct_comparison(tied: Sequence[SeriesRow], _: str) -> Keys:
    """Return the places among the tied; nothing where nobody is tied."""
    if len(tied) == 1:
        return {tied[0].contestant: ()}
    found: dict[Contestant, Key] = {}
    for group in _compare_head_to_head(tied):
        found |= dict.fromkeys((row.contestant for row in group), (Fraction(-1 - len(found)),))
    return found


def _compare_head_to_head(tied: Sequence[SeriesRow]) -> Iterator[Sequence[SeriesRow]]:
    """Compare the points in the tournaments that all the tied played; those who are still tied again among themselves."""
    common = set.intersection(*({result.tournament for result in row.results} for row in tied))
    groups = _split(tied, lambda row: sum((result.points for result in row.results if result.tournament in common), Fraction(0)))
    for group in groups:
        yield from [group] if 1 in (len(group), len(groups)) else _compare_head_to_head(group)


def _lots(tied: Sequence[SeriesRow], seed: str) -> Keys:
    """Draw lots from the seeds of the tournaments; the lowest goes first."""
    return {row.contestant: (Fraction(-lot(seed, "series", *row.contestant)),) if seed else () for row in tied}


TIE_BREAKS: Mapping[SeriesTieBreak, Callable[[Sequence[SeriesRow], str], Keys]] = {
    "first_places": _first_places,
    "best_results": _best_results,
    "tournaments": _tournaments,
    "latest_result": _latest_result,
    "direct_comparison": _direct_comparison,
    "lots": _lots,
}
