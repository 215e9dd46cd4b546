"""A move where a log is kept beside one where none is, twice: processor time of the process that serves, and how long the slowest take
at a fixed rate.

The keeper is a process of its own; what it takes is not counted here, and neither is what it takes from the other cores.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import OTHERS, cpu_of_one
from tests.benchmarks.moves.over_http import Ask, sending
from tests.benchmarks.moves.places import Place, Running, kiebitz, postgres_place, recorder_of, sqlite_place
from tests.benchmarks.moves.rounds import ROUNDS, Taken, grown_figure, interleaved, latency_figure
from tests.benchmarks.moves.sender import Sent
from tests.benchmarks.moves.tables import tables
from tests.benchmarks.moves.worker import worker

MORE = 1.03
"""So much of the time without a log it may take."""
_CALLERS, _EACH = 16, 100
_RATES = (200, 1000)
_TABLES, _SECONDS = 64, 4.0
_KINDS = {"with a log": "open", "without": "off", "without, once more": "off"}
"""Two without one differ, too: by that much the one with a log may."""


def figures(quick: bool) -> Iterator[Figure]:
    with worker("tests.benchmarks.moves.sender", OTHERS, Sent) as ask:
        for opened in (sqlite_place,) if quick else (sqlite_place, postgres_place):
            with ExitStack() as stack:
                places = {kind: stack.enter_context(opened()) for kind in _KINDS}
                servers = {kind: stack.enter_context(_server(places[kind], log)) for kind, log in _KINDS.items()}
                yield from _figures(ask, places["without"].name, servers, quick)


def _server(place: Place, log: str) -> AbstractContextManager[Running]:
    return kiebitz(place, recorder_of(place.settings), KIEBITZ_LOG=log)


def _figures(ask: Ask, place: str, servers: dict[str, Running], quick: bool) -> Iterator[Figure]:
    rounds = 1 if quick else ROUNDS
    found = interleaved({kind: _at_once(ask, server, 5 if quick else _EACH) for kind, server in servers.items()}, rounds)
    without = found.pop("without")
    for (kind, measured), most in zip(found.items(), (MORE, None), strict=True):
        yield grown_figure(f"processor time of the serving process a move {kind}, {place}", measured, "without a log", without, most)
    for rate in _RATES[:1] if quick else _RATES:
        moves = int(rate * (0.2 if quick else _SECONDS))
        found = interleaved({kind: _at_a_rate(ask, server, moves, rate) for kind, server in servers.items()}, rounds)
        for kind, measured in found.items():
            for share in (0.5, 0.99):
                yield latency_figure(f"a move {kind}, {rate:,} a second, {place}, p{share * 100:g}", measured, share)


def _at_once(ask: Ask, server: Running, times: int) -> Callable[[], Callable[[], Taken]]:
    return lambda: sending(ask, server, tables(server, _CALLERS, times), cpu=cpu_of_one)


def _at_a_rate(ask: Ask, server: Running, moves: int, rate: float) -> Callable[[], Callable[[], Taken]]:
    return lambda: sending(ask, server, tables(server, _TABLES, max(1, moves // _TABLES)), rate)
