"""Projection tables in PostgreSQL. A rebuild fills a separate schema, from which whole tables are moved."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress

import psycopg
from psycopg_pool import PoolTimeout

from deploy.stores.postgres.connections import Connection, PostgresDatabase, ReplyTimeoutError, describe_missing_right, dialect
from deploy.stores.postgres.leases import Lease, lock_tables
from deploy.stores.postgres.roles import set_serving_role
from deploy.stores.statements import ANSWER
from domain.errors import Unavailable
from domain.journal.store import Pool
from projections.engine.store import KEPT, Busy, Params, Publication, Reads, Rebuilding, RebuildTables, Row, Transaction, unavailable_error

_CONNECTIONS = 12
_REPETITIONS = 3  # of a read: the pool opens so many connections at once, and each may have died before it was lent
_SHADOW = 0x6B69_6562_0003  # an advisory lock, "kieb" and a number: held during a rebuild
_STANDSTILL = "5s"
"""Maximum idle time of a transaction: after that its process counts as frozen, and the server releases its locks."""
_TABLES_WAIT = "1s"
_PATIENCE, _READERS_WAIT = "5s", "200ms"
"""Lock timeouts of a publication: in general, and for locks behind which new readers queue up. The latter is shorter than the server's
deadlock timeout.
"""


class PostgresProjections:
    """Projection store in PostgreSQL. One process leads; the others stand by until it no longer renews its lease."""

    def __init__(self, url: str, answer: float = ANSWER, holder: str | None = None) -> None:
        self._lease = Lease(holder)
        self._database = PostgresDatabase(url, _failure, _CONNECTIONS, answer, configure=self._configure)

    def query(self, sql: str, params: Params = ()) -> list[Row]:
        with self._database.translate_errors():
            for _ in range(_REPETITIONS):
                try:
                    return self._query(sql, params)
                except (ReplyTimeoutError, PoolTimeout):
                    raise
                except psycopg.OperationalError:
                    # Connections that died while idle fail at their next use; a read can be repeated on new ones.
                    self._database.pool.drain()
            return self._query(sql, params)

    def _query(self, sql: str, params: Params) -> list[Row]:
        with self._database.acquire_connection() as connection:
            return connection.execute(dialect(sql), params).fetchall()

    @contextmanager
    def snapshot(self) -> Iterator[Reads]:
        with self._database.connection() as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield _PostgresTransaction(connection)

    @contextmanager
    def transaction(self, *, alone: bool = False, leading: bool = False) -> Iterator[Transaction]:
        with self._database.connection(ANSWER) as connection, connection.transaction():
            connection.execute(f"SET LOCAL idle_in_transaction_session_timeout = '{_STANDSTILL}'")
            if alone:
                connection.execute(f"SET LOCAL lock_timeout = '{_TABLES_WAIT}'")
                lock_tables(connection)
            if leading:
                self._lease.lock_lease(connection)
            yield _PostgresTransaction(connection)

    @contextmanager
    def open_rebuild_tables(self) -> Iterator[RebuildTables]:
        with self._database.translate_errors(), closing(self._database.connect()) as connection:
            _prepare_connection(connection)
            if not _try_lock(connection, _SHADOW):
                raise Rebuilding
            tables = _PostgresRebuildTables(connection)
            tables.create()
            try:
                yield tables
            finally:
                if not connection.broken:
                    tables.clear()
                    _unlock(connection, _SHADOW)

    def lead(self) -> bool:
        """Return whether this process leads. Leading only saves work for the others; comparing positions prevents double writes."""
        if self._lease.lasts:
            return True
        with self._database.connection() as connection:
            return self._lease.ask(connection)

    def pool(self) -> Pool:
        return self._database.numbers()

    def close(self) -> None:
        if self._lease.is_given:
            # Also where nothing may be written any more: the lease ends by itself, and whoever closes must not fail.
            with suppress(Unavailable, psycopg.Error), self._database.connection() as connection:
                self._lease.release(connection)
        self._database.close()

    def _configure(self, connection: Connection) -> None:
        _prepare_connection(connection)
        self._lease.mark(connection)


class _PostgresTransaction:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def query(self, sql: str, params: Params = ()) -> list[Row]:
        return self._connection.execute(dialect(sql), params).fetchall()

    def rows(self, sql: str) -> Iterator[Row]:
        with self._connection.cursor("rows") as cursor:
            cursor.itersize = 2000
            yield from cursor.execute(dialect(sql))

    def has(self, table: str, column: str | None = None) -> bool:
        if column is None:
            return self.query("SELECT to_regclass(?) IS NOT NULL", (table,)) == [(True,)]
        return bool(self.query("SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass(?) AND attname = ?", (table, column)))

    def lock_rows(self, sql: str, params: Params = (), *, wait: bool = False) -> list[Row]:
        return self.query(f"{sql} FOR UPDATE {'' if wait else 'SKIP LOCKED'}", params)

    def run(self, sql: str, params: Params = ()) -> None:
        self._connection.execute(dialect(sql), params)

    def run_many(self, sql: str, rows: Iterable[Params]) -> None:
        if some := list(rows):  # an empty list, too, would cost a round trip
            self._connection.cursor().executemany(dialect(sql), some)

    def add(self, table: str, columns: str, rows: Sequence[Params]) -> None:
        if not rows:
            return
        with self._connection.cursor().copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(row)

    def rename_old_tables(self, tables: Iterable[str]) -> None:
        [(schema,)] = self.query("SELECT current_schema()")
        _rename_tables(self, schema, tables)


def _rename_tables(tx: _PostgresTransaction, schema: str, tables: Iterable[str]) -> None:
    """Rename the tables and their indexes, whose names would be taken otherwise."""
    for table in tables:
        if tx.query("SELECT 1 FROM pg_tables WHERE schemaname = ? AND tablename = ?", (schema, table)):
            tx.run(f'DROP TABLE IF EXISTS "{schema}".{KEPT}{table}')
            for (index,) in tx.query("SELECT indexname FROM pg_indexes WHERE schemaname = ? AND tablename = ?", (schema, table)):
                tx.run(f'ALTER INDEX "{schema}".{index} RENAME TO {KEPT}{index}')
            tx.run(f'ALTER TABLE "{schema}".{table} RENAME TO {KEPT}{table}')


class _PostgresPublication(_PostgresTransaction):
    def __init__(self, connection: Connection, live: str, shadow: str) -> None:
        super().__init__(connection)
        self._live = live
        self._shadow = shadow

    def publish(self, old: Iterable[str], new: Iterable[str]) -> None:
        self.run(f"SET LOCAL lock_timeout = '{_READERS_WAIT}'")
        _rename_tables(self, self._live, old)
        for table in new:
            self.run(f'ALTER TABLE "{self._shadow}".{table} SET SCHEMA "{self._live}"')


class _PostgresRebuildTables:
    """Schema in which a rebuild creates its tables. It is named after that of the store."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        [(self._live, self._path)] = connection.execute("SELECT current_schema(), current_setting('search_path')").fetchall()
        self.schema = f"{self._live}_rebuild"

    def create(self) -> None:
        """Create the schema, in place of one that a killed rebuild left behind. Raises ``Unavailable`` if this account may not."""
        self.clear()
        try:
            self._connection.execute(f'CREATE SCHEMA "{self.schema}"'.encode())
        except psycopg.errors.InsufficientPrivilege as error:
            raise Unavailable(
                "rebuilding needs a schema of its own, and this account may not create one: GRANT CREATE ON DATABASE … TO …", unclear=False
            ) from error

    def clear(self) -> None:
        self._connection.execute(f'DROP SCHEMA IF EXISTS "{self.schema}" CASCADE'.encode())

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with self._use_search_path(f'"{self.schema}"'):
            yield _PostgresTransaction(self._connection)

    @contextmanager
    def publication(self) -> Iterator[Publication]:
        with self._use_search_path(f'"{self.schema}", {self._path}'), _not_waiting():
            self._connection.execute(f"SET LOCAL lock_timeout = '{_PATIENCE}'")
            self._connection.execute(f"SET LOCAL idle_in_transaction_session_timeout = '{_STANDSTILL}'")
            lock_tables(self._connection)
            yield _PostgresPublication(self._connection, self._live, self.schema)

    @contextmanager
    def _use_search_path(self, path: str) -> Iterator[None]:
        with self._connection.transaction():
            self._connection.execute(f"SET LOCAL search_path TO {path}".encode())
            yield


def _failure(error: psycopg.Error) -> Exception:
    match error:
        case psycopg.errors.LockNotAvailable():
            return Busy()
        case psycopg.OperationalError():
            return unavailable_error(error)
        case psycopg.errors.InsufficientPrivilege():
            return unavailable_error(describe_missing_right(error))
    return error


@contextmanager
def _not_waiting() -> Iterator[None]:
    try:
        yield
    except psycopg.errors.LockNotAvailable as error:
        raise Busy from error


def _try_lock(connection: Connection, lock: int) -> bool:
    return connection.execute("SELECT pg_try_advisory_lock(%s)", (lock,)).fetchone() == (True,)


def _unlock(connection: Connection, lock: int) -> None:
    """Release the lock explicitly: a server may take a while to notice a closed connection, and hold its locks until then."""
    connection.execute("SELECT pg_advisory_unlock(%s)", (lock,))


def _prepare_connection(connection: Connection) -> None:
    connection.execute("SET synchronous_commit = off")
    set_serving_role(connection)
