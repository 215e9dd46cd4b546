"""The projections' own database: SQLite or PostgreSQL behind one small door. No other module here knows which.

SQL is written once, with ``?`` for parameters. What lies in this database is derived from the events, so a commit need not reach
the disk at once: rows and position go together, and what a power cut takes is projected again.
"""

import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import Any, Protocol, TypeAlias

import psycopg
from psycopg_pool import ConnectionPool

from domain.errors import Unavailable

Row: TypeAlias = tuple[Any, ...]
Params: TypeAlias = Sequence[Any]

_SQLITE = "sqlite:///"
_WRITER_WAITS = 1.0
_READER_WAITS = 5.0
_CONNECTIONS = 12
_LEADER, _TABLES = 0x6B69_6562_0001, 0x6B69_6562_0002


class Busy(Unavailable):
    """Somebody else is writing; nothing was done, and it may be tried again."""

    def __init__(self) -> None:
        super().__init__("the database of the projections is being written to", unclear=False)


class Tx(Protocol):
    """A transaction that writes."""

    def query(self, sql: str, params: Params = ()) -> list[Row]: ...

    def hold(self, sql: str, params: Params = (), *, wait: bool = False) -> list[Row]:
        """A query that keeps its rows from other writers until the end. Rows that they hold are left out, or waited for."""

    def run(self, sql: str, params: Params = ()) -> None: ...

    def run_many(self, sql: str, rows: Iterable[Params]) -> None: ...


class Store(Protocol):
    """Safe to use from many threads. Raises ``Unavailable`` where the database does not answer."""

    def query(self, sql: str, params: Params = ()) -> list[Row]:
        """Reads what was committed last; never waits for a writer."""

    def transaction(self, *, alone: bool = False) -> AbstractContextManager[Tx]:
        """All or nothing. ``alone``: no other process changes tables meanwhile. Raises ``Busy``."""

    def lead(self) -> bool:
        """Whether this process is the one that projects. Once it is, it stays so until it ends or loses its connection."""

    def close(self) -> None: ...


def open_store(url: str) -> Store:
    """``sqlite:///`` with a path (a file of its own, not that of the events), or ``postgresql://…``."""
    return SqliteStore(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else PostgresStore(url)


def marks(count: int) -> str:
    """Placeholders for ``IN (…)``."""
    return ", ".join("?" * count)


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
            connection = sqlite3.connect(self._path, timeout=_WRITER_WAITS, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA synchronous = NORMAL")
        try:
            yield connection
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise Busy from error
            raise Unavailable(f"the database of the projections does not answer: {error}", unclear=False) from error
        finally:
            connection.close() if self._closed else self._idle.append(connection)

    def query(self, sql: str, params: Params = ()) -> list[Row]:
        with self._connection() as connection:
            return connection.execute(sql, params).fetchall()

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[Tx]:
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield _SqliteTx(connection)
                connection.execute("COMMIT")
            except BaseException:
                connection.execute("ROLLBACK")
                raise

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

    def hold(self, sql: str, params: Params = (), *, wait: bool = False) -> list[Row]:
        return self.query(sql, params)

    def run(self, sql: str, params: Params = ()) -> None:
        self._connection.execute(sql, params)

    def run_many(self, sql: str, rows: Iterable[Params]) -> None:
        self._connection.executemany(sql, rows)


class PostgresStore:
    """One process leads; the others stand by until the leader's connection is gone."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._pool = ConnectionPool(
            url, kwargs={"autocommit": True}, min_size=1, max_size=_CONNECTIONS, timeout=_READER_WAITS, configure=_hurry, open=True
        )
        self._leader: psycopg.Connection | None = None

    def query(self, sql: str, params: Params = ()) -> list[Row]:
        try:
            return self._query(sql, params)
        except psycopg.OperationalError:
            # Connections that died while idle say so at their next use; a read may simply be asked again.
            with _answering():
                self._pool.check()
                return self._query(sql, params)

    def _query(self, sql: str, params: Params) -> list[Row]:
        with self._pool.connection() as connection:
            return connection.execute(_dialect(sql), params).fetchall()

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[Tx]:
        with _answering(), self._pool.connection() as connection, connection.transaction():
            if alone:
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_TABLES,))
            yield _PostgresTx(connection)

    def lead(self) -> bool:
        """The lock spares the others the work; that nothing is written twice is ensured by comparing positions."""
        with _answering():
            if self._leader is None:
                self._leader = self._elected()
            elif not _alive(self._leader):
                self._leader = None
            return self._leader is not None

    def _elected(self) -> psycopg.Connection | None:
        connection = psycopg.connect(self._url, autocommit=True)
        if connection.execute("SELECT pg_try_advisory_lock(%s)", (_LEADER,)).fetchone() == (True,):
            return connection
        connection.close()
        return None

    def close(self) -> None:
        if self._leader is not None:
            self._leader.close()
        self._pool.close()


class _PostgresTx:
    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def query(self, sql: str, params: Params = ()) -> list[Row]:
        return self._connection.execute(_dialect(sql), params).fetchall()

    def hold(self, sql: str, params: Params = (), *, wait: bool = False) -> list[Row]:
        return self.query(f"{sql} FOR UPDATE {'' if wait else 'SKIP LOCKED'}", params)

    def run(self, sql: str, params: Params = ()) -> None:
        self._connection.execute(_dialect(sql), params)

    def run_many(self, sql: str, rows: Iterable[Params]) -> None:
        self._connection.cursor().executemany(_dialect(sql), rows)


@lru_cache
def _dialect(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")


@contextmanager
def _answering() -> Iterator[None]:
    try:
        yield
    except psycopg.OperationalError as error:
        raise Unavailable(f"the database of the projections does not answer: {error}", unclear=False) from error


def _alive(connection: psycopg.Connection) -> bool:
    try:
        connection.execute("SELECT 1")
    except psycopg.OperationalError:
        connection.close()
        return False
    return True


def _hurry(connection: psycopg.Connection) -> None:
    connection.execute("SET synchronous_commit = off")
