"""Durable appending through the journal's writer, beside a bare prepared INSERT and COMMIT of the same bytes into the same database."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TypeAlias
from uuid import UUID, uuid4

import psycopg

from deploy.stores.migrating import is_sqlite, migrate
from deploy.stores.opening import OpenedEvents, open_events
from deploy.stores.sqlite.connections import connect, path_of
from domain.events.game import MovePlayed
from domain.journal.commits import Commit, StoredEvent
from domain.journal.writer import GroupWriter
from tests.benchmarks.games import played, recorded
from tests.benchmarks.measure import Figure, compared, middle
from tests.postgres import fresh_database, running_server

Insert: TypeAlias = Callable[[UUID, int, bytes], object]

CLIENTS = (1, 32)
ROUNDS = 5
_COLUMNS = "(id {blob} NOT NULL, version INTEGER NOT NULL, topic TEXT NOT NULL, state {blob} NOT NULL, UNIQUE (id, version))"


def figures(quick: bool) -> list[Figure]:
    with TemporaryDirectory() as folder:
        found = _figures("SQLite", f"sqlite://{Path(folder).resolve() / 'bench.db'}", quick)
    with running_server() as server:
        return found + _figures("PostgreSQL", fresh_database(server), quick)


def _figures(name: str, url: str, quick: bool) -> list[Figure]:
    migrate(url)
    times = 50 if quick else 400
    state = next(event.state for event in recorded(played(1)) if isinstance(event.event, MovePlayed))
    with closing(open_events(url)) as recorder, _bare(url) as insert:
        taken = {clients: _taken(recorder, insert, state, clients, times) for clients in CLIENTS}
    return [
        compared(
            f"append a move, {name}, {clients} client{'s' * (clients > 1)}", append, f"bare INSERT and COMMIT, {name}, one client", bare
        )
        for clients, (append, bare) in taken.items()
    ]


def _taken(recorder: OpenedEvents, insert: Insert, state: bytes, clients: int, times: int) -> tuple[float, float]:
    return middle(ROUNDS, lambda: _appended(recorder, state, clients, times), lambda: _timed(insert, state, times))


def _appended(recorder: OpenedEvents, state: bytes, clients: int, times: int) -> float:
    """Seconds a move when so many clients append one move after the other, each in a game of its own."""
    return asyncio.run(_append(recorder, state, clients, times)) / (clients * times)


async def _append(recorder: OpenedEvents, state: bytes, clients: int, times: int) -> float:
    writer = GroupWriter(recorder)
    await writer.start()

    async def client(game: UUID) -> None:
        for version in range(1, times + 1):
            await writer.append(Commit((StoredEvent(game, version, "move.played/1", state),)))

    start = perf_counter()
    await asyncio.gather(*(client(uuid4()) for _ in range(clients)))
    taken = perf_counter() - start
    await writer.close()
    return taken


def _timed(insert: Insert, state: bytes, times: int) -> float:
    game = uuid4()
    start = perf_counter()
    for version in range(1, times + 1):
        insert(game, version, state)
    return (perf_counter() - start) / times


@contextmanager
def _bare(url: str) -> Iterator[Insert]:
    """One prepared INSERT and its COMMIT, with the journal's durability, into a table of the same shape."""
    if is_sqlite(url):
        with closing(connect(path_of(url))) as db:
            db.execute(f"CREATE TABLE bare (sequence INTEGER PRIMARY KEY AUTOINCREMENT, {_COLUMNS.format(blob='BLOB')[1:]} STRICT")
            yield lambda id, version, state: _insert_sqlite(db, id, version, state)
    else:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"CREATE TABLE bare (sequence bigserial PRIMARY KEY, {_COLUMNS.format(blob='bytea')[1:]}")
            sql = "INSERT INTO bare (id, version, topic, state) VALUES (%b, %b, %b, %b)"
            yield lambda id, version, state: connection.execute(sql, (id.bytes, version, "move.played/1", state), prepare=True)


def _insert_sqlite(db: sqlite3.Connection, id: UUID, version: int, state: bytes) -> None:
    db.execute("BEGIN IMMEDIATE")
    db.execute("INSERT INTO bare (id, version, topic, state) VALUES (?, ?, ?, ?)", (id.bytes, version, "move.played/1", state))
    db.execute("COMMIT")
