"""Rebuilding all projections from a million events, beside reading and decoding the same events and nothing else.

The games are played once and stored many times, each time under a new id; what is stored of an event does not name its game. Many
are played at the same time, as at a tournament.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TypeAlias
from uuid import UUID

import psycopg
from click.testing import CliRunner

from deploy.cli.main import main
from deploy.compose import PROJECTIONS
from deploy.config.settings import Settings
from deploy.stores.migrating import migrate
from deploy.stores.opening import OpenedEvents, open_events
from deploy.stores.sqlite.connections import connect
from domain.codec import _DECODERS
from domain.games import RULESETS
from tests.benchmarks.games import played, recorded
from tests.benchmarks.measure import Figure, compared
from tests.benchmarks.playouts import set_ups
from tests.postgres import fresh_database, running_server

Game: TypeAlias = Sequence[tuple[int, str, bytes]]
Event: TypeAlias = tuple[UUID, int, str, bytes]
Insert: TypeAlias = Callable[[Settings, Iterator[Event]], None]

EVENTS = 1_000_000
SHORT = 200_000
ENOUGH = 120.0
"""Seconds for a million events."""
_LEAST = 0.6

_TABLES = 50
_LONGEST = 400
_COLUMNS = "events (originator_id, originator_version, topic, state)"
_READ = "SELECT sequence, topic, state FROM events WHERE sequence > ? ORDER BY sequence LIMIT 2000"


def figures(quick: bool) -> Iterator[Figure]:
    games, number = games_of_all(1 if quick else 12), 20_000 if quick else EVENTS
    with TemporaryDirectory() as folder:
        yield from _figures("SQLite", Settings(Path(folder).resolve()), insert_sqlite, games, number)
    with running_server() as server:
        settings = Settings(Path(), fresh_database(server))
        yield from _figures("PostgreSQL", settings, insert_postgres, games, number)


def goals(quick: bool) -> Iterator[Figure]:
    with TemporaryDirectory() as folder:
        yield from _figures("SQLite", Settings(Path(folder).resolve()), insert_sqlite, games_of_all(1), 5_000 if quick else SHORT)


def _figures(name: str, settings: Settings, insert: Insert, games: Sequence[Game], number: int) -> Iterator[Figure]:
    migrate(settings.journal_url)
    insert(settings, islice(played_together(games), number))
    with closing(open_events(settings.journal_url)) as recorder:
        bare = _timed(lambda: _decoded(recorder))
    rebuilt = _timed(lambda: _rebuilt(settings))
    what = f"rebuild {len(PROJECTIONS)} projections, {number:,} events, {name}"
    decode = "read and decode them with msgspec into their Structs"
    yield Figure(what, number / rebuilt, "a second", decode, number / bare, bare / rebuilt, _LEAST, at_least=True)
    if number == EVENTS:
        yield compared(what, rebuilt, "two minutes", ENOUGH, goal=1.0, scale=1, unit="s")


def games_of_all(each: int) -> list[Game]:
    """So many games of every set-up of every ruleset."""
    return [
        [(event.position, event.name, event.state) for event in recorded(islice(played(seed, key, options, seats, hands=100), _LONGEST))]
        for key, ruleset in RULESETS.items()
        for options, seats in set_ups(ruleset)
        for seed in range(each)
    ]


def played_together(games: Sequence[Game]) -> Iterator[Event]:
    """Without an end: where a game is over, the next one begins."""
    chance, number = Random(1), 0
    tables: list[tuple[UUID, Iterator[tuple[int, str, bytes]]]] = [(UUID(int=0), iter(()))] * _TABLES
    while True:
        table = chance.randrange(_TABLES)
        id, left = tables[table]
        event = next(left, None)
        if event is None:
            number += 1
            tables[table] = (UUID(int=number, version=4), iter(chance.choice(games)))
        else:
            yield (id, *event)


def insert_sqlite(settings: Settings, events: Iterator[Event]) -> None:
    with closing(connect(settings.journal_file)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        db.executemany(f"INSERT INTO {_COLUMNS} VALUES (?, ?, ?, ?)", ((id.bytes, *event) for id, *event in events))
        db.execute("COMMIT")


def insert_postgres(settings: Settings, events: Iterator[Event]) -> None:
    with psycopg.connect(settings.journal_url) as db, db.cursor().copy(f"COPY {_COLUMNS} FROM STDIN") as copy:
        for event in events:
            copy.write_row(event)


def _timed(work: Callable[[], None]) -> float:
    """Seconds by the clock on the wall: the database's own work counts."""
    start = perf_counter()
    work()
    return perf_counter() - start


def _rebuilt(settings: Settings) -> None:
    where = ("--data", settings.data) if settings.embedded else ("--database-url", settings.journal_url)
    result = CliRunner().invoke(main, ["projections", "rebuild", *map(str, where)], catch_exceptions=False)
    if result.exit_code:
        raise RuntimeError(result.output)


def _decoded(recorder: OpenedEvents) -> None:
    sequence = 0
    while rows := recorder.query(_READ, (sequence,)):
        for _, name, state in rows:
            _DECODERS[name].decode(state)
        sequence = rows[-1][0]
