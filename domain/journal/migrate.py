"""Creates and updates the journal's tables. Run once, before a server or its workers start."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import psycopg
from yoyo import read_migrations
from yoyo.backends.core.postgresql import PostgresqlPsycopgBackend
from yoyo.backends.core.sqlite3 import SQLiteBackend

from domain.journal import sqlite

_SCRIPTS = Path(__file__).parent / "migrations"
_TABLE = "_yoyo_migration"
_LOCK = 7_103_481_002  # an arbitrary number for PostgreSQL's advisory lock, not the writers' one
_WAIT = 60.0  # seconds for another process that migrates


class Unmigrated(Exception):
    """The database lacks tables that this version needs."""


def migrate(url: str) -> list[str]:
    """Brings the tables up to date and names the scripts that were run. Of several processes one works and the others wait."""
    with _alone(url), _backend(url) as backend:
        backend.break_lock()  # left by a process that was killed: nobody else is at work here
        missing = backend.to_apply(read_migrations(str(_folder(url))))
        backend.apply_migrations(missing)
        return [migration.id for migration in missing]


def pending(url: str) -> list[str]:
    """The scripts that were not yet run on this database; all of them if there is none."""
    applied = _applied(url)
    return [name for name in sorted(path.stem for path in _folder(url).glob("*.sql")) if name not in applied]


def require_migrated(url: str) -> None:
    if missing := pending(url):
        raise Unmigrated(f"the database lacks {', '.join(missing)}: run kiebitz migrate")


def is_sqlite(url: str) -> bool:
    """Raises ValueError for a URL of neither database."""
    scheme = url.partition(":")[0]
    if scheme not in ("sqlite", "postgresql", "postgres"):
        raise ValueError(f"neither sqlite: nor postgresql: {scheme}:")
    return scheme == "sqlite"


def _folder(url: str) -> Path:
    return _SCRIPTS / ("sqlite" if is_sqlite(url) else "postgresql")


def _applied(url: str) -> set[str]:
    """Asked without the migrating library, which would create its own tables."""
    sql = f"SELECT migration_id FROM {_TABLE}"
    try:
        if is_sqlite(url):
            with closing(sqlite.connect(sqlite.path_of(url))) as file:
                return {name for (name,) in file.execute(sql)}
        with psycopg.connect(url, autocommit=True) as connection:
            return {name for (name,) in connection.execute(sql)}
    except psycopg.errors.UndefinedTable:
        return set()
    except sqlite3.OperationalError as error:
        if sqlite.path_of(url).exists() and "no such table" not in str(error):
            raise
        return set()


@contextmanager
def _alone(url: str) -> Iterator[None]:
    """Held for as long as the connection lives, so that a killed process leaves nothing behind, unlike the library's own lock."""
    if is_sqlite(url):
        path = sqlite.path_of(url)
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path.with_name(path.name + ".migrating"), isolation_level=None, timeout=_WAIT)) as file:
            file.execute("BEGIN EXCLUSIVE")
            yield
    else:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SELECT set_config('lock_timeout', %s, false)", (f"{_WAIT:.0f}s",))
            connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
            yield


class _Address(NamedTuple):
    """What the library wants to know of a database besides a connection."""

    url: str
    database: str


class _Anonymous:
    """The library's log would name the machine and its user, which is nobody's business and fails where the user has no name."""

    def get_log_data(self, migration: Any = None, operation: str = "apply") -> dict[str, Any]:
        ids = {"migration_id": migration and migration.id, "migration_hash": migration and migration.hash}
        when = datetime.now(UTC).replace(tzinfo=None)
        return {"id": str(uuid4()), **ids, "username": "", "hostname": "", "created_at_utc": when, "operation": operation}


class _Sqlite(_Anonymous, SQLiteBackend):  # type: ignore[misc]
    def connect(self, address: _Address) -> sqlite3.Connection:
        return sqlite.connect(sqlite.path_of(address.url), "rwc")


class _Postgres(_Anonymous, PostgresqlPsycopgBackend):  # type: ignore[misc]
    def connect(self, address: _Address) -> psycopg.Connection:
        return psycopg.connect(address.url, autocommit=True)


@contextmanager
def _backend(url: str) -> Iterator[Any]:
    """The library's own connecting is passed over: it knows fewer URLs than the drivers do."""
    backend = _Sqlite if is_sqlite(url) else _Postgres
    with backend(_Address(url, ""), _TABLE) as opened:
        opened.init_database()
        yield opened
