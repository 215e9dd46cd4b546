"""Clients in one process, without HTTP: ready-made appends, whole commands, and the recorder of the library eventsourcing as it comes.

``python -m tests.benchmarks.moves.clients FOLDER [URL]`` does jobs on the store there, with what the server sets for itself.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeAlias
from uuid import uuid4

import msgspec
import uvloop
from eventsourcing.persistence import StoredEvent as Stock
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from api.services import Services
from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.http.server import freeze_memory
from domain.events import Event
from domain.events.game import MovePlayed
from domain.games import RULESETS
from domain.journal.commits import Call, Commit, StoredEvent
from domain.moves import play_moves
from tests.benchmarks.games import played, recorded
from tests.benchmarks.moves.sender import Sent
from tests.benchmarks.moves.worker import work

Step: TypeAlias = Callable[[], Awaitable[object]]

_HANDS = 64
_RULEBOOK = RULESETS["casino"].bind({}, 2)


class Clients(msgspec.Struct):
    """So many clients, each so many times. ``what``: ``append``, ``command`` or ``stock``."""

    what: str
    clients: int
    times: int


def do(settings: Settings, job: Clients) -> Sent:
    if job.what == "stock":
        return stock(settings.data / f"{uuid4()}.db", job)
    with open_services(settings, alone=settings.embedded) as services:
        return uvloop.run(_all(services, job))


async def _all(services: Services, job: Clients) -> Sent:
    """Every client does one after the other, all clients at the same time."""
    await services.journal.start()
    prepare = _appends if job.what == "append" else _commands
    steps = [prepare(services, number, job.times) for number in range(job.clients)]
    await asyncio.gather(*(one() for one in _appends(services, 0, job.clients)[:1]))  # opens the connection
    latencies: list[float] = []

    async def client(mine: list[Step]) -> None:
        for step in mine:
            begun = perf_counter()
            await step()
            latencies.append(perf_counter() - begun)

    cpu, start = process_time(), perf_counter()
    await asyncio.gather(*map(client, steps))
    sent = Sent(perf_counter() - start, latencies, process_time() - cpu)
    await services.journal.stop()
    return sent


def _appends(services: Services, _: int, times: int) -> list[Step]:
    stream, (name, state) = uuid4(), a_move()
    commits = [Commit((StoredEvent(stream, position, name, state),)) for position in range(1, times + 1)]
    return [partial(services.journal.writer.append, commit) for commit in commits]


def _commands(services: Services, number: int, times: int) -> list[Step]:
    """Moves of as many hands as that takes, each in a game that is opened and dealt already."""
    journal, call = services.journal, Call("bench")
    steps: list[Step] = []
    for seed in range(number, number + times):
        if len(steps) >= times:
            break
        events, game = _hand(seed % _HANDS), uuid4()
        moves = [event for event in events if isinstance(event, MovePlayed)]
        journal.open_now(call, game, events[:2])
        steps += [partial(journal.commit, call, game, partial(_play, move)) for move in moves]
    return steps[:times]


def _play(move: MovePlayed, game):
    return play_moves(game, _RULEBOOK, [(move.seat, move.move)])


def stock(file: Path, job: Clients) -> Sent:
    """A thread for each client, as the library is used."""
    name, state = a_move()
    latencies: list[float] = []
    with closing(SQLiteDatastore(str(file), pool_size=job.clients, pool_timeout=60, lock_timeout=60)) as store:
        recorder = SQLiteApplicationRecorder(store)
        recorder.create_table()

        def client(_: int) -> None:
            stream = uuid4()
            for version in range(1, job.times + 1):
                begun = perf_counter()
                recorder.insert_events([Stock(stream, version, name, state)])
                latencies.append(perf_counter() - begun)

        with ThreadPoolExecutor(job.clients) as threads:
            cpu, start = process_time(), perf_counter()
            list(threads.map(client, range(job.clients)))
            return Sent(perf_counter() - start, latencies, process_time() - cpu)


@cache
def a_move() -> tuple[str, bytes]:
    """Name and bytes of a stored move."""
    return next((one.name, one.state) for one in recorded(played(1)) if isinstance(one.event, MovePlayed))


@cache
def _hand(seed: int) -> list[Event]:
    return list(played(seed))


if __name__ == "__main__":
    freeze_memory()
    work(Clients, partial(do, Settings(data=Path(sys.argv[1]), database_url=next(iter(sys.argv[2:]), None))))
