"""Projections in an SQLite file. A rebuilding fills a database without a name, which is gone with its connection."""

import fcntl
import os
import re
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from domain.errors import Unavailable
from projections.engine.store import Beside, Busy, Params, Publication, Reads, Rebuilding, Row, Tx

_WRITER_WAITS = 1.0
_CREATES = re.compile(r"^CREATE (TABLE|INDEX|UNIQUE INDEX) ")


class SqliteStore:
    """Every process may project here: the file lets one in at a time, and each compares positions."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._idle: deque[sqlite3.Connection] = deque()
        self._closed = False
        with self._connection() as connection:
            connection.execute("PRAGMA journal_mode = WAL")

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        # A pool rather than one a thread: the server's threads come and go.
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = _connect(self._path)
            connection.execute("PRAGMA synchronous = NORMAL")
        try:
            with _answering():
                yield connection
        finally:
            connection.close() if self._closed else self._idle.append(connection)

    def query(self, sql: str, params: Params = ()) -> list[Row]:
        with self._connection() as connection:
            return connection.execute(sql, params).fetchall()

    @contextmanager
    def snapshot(self) -> Iterator[Reads]:
        with self._connection() as connection, _transaction(connection, "DEFERRED"):
            yield _SqliteTx(connection)

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[Tx]:
        with self._connection() as connection, _transaction(connection, "IMMEDIATE"):
            yield _SqliteTx(connection)

    @contextmanager
    def beside(self) -> Iterator[Beside]:
        with _locked(Path(self._path).parent), closing(_connect("", kept=0)) as connection:
            connection.execute("PRAGMA journal_mode = MEMORY")
            yield _SqliteBeside(connection, self._path)

    def lead(self) -> bool:
        return True

    def close(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.pop().close()


class _SqliteTx:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def query(self, sql: str, params: Params = ()) -> list[Row]:
        return self._connection.execute(sql, params).fetchall()

    def rows(self, sql: str) -> Iterator[Row]:
        return self._connection.execute(sql)

    def has(self, table: str, column: str | None = None) -> bool:
        if column is None:
            return bool(self.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)))
        return bool(self.query("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", (table, column)))

    def hold(self, sql: str, params: Params = (), *, wait: bool = False) -> list[Row]:
        return self.query(sql, params)

    def run(self, sql: str, params: Params = ()) -> None:
        self._connection.execute(sql, params)

    def run_many(self, sql: str, rows: Iterable[Params]) -> None:
        self._connection.executemany(sql, rows)


class _SqlitePublication(_SqliteTx):
    def publish(self, old: Iterable[str], new: Iterable[str]) -> None:
        for table in old:
            self.run(f"DROP TABLE IF EXISTS live.{table}")
        for table in new:
            # In the order in which they were made: a table before its indexes.
            for (sql,) in self.query("SELECT sql FROM main.sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY rowid", (table,)):
                self.run(_CREATES.sub(r"CREATE \1 live.", sql))
            self.run(f"INSERT INTO live.{table} SELECT * FROM main.{table}")


class _SqliteBeside:
    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self._path = path

    @contextmanager
    def transaction(self) -> Iterator[Tx]:
        with _answering(), _transaction(self._connection, "IMMEDIATE"):
            yield _SqliteTx(self._connection)

    @contextmanager
    def publication(self) -> Iterator[Publication]:
        self._connection.execute("ATTACH DATABASE ? AS live", (self._path,))
        try:
            with _answering(), _transaction(self._connection, "IMMEDIATE"):
                yield _SqlitePublication(self._connection)
        finally:
            self._connection.execute("DETACH DATABASE live")


def _connect(path: str, kept: int = 128) -> sqlite3.Connection:
    """``kept``: so many statements stay compiled. A BEGIN that was compiled before a file was attached would not begin there."""
    return sqlite3.connect(path, timeout=_WRITER_WAITS, isolation_level=None, check_same_thread=False, cached_statements=kept)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """The kernel's lock is gone with the process; a row in a table would outlive a kill, and a file of our own would belong to whichever
    account came first. The database file itself must not be opened and closed beside SQLite, which would lose its own locks.

    Raises ``Rebuilding``.
    """
    opened = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Rebuilding from None
        yield
    finally:
        os.close(opened)


@contextmanager
def _transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


@contextmanager
def _answering() -> Iterator[None]:
    """The database's own troubles (locked, full, gone) become ``Unavailable``; SQL that is wrong stays the fault of who wrote it."""
    try:
        yield
    except sqlite3.OperationalError as error:
        match error.sqlite_errorcode & 0xFF:
            case sqlite3.SQLITE_ERROR:
                raise
            case sqlite3.SQLITE_BUSY:
                raise Busy from error
        raise Unavailable(f"the database of the projections does not answer: {error}", unclear=False) from error
