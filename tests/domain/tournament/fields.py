"""Plans, entrants and random tournaments for the tests of standings and pairings."""

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from hypothesis import strategies as st

from domain.events.tournament import EntryWithdrawn, TournamentAnnounced
from domain.standings.plan import Bye, Entrants, Format, Outcome, Scoring
from domain.standings.tie_breaks import TieBreak
from domain.tournament.line_ups import LineUp
from domain.tournament.pairing import DrawTask, Pairing
from domain.tournament.pairing import draw as draw_task
from domain.tournament.pairing.all_play_all import schedule_rounds
from domain.tournament.state import Entrant, entries_after

PAIRS = ((0, 2), (1, 3))
FOUR = ((0,), (1,), (2,), (3,))
MATCH_POINTS = Scoring("match_points", (2, 0), 2)
POINTS = Scoring("points", bye=100, forfeit=(100, 0))


def a_plan(
    format: Format = "swiss",
    *tie_breaks: TieBreak,
    parties: tuple[tuple[int, ...], ...] = PAIRS,
    entrants: Entrants = "parties",
    scoring: Scoring = MATCH_POINTS,
    rounds: int | None = None,
    seed: str = "kiebitz",
) -> TournamentAnnounced:
    seats = sum(map(len, parties))
    return TournamentAnnounced("t", None, "canasta", {}, seats, parties, format, entrants, scoring, tie_breaks, rounds, 1, "never", seed)


def draw(*task: Any) -> Pairing:
    """The pairing from plan, entrants, outcomes, byes, round and wishes."""
    return draw_task(DrawTask(*task))


def field(size: int, ratings: Sequence[int | None] = ()) -> tuple[Entrant, ...]:
    known = [*ratings, *[None] * size]
    return tuple(Entrant(number, 1, (LineUp(1, (f"p{number}",)),), known[number - 1]) for number in range(1, size + 1))


def withdrawn(entrants: Iterable[Entrant], number: int, round: int) -> tuple[Entrant, ...]:
    """The entrants after one of them withdrew, from this round on."""
    return entries_after(tuple(entrants), EntryWithdrawn(number, round, None))


def duel(round: int, one: int, other: int, *points: int) -> Outcome:
    """A table of two; without points it is still open."""
    return Outcome(round, f"{one}-{other}", ((one,), (other,)), points or None, "entered" if points else "open")


def forfeit(round: int, one: int, other: int, *absent: int) -> Outcome:
    return Outcome(round, f"{one}-{other}", ((one,), (other,)), (0, 0), "forfeited", absent)


def played(found: Pairing, round: int, seed: str) -> tuple[list[Outcome], list[Bye]]:
    """The tables of a draw with points by lot, from 0 to 3 so that some are drawn."""
    outcomes = [
        Outcome(round, str(number), table, _points(table, seed, round, number), "games") for number, table in enumerate(found.tables, 1)
    ]
    return outcomes, [Bye(round, entrant) for entrant in found.byes]


def rounds_of(plan: TournamentAnnounced, entrants: Sequence[Entrant], rounds: int) -> list[Pairing]:
    """So many rounds, each paired from the results of those before."""
    draws: list[Pairing] = []
    outcomes: list[Outcome] = []
    byes: list[Bye] = []
    for number in range(1, rounds + 1):
        draws.append(draw(plan, entrants, outcomes, byes, number))
        more, left = played(draws[-1], number, plan.seed)
        outcomes += more
        byes += left
    return draws


def _points(table: tuple[tuple[int, ...], ...], *words: object) -> tuple[int, ...]:
    return tuple(sha256(repr((words, place)).encode()).digest()[0] % 4 for place in range(len(table)))


@st.composite
def histories(data: st.DrawFn) -> tuple[int, list[Outcome], list[Bye]]:
    """A number of entrants, and rounds of duels among some of them: drawn, won, forfeited by one or both; with byes and absences.

    Nobody meets the same opponent more than twice: the checker reckons averages in decimals, and a third has none.
    """
    size = data(st.integers(2, 9))
    outcomes: list[Outcome] = []
    byes: list[Bye] = []
    met: Counter[frozenset[int]] = Counter()
    for number in range(1, data(st.integers(1, 6)) + 1):
        order = data(st.permutations(range(1, size + 1)))
        there = order[: data(st.integers(2, size))]
        byes += [Bye(number, there[-1])] if len(there) % 2 else []
        for one, other in zip(there[0 : len(there) // 2 * 2 : 2], there[1::2], strict=True):
            met[frozenset((one, other))] += 1
            if met[frozenset((one, other))] <= 2:
                outcomes.append(data(_results(number, one, other)))
    return size, outcomes, byes


@st.composite
def round_robins(data: st.DrawFn) -> tuple[int, list[Outcome], list[Bye]]:
    """All meet all, with some forfeits."""
    size = data(st.integers(2, 8))
    tables = [(number, *pair) for number, pairs in enumerate(schedule_rounds(range(1, size + 1)), 1) for pair in pairs]
    return size, [data(_results(*table)) for table in tables], []


def _results(round: int, one: int, other: int) -> st.SearchStrategy[Outcome]:
    points = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda points: duel(round, one, other, *points))
    absent = st.sampled_from([(one,), (other,), (one, other)]).map(lambda absent: forfeit(round, one, other, *absent))
    return st.one_of(points, points, points, absent)
