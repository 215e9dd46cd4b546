"""Timing and reporting. Figures of one run are compared with figures of the same run only: the machine's speed drifts."""

import gc
from collections.abc import Callable, Iterable
from statistics import median
from time import process_time

from msgspec import Struct


class Figure(Struct, frozen=True):
    """One line of the report. ``ratio`` is measured ÷ limit in time: 1 means as quick as the limit, 2 twice as slow.

    ``goal`` is the largest ratio that we accept, null where the line is for orientation only; ``limit`` names what it is compared to.
    ``at_least``: the ratio is one of speeds, and the goal the least that we accept. ``firm``: false where too few rounds were quiet to
    hold a goal against them. ``p50`` and ``p99`` are in milliseconds; ``spread`` is from the lowest round to the highest.
    """

    name: str
    value: float
    unit: str
    limit: str = ""
    limit_value: float | None = None
    ratio: float | None = None
    goal: float | None = None
    at_least: bool = False
    firm: bool = True
    p50: float | None = None
    p99: float | None = None
    spread: tuple[float, float] | None = None
    note: str = ""

    @property
    def reached(self) -> bool:
        if self.goal is None:
            return True
        return self.ratio is not None and (self.ratio >= self.goal if self.at_least else self.ratio <= self.goal)


def compared(
    name: str, seconds: float, limit: str, limit_seconds: float, goal: float | None = None, scale: float = 1e6, unit: str = "µs"
) -> Figure:
    """A figure beside its limit, both in seconds each."""
    return Figure(name, seconds * scale, unit, limit, limit_seconds * scale, seconds / limit_seconds, goal)


def each(work: Callable[[], object], times: int, rounds: int = 7) -> float:
    """Median over the rounds of the seconds of processor time that one call takes; the first round warms up and is not counted."""
    gc.collect()
    gc.freeze()  # what other benchmarks left in memory is not to be looked through while this one is measured
    taken = []
    for _ in range(rounds + 1):
        start = process_time()
        for _ in range(times):
            work()
        taken.append((process_time() - start) / times)
    return median(taken[1:])


def a_second(games: Iterable[int], seconds: float) -> float:
    """Moves a second of processor time (what else the machine does is not counted), over whole games of so many moves each."""
    games, moves, taken = iter(games), 0, seconds
    next(games)  # warms up
    start = process_time()
    for number in games:
        moves += number
        taken = process_time() - start
        if taken > seconds:
            break
    return moves / taken


def turns(first: Callable[[], object], second: Callable[[], object], times: int, rounds: int = 7) -> tuple[float, float]:
    """Two works measured in turn, so that a drift of the machine meets both: median seconds of one call of each."""
    return middle(rounds, lambda: each(first, times, 1), lambda: each(second, times, 1))


def least(first: Callable[[], object], second: Callable[[], object], times: int, rounds: int) -> tuple[float, float]:
    """Two works of some microseconds, measured in turn: the shortest seconds of one call of each. What disturbs them makes them longer."""

    def once(work: Callable[[], object]) -> float:
        start = process_time()
        for _ in range(times):
            work()
        return (process_time() - start) / times

    pairs = [(once(first), once(second)) for _ in range(rounds)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def middle(rounds: int, first: Callable[[], float], second: Callable[[], float]) -> tuple[float, float]:
    """Medians of two works that measure themselves, in turn."""
    pairs = [(first(), second()) for _ in range(rounds)]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
