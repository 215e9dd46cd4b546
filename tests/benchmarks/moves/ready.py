"""How soon the service answers again after `kill -9` while it records, on a store of a million events: from the start of `kiebitz serve`
to the first 200 of ``/health/ready``. No process is put on a core of its own: after a crash all may use all.
"""

import socket
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from time import perf_counter, sleep

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.grown import filled
from tests.benchmarks.moves.places import Place, Running, database_place, roomy_server, sqlite_place
from tests.benchmarks.moves.rounds import ROUNDS, Taken, interleaved, latency_figure
from tests.benchmarks.moves.sender import Load, send
from tests.benchmarks.moves.tables import tables
from tests.benchmarks.rebuild import EVENTS
from tests.deploy.serving import KIEBITZ, environment
from tests.postgres import free_port

_GOAL = 2_000.0  # milliseconds
_CALLERS, _MOVES = 16, 1_000
_LOAD = 1.0  # seconds of recording until the kill
_TOO_LONG = 60.0  # seconds
_ASKED = b"GET /health/ready HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n"


def figures(quick: bool) -> Iterator[Figure]:
    size, rounds = (2_000, 1) if quick else (EVENTS, ROUNDS)
    with sqlite_place() as place:
        yield from _figures(place, size, rounds)
    if not quick:
        with roomy_server() as server, database_place(server) as place:
            yield from _figures(place, size, rounds)


def _figures(place: Place, size: int, rounds: int) -> Iterator[Figure]:
    token = filled(place, size)
    found = interleaved({"ready": lambda: killed(place, token)}, rounds)["ready"]
    yield latency_figure(f"ready after kill -9, {size:,} events, {place.name}", found, 1.0, _GOAL)


def killed(place: Place, token: str) -> Callable[[], Taken]:
    """A service that is killed while it records; what comes back starts it again."""
    with _started(place) as (process, port), ThreadPoolExecutor(1) as thread:
        _until_ready(port)
        load = Load((port,), token, tables(Running(process.pid, port, token), _CALLERS, _MOVES))
        recording = thread.submit(send, load)
        sleep(_LOAD)
        process.kill()
        with suppress(RuntimeError, OSError):
            raise AssertionError(f"recording was over before the kill, after {recording.result().seconds:.1f} s")
    return lambda: _again(place)


def _again(place: Place) -> Taken:
    begun = perf_counter()
    with _started(place) as (_, port):
        _until_ready(port)
        seconds = perf_counter() - begun
    return Taken(seconds, [seconds])


@contextmanager
def _started(place: Place) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    also = {"KIEBITZ_DATABASE_URL": place.settings.database_url} if place.settings.database_url else {}
    port = free_port()
    command = [str(KIEBITZ), "serve", "--port", str(port), "--data", str(place.settings.data)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment(**also)) as process:
        try:
            yield process, port
        finally:
            process.terminate()


def _until_ready(port: int) -> None:
    """Whoever connects before it answers waits; only until it listens one has to ask again."""
    too_late = perf_counter() + _TOO_LONG
    while perf_counter() < too_late:
        with suppress(ConnectionError), socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(_ASKED)
            if line.recv(4096).startswith(b"HTTP/1.1 200 "):
                return
        sleep(0.002)
    raise TimeoutError(f"it was not ready within {_TOO_LONG:.0f} seconds")
