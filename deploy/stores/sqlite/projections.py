"""Projection tables in an SQLite file. A rebuild fills a temporary database, which disappears with its connection."""

import fcntl
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from deploy.stores.sqlite.connections import DERIVED, SqliteDatabase
from projections.engine import store

_WRITER_WAITS = 1.0
_CREATES = re.compile(r"^CREATE (TABLE|INDEX|UNIQUE INDEX) ")


class SqliteProjections:
    """Projection store in an SQLite file. Every process may project: the file admits one writer at a time, and each compares positions."""

    def __init__(self, path: Path, pragmas: Sequence[str] = (), *, create: bool = True) -> None:
        """Open the file. Without ``create`` a missing file counts as one without tables."""
        mode = "rwc" if create else "rw" if path.exists() else "memory"
        self._database = SqliteDatabase(path, _failure, mode, (*DERIVED, *pragmas), _WRITER_WAITS)

    def query(self, sql: str, params: store.Params = ()) -> list[store.Row]:
        return self._database.query(sql, params)

    @contextmanager
    def snapshot(self) -> Iterator[store.Reads]:
        with self._database.connection() as connection:
            # one read transaction: all queries in it see the same state
            connection.execute("BEGIN")
            yield _SqliteTransaction(connection)
            connection.execute("COMMIT")

    @contextmanager
    def transaction(self, *, alone: bool = False, leading: bool = False) -> Iterator[store.Transaction]:
        with self._database.transaction() as connection:
            yield _SqliteTransaction(connection)

    @contextmanager
    def open_rebuild_tables(self) -> Iterator[store.RebuildTables]:
        with _lock_folder(self._database.path.parent), closing(_open_temporary_database()) as connection:
            # a temporary database: after a crash it is made anew, not repaired
            connection.execute("PRAGMA journal_mode = MEMORY")
            yield _SqliteRebuildTables(connection, self._database)

    def lead(self) -> bool:
        return True

    def close(self) -> None:
        self._database.close()


class _SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def query(self, sql: str, params: store.Params = ()) -> list[store.Row]:
        return self._connection.execute(sql, params).fetchall()

    def rows(self, sql: str) -> Iterator[store.Row]:
        return self._connection.execute(sql)

    def has(self, table: str, column: str | None = None) -> bool:
        if column is None:
            return bool(self.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)))
        return bool(self.query("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", (table, column)))

    def lock_rows(self, sql: str, params: store.Params = (), *, wait: bool = False) -> list[store.Row]:
        return self.query(sql, params)

    def run(self, sql: str, params: store.Params = ()) -> None:
        self._connection.execute(sql, params)

    def run_many(self, sql: str, rows: Iterable[store.Params]) -> None:
        if rows:  # most statements of a step have nothing to do
            self._connection.executemany(sql, rows)

    def add(self, table: str, columns: str, rows: Sequence[store.Params]) -> None:
        places = store.placeholders(columns.count(",") + 1)
        self._connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)

    def rename_old_tables(self, tables: Iterable[str]) -> None:
        _rename_tables(self, "main", tables)


def _rename_tables(tx: _SqliteTransaction, schema: str, tables: Iterable[str]) -> None:
    """Rename the tables and drop their indexes, whose names would be taken otherwise."""
    for table in tables:
        parts = tx.query(f"SELECT type, name FROM {schema}.sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL", (table,))
        for kind, name in parts:
            if kind == "index":
                tx.run(f"DROP INDEX {schema}.{name}")
        if parts:
            tx.run(f"DROP TABLE IF EXISTS {schema}.{store.KEPT}{table}")
            tx.run(f"ALTER TABLE {schema}.{table} RENAME TO {store.KEPT}{table}")


class _SqlitePublication(_SqliteTransaction):
    def publish(self, old: Iterable[str], new: Iterable[str]) -> None:
        _rename_tables(self, "live", old)
        for table in new:
            # In the order of their creation: a table before its indexes.
            for (sql,) in self.query("SELECT sql FROM main.sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY rowid", (table,)):
                self.run(_CREATES.sub(r"CREATE \1 live.", sql))
            self.run(f"INSERT INTO live.{table} SELECT * FROM main.{table}")


class _SqliteRebuildTables:
    def __init__(self, connection: sqlite3.Connection, database: SqliteDatabase) -> None:
        self._connection = connection
        self._database = database

    @contextmanager
    def transaction(self) -> Iterator[store.Transaction]:
        with self._database.translate_errors(), _transaction(self._connection):
            yield _SqliteTransaction(self._connection)

    @contextmanager
    def publication(self) -> Iterator[store.Publication]:
        with self._database.translate_errors():
            self._database.require_in_place()
        self._connection.execute("ATTACH DATABASE ? AS live", (str(self._database.path),))
        try:
            with self._database.translate_errors(), _transaction(self._connection):
                yield _SqlitePublication(self._connection)
        finally:
            self._connection.execute("DETACH DATABASE live")


def _open_temporary_database() -> sqlite3.Connection:
    # No statement cache: a BEGIN that was compiled before a file was attached would not apply to it.
    return sqlite3.connect("", timeout=_WRITER_WAITS, isolation_level=None, check_same_thread=False, cached_statements=0)


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Lock the folder. Raises ``Rebuilding`` if another process holds the lock.

    The kernel releases the lock with the process. A row in a table would outlive a kill, and a lock file would belong to whichever account
    created it. The database file itself must not be opened and closed beside SQLite, which would lose its own locks.
    """
    opened = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise store.Rebuilding from None
        yield
    finally:
        os.close(opened)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    # IMMEDIATE takes the lock before the first read; a deferred transaction could fail at its first write
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _failure(error: sqlite3.Error) -> Exception:
    """Map the database's own errors: locked, full, gone. Invalid SQL stays an error of the programmer."""
    if not isinstance(error, sqlite3.OperationalError):
        return error
    match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF:
        case sqlite3.SQLITE_ERROR:
            return error
        case sqlite3.SQLITE_BUSY:
            return store.Busy()
    return store.unavailable_error(error)
