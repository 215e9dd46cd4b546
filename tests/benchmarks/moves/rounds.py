"""Works that are measured in turn, round by round. A round that the machine's other work spoilt is made again and does not count."""

from collections.abc import Callable, Mapping
from math import ceil
from statistics import median

from msgspec import Struct

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import Watched, watched
from tests.benchmarks.moves.sender import Sent

ROUNDS = 5
_AT_MOST = 2
"""So many times the rounds asked for; on a machine that is never quiet it has to end."""


class Taken(Struct):
    """What one round took: seconds in all, seconds of each request, and of processor time of whom is measured."""

    seconds: float
    latencies: list[float]
    cpu: float = 0.0

    @property
    def a_second(self) -> float:
        return len(self.latencies) / self.seconds


class Measured:
    """The rounds of one work. If too few were quiet, what they say is an orientation, and no goal is held against it."""

    def __init__(self) -> None:
        self.rounds: list[tuple[Taken, bool]] = []
        """Each with whether it was quiet."""

    def add(self, taken: Taken, around: Watched) -> None:
        self.rounds.append((taken, not around.spoilt))

    @property
    def quiet(self) -> list[Taken]:
        return [taken for taken, quiet in self.rounds if quiet]

    @property
    def is_firm(self) -> bool:
        return len(self.quiet) >= ROUNDS

    @property
    def counted(self) -> list[Taken]:
        return self.quiet or [taken for taken, _ in self.rounds]

    def beside(self, other: "Measured") -> tuple[float, bool]:
        """How many times as many a second: the median of the rounds in which both were quiet, if there are any. And whether it is firm."""
        pairs = [(mine.a_second / its.a_second, one and two) for (mine, one), (its, two) in zip(self.rounds, other.rounds, strict=True)]
        quiet = [ratio for ratio, both in pairs if both]
        return median(quiet or [ratio for ratio, _ in pairs]), len(quiet) >= ROUNDS

    def middle(self, of: Callable[[Taken], float]) -> float:
        return median(map(of, self.counted))

    @property
    def a_second(self) -> float:
        return self.middle(lambda one: one.a_second)

    @property
    def cpu(self) -> float:
        """Seconds of processor time a request."""
        return self.middle(lambda one: one.cpu / len(one.latencies))

    def share(self, of: float) -> float:
        """The seconds that this share of all requests took at most."""
        return percentile([latency for one in self.counted for latency in one.latencies], of)

    @property
    def note(self) -> str:
        quiet, spoilt = len(self.quiet), len(self.rounds) - len(self.quiet)
        return f"{quiet} quiet" + (f", {spoilt} spoilt" if spoilt else "")


def percentile(seconds: list[float], of: float) -> float:
    return sorted(seconds)[ceil(len(seconds) * of) - 1]


def interleaved(works: Mapping[str, Callable[[], Callable[[], Taken]]], rounds: int = ROUNDS) -> dict[str, Measured]:
    """Until each has so many quiet rounds; all are made again when one was spoilt, so that they stay beside each other.

    A work makes a round ready, and what it answers measures it.
    """
    found = {name: Measured() for name in works}
    for work in works.values() if rounds > 1 else ():
        work()()  # warms up
    for _ in range(rounds * _AT_MOST if rounds > 1 else 1):
        for name, work in works.items():
            ready = work()
            with watched() as around:
                taken = ready()
            found[name].add(taken, around)
        if _quiet_together(found) >= rounds:
            break
    return found


def _quiet_together(found: Mapping[str, Measured]) -> int:
    """How many times round all works were quiet."""
    return sum(all(quiet for _, quiet in at_once) for at_once in zip(*(measured.rounds for measured in found.values()), strict=True))


def figure(name: str, what: Measured, limit: str = "", beside: Measured | None = None, goal: float | None = None) -> Figure:
    """Requests a second beside those of another work, round by round; the goal is the least ratio."""
    rates = [one.a_second for one in what.counted]
    ratio, firm = (None, False) if beside is None else what.beside(beside)
    return Figure(
        name, what.a_second, "a second", limit, beside.a_second if beside else None, ratio, goal, at_least=True, firm=firm,
        p50=what.share(0.5) * 1e3, p99=what.share(0.99) * 1e3, spread=(min(rates), max(rates)), note=what.note,
    )  # fmt: skip


def cpu_figure(name: str, what: Measured) -> Figure:
    """Processor time of the server a request, in µs."""
    each = [one.cpu / len(one.latencies) * 1e6 for one in what.counted]
    return Figure(name, what.cpu * 1e6, "µs", spread=(min(each), max(each)), note=what.note)


def grown_figure(name: str, what: Measured, limit: str, beside: Measured, goal: float | None) -> Figure:
    """Processor time of the server a request, in µs, beside that of another work; the goal is the largest ratio."""
    each = [one.cpu / len(one.latencies) * 1e6 for one in what.counted]
    return Figure(
        name, what.cpu * 1e6, "µs", limit, beside.cpu * 1e6, what.cpu / beside.cpu, goal, firm=what.is_firm and beside.is_firm,
        p50=what.share(0.5) * 1e3, p99=what.share(0.99) * 1e3, spread=(min(each), max(each)), note=what.note,
    )  # fmt: skip


def latency_figure(name: str, what: Measured, of: float, goal: float | None = None) -> Figure:
    """The milliseconds that this share of a round's requests took at most; the goal is the most."""
    each = [percentile(one.latencies, of) * 1e3 for one in what.counted]
    value = median(each)
    ratio = None if goal is None else value / goal
    return Figure(
        name, value, "ms", "the most" if goal else "", goal, ratio, None if goal is None else 1.0, firm=what.is_firm,
        p50=what.share(0.5) * 1e3, p99=what.share(0.99) * 1e3, spread=(min(each), max(each)), note=what.note,
    )  # fmt: skip


def taken_of(measure: Callable[[], Sent]) -> Callable[[], Callable[[], Taken]]:
    """There is nothing to make ready, or the process that measures does it before its clock starts."""

    def taken() -> Taken:
        sent = measure()
        return Taken(sent.seconds, sent.latencies, sent.cpu)

    return lambda: taken
