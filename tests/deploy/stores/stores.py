"""Shared helpers of the store tests."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from uuid import UUID

import psycopg

from deploy.stores.opening import OpenedEvents
from deploy.stores.postgres.append import LOCK
from deploy.stores.postgres.journal import PostgresEventStore
from deploy.stores.statements import Statements
from domain.journal.commits import CommandKey, Commit, CommitOutcome, StoredEvent, Text
from tests.deploy.serving import until


def event(game: UUID, version: int, state: bytes = b"{}") -> StoredEvent:
    return StoredEvent(game, version, "move.played/1", state)


def commit(game: UUID, *versions: int, state: bytes = b"{}", key: str | None = None, text: str | None = None) -> Commit:
    command = CommandKey("anna", key, "digest") if key else None
    return Commit(tuple(event(game, version, state) for version in versions), command, (Text(text, "words"),) if text else ())


def told(outcomes: list[CommitOutcome]) -> list[tuple[int, ...] | str]:
    """Outcomes as values: an error is named."""
    return [outcome if isinstance(outcome, tuple) else type(outcome).__name__ for outcome in outcomes]


def stored(events: OpenedEvents) -> list[tuple[int, UUID, int]]:
    """Everything in the store: sequence, game, version."""
    return [(sequence, event.stream, event.position) for sequence, event in events.events_after(0, 1_000_000)]


def open_connected(url: str) -> PostgresEventStore:
    """Open a store whose pool is connected. If it is asked before, the pool greets once more behind it, and a line cuts that in place of
    an append.
    """
    store = PostgresEventStore(url)
    until(lambda: store.pool().idle)
    return store


@contextmanager
def writing_stopped(url: str) -> Iterator[None]:
    """As if another process were in the middle of a long transaction."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite://"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
    else:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
            yield


def sql_of(store: object) -> Statements:
    """For tests that reach below the ports: as if somebody had changed the database by hand."""
    assert isinstance(store, Statements)
    return store
