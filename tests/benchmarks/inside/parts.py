"""Processor time of the server a move, by part, with one caller and with 16. Measuring costs some microseconds, which the wire bears."""

from collections.abc import Callable, Iterator
from itertools import islice
from statistics import median

from tests.benchmarks.inside.telling import Told, telling
from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import OTHERS, watched
from tests.benchmarks.moves.over_http import Ask, sending
from tests.benchmarks.moves.places import Place, Running, places, recorder_of
from tests.benchmarks.moves.rounds import ROUNDS
from tests.benchmarks.moves.sender import Sent
from tests.benchmarks.moves.tables import tables
from tests.benchmarks.moves.worker import worker

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


def figures(quick: bool) -> Iterator[Figure]:
    with worker("tests.benchmarks.moves.sender", OTHERS, Sent) as ask, places() as each:
        for place in islice(each, 1 if quick else None):
            token = recorder_of(place.settings)
            with telling("tests.benchmarks.inside.parted", place, token) as (server, tell):
                for callers, moves in (_FEW if quick else _CALLERS).items():
                    yield from _told(place, callers, *_measured(ask, server, tell, 1 if quick else ROUNDS, callers, moves))


def _measured(ask: Ask, server: Running, tell: Callable[[], Told], rounds: int, callers: int, moves: int) -> tuple[list[Told], str]:
    """µs a move by part, of the quiet rounds if there are any, and how many there were."""
    quiet: list[Told] = []
    spoilt: list[Told] = []
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


def _told(place: Place, callers: int, rounds: list[Told], note: str) -> Iterator[Figure]:
    for part, means in NAMES.items():
        values = [parts.get(part, 0.0) for parts in rounds]
        name = f"processor time a move, {callers} at a time, {place.name}: {part} ({means})"
        yield Figure(name, median(values), "µs", spread=(min(values), max(values)), note=note)
