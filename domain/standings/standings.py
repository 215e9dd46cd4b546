"""The standings, from the outcomes of the tables alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Protocol

from msgspec import Struct

from domain.standings.crosstable import RESULTS, crosstable
from domain.standings.figures import Field, Part, field, score_part
from domain.standings.outcome import Bye, Outcome
from domain.standings.plan import Plan
from domain.standings.tie_breaks import TIE_BREAKS, Figure, TieBreak, figures


class RankedPlan(Plan, Protocol):
    """A plan that names its tie-breaks, in the order in which they decide."""

    @property
    def tie_breaks(self) -> tuple[TieBreak, ...]: ...


class StandingsRow(Struct, frozen=True):
    """An entrant in the standings. Places are shared where no tie-break decides; the following ones stay vacant.

    ``played`` and what follows count rounds at a table; ``wins``, ``draws`` and ``losses`` are ``None`` where tables have not two
    parties. ``for_others`` is the score as it counts in the Buchholz and Sonneborn-Berger of opponents. ``parts`` are what the score is
    the sum of. ``figures`` stand in the order of the announcement.
    """

    place: int
    entrant: int
    score: Fraction
    played: int
    wins: int | None
    draws: int | None
    losses: int | None
    for_others: Fraction
    parts: tuple[Part, ...]
    figures: tuple[Figure, ...]


def standings(plan: RankedPlan, entrants: Sequence[int], outcomes: Iterable[Outcome], byes: Iterable[Bye]) -> tuple[StandingsRow, ...]:
    """Best first; entrants that share a place in the order of their numbers. Raises nothing: a tournament can be read at any moment."""
    of = field(plan, crosstable(plan, entrants, outcomes, byes))
    groups = [sorted(group) for group in _groups(entrants, of.scores)]
    found: dict[int, tuple[Figure, ...]] = dict.fromkeys(entrants, ())
    for name in plan.tie_breaks:
        split = []
        for group in groups:
            here = figures(name, of, group)
            found |= {entrant: (*found[entrant], here[entrant]) for entrant in group}
            split += _groups(group, {entrant: _key(name, here[entrant]) for entrant in group})
        groups = split
    return tuple(_rows(of, groups, found))


def _groups(entrants: Iterable[int], keys: Mapping[int, Fraction]) -> list[list[int]]:
    """Highest key first; equal ones together, in the order that they had."""
    ranked = sorted(entrants, key=lambda entrant: -keys[entrant])
    return [list(group) for _, group in groupby(ranked, key=lambda entrant: keys[entrant])]


def _key(name: TieBreak, figure: Figure) -> Fraction:
    value = figure.value or Fraction(0)
    return -value if TIE_BREAKS[name].lowest_first else value


def _rows(of: Field, groups: Iterable[Sequence[int]], found: Mapping[int, tuple[Figure, ...]]) -> Iterator[StandingsRow]:
    place = 1
    for group in groups:
        for entrant in group:
            yield _row(of, place, entrant, found[entrant])
        place += len(group)


def _row(of: Field, place: int, entrant: int, found: tuple[Figure, ...]) -> StandingsRow:
    shares = of.rows[entrant]
    results = [share.result for share in shares if share.how == "played"]
    won, drawn, lost = (results.count(one) if len(of.plan.parties) == 2 else None for one in RESULTS)
    parts = tuple(score_part(share) for share in shares if share.how != "absent")
    return StandingsRow(place, entrant, of.scores[entrant], len(results), won, drawn, lost, of.adjusted[entrant], parts, found)
