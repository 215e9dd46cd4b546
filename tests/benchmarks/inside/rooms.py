"""Where the loop of the service spends its processor time for a move: every function by its room, with one caller and with 16; and the
dearest functions by name. By looking two thousand times a second, which takes some microseconds itself.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from tests.benchmarks.inside.sampled import LOOP
from tests.benchmarks.inside.telling import Told, telling
from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import OTHERS, watched
from tests.benchmarks.moves.over_http import Ask, sending
from tests.benchmarks.moves.places import ON_DISK, Place, Running, places, recorder_of
from tests.benchmarks.moves.sender import Sent
from tests.benchmarks.moves.tables import tables
from tests.benchmarks.moves.worker import worker

_CALLERS, _FEW = {1: 1000, 16: 100}, {2: 3}
"""How many send at the same time, and how many moves each of them in a round."""
_ROUNDS = 10
_DEAREST = 12
_HOUSE = Path(__file__).parents[3]


def figures(quick: bool) -> Iterator[Figure]:
    with worker("tests.benchmarks.moves.sender", OTHERS, Sent) as ask, places() as each:
        for place in islice(filter(_waits_for_no_disk, each), 1 if quick else None):
            token = recorder_of(place.settings)
            with telling("tests.benchmarks.inside.sampled", place, token) as (server, tell):
                for callers, moves in (_FEW if quick else _CALLERS).items():
                    yield from _told(
                        f"{callers} at a time, {place.name}", *_sampled(ask, server, tell, 1 if quick else _ROUNDS, callers, moves)
                    )


def _waits_for_no_disk(place: Place) -> bool:
    """What the loop waits for in a function looks like what it computes there."""
    return place.name != ON_DISK


def _sampled(ask: Ask, server: Running, tell: Callable[[], Told], rounds: int, callers: int, moves: int) -> tuple[Counter[str], str]:
    """µs a move by function, of all rounds, and how many of them were quiet."""
    seconds, quiet = Counter[str](), 0
    sending(ask, server, tables(server, callers, moves))()  # warms up
    for _ in range(rounds):
        send = sending(ask, server, tables(server, callers, moves))
        tell()
        with watched() as around:
            send()
            seconds.update(tell())
        quiet += not around.spoilt
    number = rounds * callers * moves
    return Counter({where: taken / number * 1e6 for where, taken in seconds.items()}), f"{quiet} of {rounds} rounds quiet"


def _told(what: str, found: Counter[str], note: str) -> Iterator[Figure]:
    rooms = Counter[str]()
    for where, taken in found.items():
        rooms[room(where)] += taken
    yield Figure(f"processor time of the loop a move, {what}", rooms.total(), "µs", note=note)
    yield from (Figure(f"the same in {name}, {what}", taken, "µs") for name, taken in rooms.most_common())
    for where, taken in found.most_common(_DEAREST):
        yield Figure(f"the same in {where.rpartition('/')[2]}, {what}", taken, "µs")


def room(where: str) -> str:
    """Of a file and function: the folder of ours, the name of the library, or Python."""
    if where == LOOP:
        return LOOP
    file = Path(where.partition(":")[0])
    if "site-packages" in file.parts:
        return file.parts[file.parts.index("site-packages") + 1]
    if not file.is_relative_to(_HOUSE):
        return "Python's own modules"
    return "/".join(file.relative_to(_HOUSE).parent.parts[:2])
