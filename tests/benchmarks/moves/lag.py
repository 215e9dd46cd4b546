"""How far the tables of the projections are behind the journal while moves come at 1,000 a second, seen in both databases.

At every look: how long ago the journal already held an event that the tables still lack. What is told is how long ago at most.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from threading import Event, Thread
from time import perf_counter

from deploy.stores.opening import open_events, open_projections
from projections.engine.checkpoints import checkpoints
from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import OTHERS
from tests.benchmarks.moves.over_http import Ask, sending
from tests.benchmarks.moves.places import Place, Running, kiebitz, places, recorder_of
from tests.benchmarks.moves.rounds import ROUNDS, Taken, interleaved, latency_figure
from tests.benchmarks.moves.sender import Sent
from tests.benchmarks.moves.tables import tables
from tests.benchmarks.moves.worker import worker

RATE = 1000
_GOAL = 300.0
"""Milliseconds."""
_TABLES, _SECONDS = 64, 4.0
_LOOKS, _HUNG = 0.02, 60.0


class Looks:
    """``heads``: the newest sequence at each look, and when it was; ``lags``: how old was then what the tables lacked."""

    def __init__(self) -> None:
        self.heads: list[int] = []
        self.times: list[float] = []
        self.lags: list[float] = []

    def add(self, now: float, head: int, projected: int) -> None:
        """An event came between two looks; it counts as as old as the later of them."""
        self.heads.append(head)
        self.times.append(now)
        self.lags.append(now - self.times[bisect_right(self.heads, projected)] if projected < head else 0.0)


def figures(quick: bool) -> Iterator[Figure]:
    with worker("tests.benchmarks.moves.sender", OTHERS, Sent) as ask, places() as each:
        for place in islice(each, 1 if quick else None):
            with kiebitz(place, recorder_of(place.settings)) as server:
                work = _round(place, ask, server, RATE * (0.2 if quick else _SECONDS))
                found = interleaved({"looks": work}, 1 if quick else ROUNDS)["looks"]
                yield latency_figure(f"live projections behind at {RATE:,} moves a second, {place.name}, at most", found, 1.0, _GOAL)


def _round(place: Place, ask: Ask, server: Running, moves: float) -> Callable[[], Callable[[], Taken]]:
    def ready() -> Callable[[], Taken]:
        send = sending(ask, server, tables(server, _TABLES, max(1, int(moves) // _TABLES)), RATE)

        def looked_at() -> Taken:
            looks, begun, over = Looks(), Event(), Event()
            thread = Thread(target=_look, args=(place, looks, begun, over))
            thread.start()
            begun.wait(_HUNG)
            sent = send()
            over.set()
            thread.join()
            return Taken(sent.seconds, looks.lags, sent.cpu)

        return looked_at

    return ready


def _look(place: Place, looks: Looks, begun: Event, over: Event) -> None:
    """Until it is over and the tables have everything, or are given up."""
    with (
        closing(open_events(place.settings.journal_url, read_only=True)) as events,
        closing(open_projections(place.settings.projections_url, read_only=True)) as store,
    ):
        while True:
            head = events.head()
            with store.snapshot() as reads:
                projected = min(one.position for one in checkpoints(reads).values())
            looks.add(perf_counter(), head, projected)
            begun.set()
            if over.wait(_LOOKS) and not 0 < looks.lags[-1] < _HUNG:
                return
