"""PostgreSQL database as one end of a store transfer, read with server-side cursors and written with COPY."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from time import monotonic, sleep
from typing import Any

import psycopg

from deploy.stores.postgres.append import LOCK
from deploy.stores.postgres.connections import connect, dialect
from deploy.stores.postgres.journal import place_of
from deploy.stores.statements import GrantError
from deploy.stores.store_transfer import EPOCHS, EVENTS, REGISTERS, End, Row, Table, TransferConflictError

_PATIENCE = 600.0  # seconds for a reply: a large register is sorted before its first row comes
_SETTINGS = (
    "SET statement_timeout = 0",
    "SET idle_in_transaction_session_timeout = 0",
    "SET lock_timeout = '5s'",
    # The mark that the source was left has to be durable before the target serves.
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
)
_FETCHED = 2000  # rows at a time
_TRANSFERS = 7_103_481_003  # an arbitrary number for an advisory lock: held while this database is filled
_GONE, _PAUSE = 2.0, 0.05  # seconds within which a server notices that a connection was closed, and between looks

_NAMES = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
_COLUMNS = """
SELECT attname::text, format_type(atttypid, NULL), array_position(indkey::int2[], attnum)
FROM pg_attribute LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped ORDER BY attname COLLATE "C"
"""
_SERVICES = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND application_name LIKE 'kiebitz-%' AND pid <> pg_backend_pid()
"""
_SEQUENCE = f"pg_get_serial_sequence('{EVENTS}', 'sequence')"
_OWNS = f"""
SELECT has_sequence_privilege({_SEQUENCE}, 'UPDATE'), current_user, pg_get_userbyid(relowner)
FROM pg_class WHERE oid = '{EVENTS}'::regclass
"""
_GO_ON = f"SELECT setval({_SEQUENCE}, max(sequence)) FROM {EVENTS} HAVING max(sequence) > 0"


class PostgresEnd(End):
    """Implementation of ``End`` for PostgreSQL."""

    def __init__(self, url: str) -> None:
        self._connection = connect(url, _PATIENCE)
        for setting in _SETTINGS:
            self._connection.execute(dialect(setting))
        self._columns = cache(self._columns_of)

    @property
    def place(self) -> str | None:
        return place_of(self._connection)

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        cursor = self._connection.execute(dialect(sql), values)
        return cursor.fetchall() if cursor.description else []

    def names(self) -> set[str]:
        return {name for (name,) in self.run(_NAMES)}

    def table(self, name: str) -> Table:
        columns = self._columns(name)
        key = sorted((place, column) for column, (_, place) in columns.items() if place is not None)
        return Table(name, tuple(columns), tuple(column for _, column in key))

    @contextmanager
    def rows(self, table: Table, after: int | None = None) -> Iterator[Iterator[Row]]:
        beyond, values = ("", ()) if after is None else ("WHERE sequence > ?", (after,))
        kinds = self._kinds(table.name)
        columns = ", ".join(f'uuid_send("{column}")' if kinds[column] == "uuid" else f'"{column}"' for column in table.columns)
        order = ", ".join(f'"{column}" COLLATE "C"' if kinds[column] == "text" else f'"{column}"' for column in table.key)
        with self._connection.cursor("rows", binary=True) as cursor:
            cursor.itersize = _FETCHED
            yield iter(cursor.execute(dialect(f"SELECT {columns} FROM {table.name} {beyond} ORDER BY {order}"), values))

    def append(self, table: Table, rows: Iterable[Row]) -> None:
        kinds = self._kinds(table.name)
        ids = tuple(place for place, column in enumerate(table.columns) if kinds[column] == "uuid")
        columns = ", ".join(f'"{column}"' for column in table.columns)
        with self._connection.cursor() as cursor, cursor.copy(dialect(f"COPY {table.name} ({columns}) FROM STDIN")) as copy:
            for row in rows:
                copy.write_row(_convert_ids(row, ids) if ids else row)

    def transaction(self) -> AbstractContextManager[object]:
        return self._connection.transaction()

    @contextmanager
    def lock(self) -> Iterator[None]:
        try:
            with _not_waiting_long():  # before the transaction, so that its snapshot includes what other holders appended
                self.run("SELECT pg_advisory_lock(?)", (LOCK,))
            with self.transaction():
                with _not_waiting_long():
                    self.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                    self.run(f"LOCK TABLE {', '.join(REGISTERS)} IN SHARE MODE")
                yield
        finally:
            self._wait_for_close()

    def leave(self, place: str) -> None:
        with _not_waiting_long():
            self.run(f"LOCK TABLE {EPOCHS} IN ACCESS EXCLUSIVE MODE")  # a process that begins to record reads this table first
        self.require_exclusive()
        super().leave(place)

    def require_exclusive(self) -> None:
        until = monotonic() + _GONE
        while self._services():
            if monotonic() > until:
                raise TransferConflictError
            # a service that was stopped just now may be listed until the server notices it
            sleep(_PAUSE)

    def _services(self) -> bool:
        self.run("SELECT pg_stat_clear_snapshot()")  # within a transaction, the activity is cached at its first read
        return self.run(_SERVICES) != [(0,)]

    def claim(self) -> None:
        [(may, role, owner)] = self.run(_OWNS)
        if not may:
            raise GrantError("transfer_not_owner", "transfer_as_owner", role=role, owner=owner)
        if self.run("SELECT pg_try_advisory_lock(?)", (_TRANSFERS,)) != [(True,)]:
            raise TransferConflictError

    def finish_filling(self) -> None:
        self.run(_GO_ON)
        self.run("ANALYZE")

    def close(self) -> None:
        self._wait_for_close()
        self._connection.close()

    def _wait_for_close(self) -> None:
        """Release the locks explicitly: a server may take a while to notice a closed connection, and hold its locks until then."""
        if not self._connection.closed:
            self.run("SELECT pg_advisory_unlock_all()")

    def _kinds(self, name: str) -> Mapping[str, str]:
        return {column: kind for column, (kind, _) in self._columns(name).items()}

    def _columns_of(self, name: str) -> dict[str, tuple[str, int | None]]:
        """Return for each column its type and its place in the primary key."""
        return {column: (kind, place) for column, kind, place in self.run(_COLUMNS, (name,))}


@contextmanager
def _not_waiting_long() -> Iterator[None]:
    try:
        yield
    except psycopg.errors.LockNotAvailable as error:
        raise TransferConflictError from error


def _convert_ids(row: Row, ids: Sequence[int]) -> list[Any]:
    """Return the row with ids in the hexadecimal form that the database reads."""
    spelled = list(row)
    for place in ids:
        spelled[place] = row[place].hex()
    return spelled
