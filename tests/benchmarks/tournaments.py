"""What a round and the standings of a tournament cost as it grows: 24 to 400 entrants, Swiss draws up to 5,000, in their fourth round."""

from collections.abc import Callable, Iterator, Sequence

from domain.events.tournament import TournamentAnnounced
from domain.standings.outcome import Bye, Outcome
from domain.standings.standings import standings
from domain.tournament.pairing import draw
from tests.benchmarks.measure import Figure, compared, each
from tests.domain.tournament.fields import POINTS, a_plan, field, played

SIZES = (24, 100, 400)
LARGE = (250, 500, 1_000, 2_000, 5_000)
ROUNDS = 3

SWISS = a_plan("swiss", "direct_encounter", "buchholz", "buchholz_cut_1", "sonneborn_berger", "lots")
BY_POINTS = a_plan("swiss", "lots", scoring=POINTS)
ROTATING = a_plan("swiss", "score_difference", "lots", entrants="players")


def figures(quick: bool) -> Iterator[Figure]:
    sizes = SIZES[:2] if quick else SIZES
    yield from _grown("a Swiss round", LARGE[:3] if quick else LARGE, lambda size: _draw(SWISS, size), 1.5)
    yield from _grown("a Swiss round by points", LARGE[:3] if quick else LARGE, lambda size: _draw(BY_POINTS, size), 1.5)
    yield from _grown("a Swiss round with changing partners", sizes, lambda size: _draw(ROTATING, size), 2)
    yield from _grown("standings with five tie-breaks", sizes, _standings, 1)


def _grown(name: str, sizes: Sequence[int], work: Callable[[int], Callable[[], object]], power: float) -> Iterator[Figure]:
    """Each size beside the smallest; it may take as much more as this power of the size allows."""
    taken = {size: each(work(size), 1, 3) for size in sizes}
    for size, seconds in taken.items():
        goal = 2.0 * (size / sizes[0]) ** power
        limit = f"{name}, {sizes[0]} entrants"
        yield compared(f"{name}, {size} entrants", seconds, limit, taken[sizes[0]], goal=goal, scale=1e3, unit="ms")


def _draw(plan: TournamentAnnounced, size: int) -> Callable[[], object]:
    outcomes, byes = _history(plan, size)
    return lambda: draw(plan, field(size), outcomes, byes, ROUNDS + 1)


def _standings(size: int) -> Callable[[], object]:
    outcomes, byes = _history(SWISS, size)
    return lambda: standings(SWISS, range(1, size + 1), outcomes, byes)


def _history(plan: TournamentAnnounced, size: int) -> tuple[list[Outcome], list[Bye]]:
    outcomes: list[Outcome] = []
    byes: list[Bye] = []
    for number in range(1, ROUNDS + 1):
        came, left = played(draw(plan, field(size), outcomes, byes, number), number, plan.seed)
        outcomes += came
        byes += left
    return outcomes, byes
