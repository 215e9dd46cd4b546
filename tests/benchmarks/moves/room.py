"""What a store of ten million events takes: room, and the time of what an operator does with it. Nothing here has a goal.

The games are those of ``rebuild``, under ids as chance makes them: what lies in an index beside it is not what was recorded beside it.
Snapshots, keys and looks are not filled in; they come with play.
"""

import subprocess
from collections.abc import Iterator
from hashlib import md5
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from uuid import UUID

import psycopg

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import memory_of
from tests.benchmarks.moves.places import Place, database_place, kiebitz, recorder_of, roomy_server, sqlite_place
from tests.benchmarks.moves.ready import killed
from tests.benchmarks.moves.rounds import percentile
from tests.benchmarks.moves.sender import Load, send
from tests.benchmarks.moves.tables import Requests, tables
from tests.benchmarks.rebuild import Event, games_of_all, insert_postgres, insert_sqlite, played_together
from tests.deploy.serving import KIEBITZ, environment
from tests.postgres import fresh_database, machine_programs

EVENTS = 10_000_000
_EACH = 4
"""Different games of every set-up."""
_KILLS, _MOVES, _GAMES = 3, 400, 200
_TABLES = """
SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname
"""


def figures(quick: bool) -> Iterator[Figure]:
    size = 20_000 if quick else EVENTS
    with roomy_server() as server, database_place(server) as place:
        yield from _figures(place, size)
        if machine_programs():
            yield from _dumped(place, fresh_database(server))
    with sqlite_place() as place:
        yield from _figures(place, size)
        copy = place.settings.data / "copy.db"
        yield _seconds("backup, SQLite", "backup", copy, "--data", place.settings.data)


def _figures(place: Place, size: int) -> Iterator[Figure]:
    token, where = recorder_of(place.settings), _where(place)
    insert, played = insert_sqlite if place.settings.embedded else insert_postgres, games_of_all(_EACH)
    begun = perf_counter()
    insert(place.settings, scattered(islice(played_together(played), size)))
    yield Figure(f"fill {size:,} events, {place.name}", perf_counter() - begun, "s")
    yield _seconds(f"rebuild all projections, {place.name}", "projections", "rebuild", *where)
    yield from _room(place, size)
    again = [killed(place, token)().seconds for _ in range(_KILLS)]
    yield Figure(f"ready after kill -9, {place.name}", median(again), "s", spread=(min(again), max(again)))
    games = list(dict.fromkeys(id for id, *_ in scattered(islice(played_together(played), min(size, 400 * _GAMES)))))[:_GAMES]
    yield from _asked(place, token, games)
    yield _seconds(f"audit of one game, {place.name}", "audit", games[0], *where)


def scattered(events: Iterator[Event]) -> Iterator[Event]:
    """The same games under other ids, which do not rise."""
    for id, position, name, state in events:
        yield UUID(bytes=md5(id.bytes, usedforsecurity=False).digest(), version=4), position, name, state


def _where(place: Place) -> tuple[object, ...]:
    return ("--data", place.settings.data) if place.settings.embedded else ("--database-url", place.settings.journal_url)


def _room(place: Place, size: int) -> Iterator[Figure]:
    if place.settings.embedded:
        for file in (place.settings.journal_file, place.settings.projections_file):
            yield Figure(f"room: {file.name}", file.stat().st_size / size, "bytes an event")
        return
    with psycopg.connect(place.settings.journal_url, autocommit=True) as db:
        db.execute("VACUUM ANALYZE")
        for table, rows, indexes in db.execute(_TABLES).fetchall():
            if rows + indexes > size:
                yield Figure(f"room: {table}, PostgreSQL", rows / size, "bytes an event")
                yield Figure(f"room: indexes of {table}", indexes / size, "bytes an event")
        [(whole,)] = db.execute("SELECT pg_database_size(current_database())").fetchall()
        yield Figure("room: the database", whole / size, "bytes an event")


def _asked(place: Place, token: str, games: list[UUID]) -> Iterator[Figure]:
    """By one caller, and each game for the first time."""
    with kiebitz(place, token) as server:
        yield Figure(f"memory of the service, {place.name}", memory_of(server.process), "MB")
        asked: dict[str, Requests] = {
            "a game's history": [(f"/v1/games/{game}/history", "") for game in games[::2]],
            "a game's table": [(f"/v1/games/{game}/table", "") for game in games[1::2]],
            "the first page of games": [("/v1/games", "")] * (_GAMES // 2),
            "a move": tables(server, 1, _MOVES)[0],
        }
        for what, requests in asked.items():
            taken = send(Load((server.port,), token, [requests])).latencies
            p50, p99 = percentile(taken, 0.5) * 1e3, percentile(taken, 0.99) * 1e3
            yield Figure(f"{what}, {place.name}", p50, "ms", p50=p50, p99=p99)
        yield Figure(f"memory after all of them, {place.name}", memory_of(server.process), "MB")


def _dumped(place: Place, other: str) -> Iterator[Figure]:
    programs, file = machine_programs() or Path(), place.settings.data / "store.dump"
    yield _taken("pg_dump", str(programs / "pg_dump"), "--format=custom", f"--file={file}", place.settings.journal_url)
    yield Figure("the dump", file.stat().st_size / 1e6, "MB")
    yield _taken("pg_restore", str(programs / "pg_restore"), "--exit-on-error", "--no-owner", f"--dbname={other}", str(file))


def _seconds(what: str, *command: object) -> Figure:
    return _taken(what, str(KIEBITZ), *map(str, command))


def _taken(what: str, *command: str) -> Figure:
    begun = perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment())
    return Figure(what, perf_counter() - begun, "s")
