"""Failures of the register of looks: locked or missing tables."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg

from tests.deploy.stores.stores import sql_of


@contextmanager
def register_locked(url: str) -> Iterator[None]:
    """Block writes to the register, as a long transaction of another process would."""
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
    """Make writes to the register fail at once."""
    sql_of(store).change("ALTER TABLE looks RENAME TO looks_elsewhere")
    yield
    sql_of(store).change("ALTER TABLE looks_elsewhere RENAME TO looks")
