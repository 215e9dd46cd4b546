"""Round-robin pairing by the circle method: all entrants meet once, in as few rounds as possible.

The schedule is that of the Berger tables (FIDE Handbook, C.05 annex 1), which are a circle in which the last one stays in place. If their
number is odd, the opponent of the missing last one has a bye, once in the tournament.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from domain.errors import Refused
from domain.tournament.pairing.tables import DrawTask, Pair, Pairing, count_opponents, field_of, list_no_shows


def draw(task: DrawTask) -> Pairing:
    """Return the next round of the schedule in which two who are there still have to meet.

    Of those the one with the fewest repeated encounters is taken, so rounds that were paired by hand are passed over. The field is that of
    the first round, with those who did not come to it: an entrant who withdraws leaves a bye behind. After a whole schedule the next one
    begins, with seats turned. Raises ``Refused``.
    """
    playing, outcomes = {entrant.number for entrant in task.playing}, task.outcomes
    field = field_of(outcomes, task.byes)
    field = field | list_no_shows(task.entrants) if field else playing
    if playing - field:
        raise Refused("late_for_round_robin", entrants=tuple(sorted(playing - field)))
    if len(playing) < 2:
        raise Refused("too_few_entrants", needed=2)
    had = count_opponents(outcome.parties for outcome in outcomes)
    least = min(had[frozenset(pair)] for pair in combinations(playing, 2))
    schedule = [_keep_present_tables(tables, playing) for tables in schedule_rounds(sorted(field))]
    due = [tables for tables in schedule if any(had[frozenset(table)] == least for table in tables)]
    tables = min(due, key=lambda one: _count_repeats(one, had, least))
    seated = {entrant for table in tables for entrant in table}
    repeated = tuple(table for table in tables if had[frozenset(table)])
    first = Counter((one, other) for outcome in outcomes for (one,), (other,) in [outcome.parties])
    turned = [table[::-1] if first[table] > first[table[::-1]] else table for table in tables]
    return Pairing(tuple(((one,), (other,)) for one, other in turned), tuple(sorted(playing - seated)), repeated)


def schedule_rounds(field: Sequence[int]) -> list[tuple[tuple[int, int], ...]]:
    """Return the encounters of each round; the first place at a table changes as evenly as can be."""
    circle: list[int | None] = [*field, *([None] if len(field) % 2 else [])]
    last, half = circle.pop(), len(circle) // 2 + 1
    found: list[tuple[tuple[int, int], ...]] = []
    for number in range(len(circle)):
        # From one round to the next everybody moves on by half a circle, and the one in place changes sides.
        start = number * half % len(circle)
        order = circle[start:] + circle[:start]
        ends = [(order[0], last) if number % 2 == 0 else (last, order[0])]
        pairs = [*ends, *((order[step], order[-step]) for step in range(1, half))]
        found.append(tuple((one, other) for one, other in pairs if one is not None and other is not None))
    return found


def _keep_present_tables(tables: Iterable[tuple[int, int]], playing: set[int]) -> tuple[tuple[int, int], ...]:
    return tuple(table for table in tables if playing.issuperset(table))


def _count_repeats(tables: Iterable[tuple[int, int]], had: Counter[Pair], least: int) -> int:
    """Count how often these met more than the two who met least."""
    return sum(had[frozenset(table)] - least for table in tables)
