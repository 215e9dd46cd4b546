"""SQLite part of ``deploy/stores/migrating.py``: lock and queries."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from yoyo.backends.core.sqlite3 import SQLiteBackend

from deploy.stores.sqlite.connections import connect, path_of
from deploy.stores.statements import Anonymous
from deploy.system.private import private_file, private_folder

_GUARDS = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'events' AND name LIKE 'events_are_not_%'"
_WAIT = 60.0  # seconds for another process that migrates


class Backend(Anonymous, SQLiteBackend):
    def connect(self, dburi: Any) -> sqlite3.Connection:
        return connect(path_of(dburi.url), "rwc")


def rows(url: str, *selects: str) -> list[list[tuple[Any, ...]]]:
    """Return the rows of each SELECT; none for a missing table or database."""
    path = path_of(url)
    try:
        with closing(connect(path)) as file:
            return [_rows(file, select) for select in selects]
    except sqlite3.OperationalError:
        if path.exists():
            raise
        return [[] for _ in selects]


def _rows(file: sqlite3.Connection, select: str) -> list[tuple[Any, ...]]:
    try:
        return file.execute(select).fetchall()
    except sqlite3.OperationalError as error:
        # SQLite has one error for many causes: only its text tells a missing table
        if "no such table" not in str(error):
            raise
        return []


def run(url: str, sql: str, values: Sequence[object]) -> None:
    with closing(connect(path_of(url))) as file:
        file.execute(sql, values)


def has(url: str, table: str) -> bool:
    [names] = rows(url, "SELECT name FROM sqlite_schema WHERE type = 'table'")
    return (table,) in names


def grant_serving_role(url: str, role: str | None) -> list[str]:
    """Return no roles: any account that may open the file may change it. Raises ``ValueError`` for a role."""
    if role:
        raise ValueError("an SQLite file has no roles")
    return []


def has_guards(url: str) -> bool:
    """Return whether our triggers keep events from being changed, removed and replaced."""
    with closing(connect(path_of(url))) as file:
        return bool(file.execute(_GUARDS).fetchone() == (3,))


@contextmanager
def migration_lock(url: str) -> Iterator[None]:
    """Hold a lock for as long as the connection lives, so that a killed process leaves nothing behind, unlike the library's own lock."""
    path = path_of(url)
    lock = path.with_name(path.name + ".migrating")
    private_folder(path.parent)
    private_file(lock)
    with closing(sqlite3.connect(lock, isolation_level=None, timeout=_WAIT)) as file:
        file.execute("BEGIN EXCLUSIVE")
        yield
