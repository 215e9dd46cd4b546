"""What a round and the standings of a tournament cost as it grows: 24 to 400 entrants, in their fourth round; Swiss draws up to 5,000, in
their first round and later ones; and whether those are as good as if all pairs had been compared.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from domain.events.tournament import TournamentAnnounced
from domain.standings.plan import Bye, Outcome
from domain.standings.standings import standings
from domain.tournament.pairing import DrawTask, draw
from domain.tournament.pairing.minimum_weight import PairWeights, PlaceField, match_places
from domain.tournament.pairing.swiss import build_field, list_sides
from domain.tournament.pairing.tables import count_opponents, list_paired_tables, ranking
from tests.benchmarks.measure import Figure, compared, each
from tests.domain.tournament.fields import POINTS, a_plan, field, played

SIZES = (24, 100, 400)
LARGE = (250, 500, 1_000, 2_000, 5_000)
ROUNDS = 3
LATER = (1, 4, 9)
"""The rounds of which a draw is measured."""
MOST_SECONDS = {2_000: 2.0, 5_000: 6.0}
"""The goal for a whole draw, in seconds of a processor."""
DENSE = (250, 500)
"""Fields of which all pairs can be matched at once."""

SWISS = a_plan("swiss", "direct_encounter", "buchholz", "buchholz_cut_1", "sonneborn_berger", "lots")
BY_POINTS = a_plan("swiss", "lots", scoring=POINTS)
ROTATING = a_plan("swiss", "score_difference", "lots", entrants="players")


def figures(quick: bool) -> Iterator[Figure]:
    sizes = SIZES[:2] if quick else SIZES
    for name, plan in (("a Swiss round", SWISS), ("a Swiss round by points", BY_POINTS)):
        yield from _grown(name, LARGE[:3] if quick else LARGE, partial(_draw, plan), 1.5)
        yield from _within_goal(name, plan, 1 if quick else len(MOST_SECONDS))
        yield from (_compare_with_dense(name, plan, size) for size in DENSE[: 1 if quick else 2])
    yield from _grown("a Swiss round with changing partners", sizes, lambda size: _draw(ROTATING, size), 2)
    yield from _grown("standings with five tie-breaks", sizes, _standings, 1)


def _grown(name: str, sizes: Sequence[int], work: Callable[[int], Callable[[], object]], power: float) -> Iterator[Figure]:
    """Each size beside the smallest; it may take as much more as this power of the size allows."""
    taken = {size: each(work(size), 1, 3) for size in sizes}
    for size, seconds in taken.items():
        goal = 2.0 * (size / sizes[0]) ** power
        limit = f"{name}, {sizes[0]} entrants"
        yield compared(f"{name}, {size} entrants", seconds, limit, taken[sizes[0]], goal=goal, scale=1e3, unit="ms")


def _within_goal(name: str, plan: TournamentAnnounced, sizes: int) -> Iterator[Figure]:
    """The slowest of the rounds, beside the seconds that it may take."""
    for size, most in list(MOST_SECONDS.items())[:sizes]:
        taken = {round: each(_draw(plan, size, round - 1), 1, 3) for round in LATER}
        slowest = max(taken, key=taken.__getitem__)
        figure = compared(f"{name}, {size} entrants, slowest", taken[slowest], "the goal", most, 1.0, 1.0, "s")
        yield replace(figure, note=f"round {slowest} of {', '.join(map(str, LATER))}")


def _compare_with_dense(name: str, plan: TournamentAnnounced, size: int) -> Figure:
    """How many draws cost more than the matching of all pairs; none may."""
    fields = [fields_of(plan, size, round - 1) for round in LATER]
    worse = sum(PairWeights(one).sum(match_places(one)) != PairWeights(one).sum(match_places(one, one.size)) for one in fields)
    return Figure(f"{name}, {size} entrants, worse than of all pairs", worse, f"of {len(fields)} draws", ratio=worse, goal=0)


def fields_of(plan: TournamentAnnounced, size: int, rounds: int) -> PlaceField:
    """Return what is matched after so many rounds."""
    outcomes, byes = _history(plan, size, rounds)
    ranked = ranking(DrawTask(plan, field(size), outcomes, byes, rounds + 1))
    return build_field(ranked, ranked.order, count_opponents(list_paired_tables(outcomes)), list_sides(ranked.order, outcomes))


def _draw(plan: TournamentAnnounced, size: int, rounds: int = ROUNDS) -> Callable[[], object]:
    outcomes, byes = _history(plan, size, rounds)
    return lambda: draw(DrawTask(plan, field(size), outcomes, byes, rounds + 1))


def _standings(size: int) -> Callable[[], object]:
    outcomes, byes = _history(SWISS, size)
    return lambda: standings(SWISS, range(1, size + 1), outcomes, byes)


def _history(plan: TournamentAnnounced, size: int, rounds: int = ROUNDS) -> tuple[list[Outcome], list[Bye]]:
    outcomes: list[Outcome] = []
    byes: list[Bye] = []
    for number in range(1, rounds + 1):
        came, left = played(draw(DrawTask(plan, field(size), outcomes, byes, number)), number, plan.seed)
        outcomes += came
        byes += left
    return outcomes, byes
