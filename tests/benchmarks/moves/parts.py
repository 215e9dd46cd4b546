"""Processor time of the server a move, by part, with one caller and with 16. Measuring costs some microseconds, which the wire bears."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from statistics import median
from typing import TypeAlias

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import OTHERS, SERVER, on_core, watched
from tests.benchmarks.moves.over_http import Ask, sending
from tests.benchmarks.moves.places import Place, Running, places, recorder_of
from tests.benchmarks.moves.rounds import ROUNDS
from tests.benchmarks.moves.sender import Sent
from tests.benchmarks.moves.tables import tables
from tests.benchmarks.moves.worker import worker
from tests.deploy.serving import environment

NAMES = {
    "wire": "connections, HTTP, framework, reading the body",
    "guard": "who comes in",
    "decide": "the rules",
    "encode": "bytes and links of the events",
    "journal": "locks, cache, folding, receipt",
    "queue": "to the writer's thread and back",
    "commit": "the writer's thread",
    "answer": "what is told of the move",
    "projection": "the projector's thread",
}
_CALLERS, _FEW = {1: 800, 16: 100}, {2: 3}
"""How many send at the same time, and how many moves each of them in a round."""

Parts: TypeAlias = dict[str, float]
"""Seconds by part."""


def figures(quick: bool) -> Iterator[Figure]:
    with worker("tests.benchmarks.moves.sender", OTHERS, Sent) as ask, places() as each:
        for place in islice(each, 1 if quick else None):
            token = recorder_of(place.settings)
            with _parted(place, token) as (server, tell):
                for callers, moves in (_FEW if quick else _CALLERS).items():
                    yield from _told(place, callers, *_measured(ask, server, tell, 1 if quick else ROUNDS, callers, moves))


def _measured(ask: Ask, server: Running, tell: Callable[[], Parts], rounds: int, callers: int, moves: int) -> tuple[list[Parts], str]:
    """µs a move by part, of the quiet rounds if there are any, and how many there were."""
    quiet: list[Parts] = []
    spoilt: list[Parts] = []
    sending(ask, server, tables(server, callers, moves))()  # warms up
    for _ in range(2 * rounds):
        send = sending(ask, server, tables(server, callers, moves))
        tell()
        with watched() as around:
            send()
            parts = tell()
        (spoilt if around.spoilt else quiet).append({part: seconds / (callers * moves) * 1e6 for part, seconds in parts.items()})
        if len(quiet) >= rounds:
            break
    return quiet or spoilt, f"{len(quiet)} quiet, {len(spoilt)} spoilt"


def _told(place: Place, callers: int, rounds: list[Parts], note: str) -> Iterator[Figure]:
    for part, means in NAMES.items():
        values = [parts.get(part, 0.0) for parts in rounds]
        name = f"processor time a move, {callers} at a time, {place.name}: {part} ({means})"
        yield Figure(name, median(values), "µs", spread=(min(values), max(values)), note=note)


@contextmanager
def _parted(place: Place, token: str) -> Iterator[tuple[Running, Callable[[], Parts]]]:
    """The server, and what its parts took since they were last asked for."""
    where = [str(place.settings.data), *filter(None, [place.settings.database_url])]
    command = [sys.executable, "-m", "tests.benchmarks.moves.parted", *where]
    with on_core(SERVER):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
    with process:
        assert process.stdout is not None
        told = process.stdout

        def tell() -> Parts:
            os.kill(process.pid, signal.SIGUSR1)
            parts: Parts = json.loads(told.readline())
            return parts

        try:
            yield Running(process.pid, int(told.readline()), token), tell
        finally:
            process.terminate()
