"""A register of looks that takes nothing, as it may happen."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg

from tests.deploy.stores.stores import sql_of


@contextmanager
def register_locked(url: str) -> Iterator[None]:
    """Whoever writes into it waits, as if another process were in the middle of a long transaction."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite://"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
    else:
        with psycopg.connect(url) as other:
            other.execute("LOCK TABLE looks IN EXCLUSIVE MODE")
            yield


@contextmanager
def register_gone(store: object) -> Iterator[None]:
    """Whoever writes into it fails at once."""
    sql_of(store).change("ALTER TABLE looks RENAME TO looks_elsewhere")
    yield
    sql_of(store).change("ALTER TABLE looks_elsewhere RENAME TO looks")
