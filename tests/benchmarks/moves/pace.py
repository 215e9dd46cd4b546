"""Moves that come at their times, whether those before are answered or not; and how much longer than usual the slowest of a crowd takes."""

from collections.abc import Callable, Iterator
from itertools import islice

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import OTHERS
from tests.benchmarks.moves.over_http import Ask, sending
from tests.benchmarks.moves.places import Place, Running, kiebitz, places, recorder_of
from tests.benchmarks.moves.rounds import ROUNDS, Taken, interleaved, latency_figure
from tests.benchmarks.moves.sender import Sent
from tests.benchmarks.moves.tables import tables
from tests.benchmarks.moves.worker import worker

GOALS = {200: 4.0, 1000: 15.0}
"""Moves a second, and the milliseconds that 99 in a hundred may take."""
_TABLES = 64
_SECONDS = 4.0
_TIMES = 2.5
"""So many times as long as the median may 99 in a hundred take when all tables move as soon as they can."""


def figures(quick: bool) -> Iterator[Figure]:
    with worker("tests.benchmarks.moves.sender", OTHERS, Sent) as ask, places() as each:
        for place in islice(each, 1 if quick else None):
            with kiebitz(place, recorder_of(place.settings)) as server:
                yield from _figures(place, ask, server, quick)


def _figures(place: Place, ask: Ask, server: Running, quick: bool) -> Iterator[Figure]:
    seconds, rates = (0.2, (200,)) if quick else (_SECONDS, tuple(GOALS))
    works = {str(rate): _moves(ask, server, int(rate * seconds), rate) for rate in rates}
    found = interleaved({**works, "at once": _moves(ask, server, 64 if quick else 2000, None)}, 1 if quick else ROUNDS)
    for rate in rates:
        what = f"a move, {rate:,} a second, {place.name}"
        yield latency_figure(f"{what}, p99", found[str(rate)], 0.99, GOALS[rate])
        yield latency_figure(f"{what}, p99.9", found[str(rate)], 0.999)
    crowd = found["at once"]
    goal = _TIMES * crowd.share(0.5) * 1e3
    yield latency_figure(f"a move, {_TABLES} at a time, {place.name}, p99 beside {_TIMES:g} times p50", crowd, 0.99, goal)


def _moves(ask: Ask, server: Running, moves: int, rate: float | None) -> Callable[[], Callable[[], Taken]]:
    return lambda: sending(ask, server, tables(server, _TABLES, max(1, moves // _TABLES)), rate)
