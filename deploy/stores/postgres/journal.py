"""Event store in PostgreSQL: one writing connection per process, and a pool of reading ones.

All processes append one after another, by an advisory lock that is taken first in the transaction, so sequences rise in the order of the
commits. Unlike LOCK TABLE it does not block vacuum.
"""

import asyncio
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from os import dup
from threading import Event, Lock
from time import monotonic
from typing import Any
from uuid import UUID, uuid4

import psycopg
from msgspec import Struct
from psycopg import pq
from psycopg_pool import ConnectionPool

from deploy.stores.epochs import Session
from deploy.stores.events import SqlEventStore
from deploy.stores.postgres import append, pipelined_writer
from deploy.stores.postgres.connections import AnyConnection, Connection, PostgresDatabase, describe_missing_right, dialect
from deploy.stores.postgres.leases import StreamLeases
from deploy.stores.postgres.pipelined_writer import PipelinedWriter
from deploy.stores.statements import ANSWER, Step
from domain.journal.commits import Commit, CommitOutcome, OutcomeUnknownError, StoreUnavailableError
from domain.journal.epochs import Line
from domain.journal.registers import Duplicate
from domain.journal.store import PATIENCE, Pool, Told

_READERS = 10
_LEAST = 1.0  # seconds for a reply to the writer, however little of its time is left
_PAUSES = (0.0, 0.05, 0.1, 0.2, 0.5)  # before the attempts to reach a server that went away; the last for all further ones


_PLACE = """
SELECT concat_ws('/', system_identifier, oid, left(pg_walfile_name(pg_current_wal_lsn()), 8))
FROM pg_control_system(), pg_database WHERE datname = current_database()
"""


class _ServerUnavailableError(Exception):
    """Raised when the server cannot be reached or is read-only at present. This attempt stored nothing."""


class _Lost(Exception):
    """Raised when the connection broke. Whether this attempt was stored is unknown."""


class _Sent(Struct, eq=False):
    """A group under way, the loop that waits for its outcome, and the callback."""

    loop: asyncio.AbstractEventLoop
    commits: Sequence[Commit]
    line: Line
    told: Told


class PostgresEventStore(SqlEventStore):
    """Event store in PostgreSQL. ``answer``: seconds that a reader waits for each reply of the server."""

    def __init__(self, url: str, answer: float = ANSWER) -> None:
        super().__init__()
        # A connection may have died in the pool; checking it is cheaper than failing.
        self._database = PostgresDatabase(url, _failure, _READERS, answer, self._check_connection, ConnectionPool.check_connection)
        self._name = f"kiebitz-{uuid4().hex[:12]}"
        self._writer: Connection | None = None
        self._writing = Lock()
        self._courier: PipelinedWriter | None = None
        """Sends groups from the event loop over the writing connection."""
        self._sent: _Sent | None = None
        self._unsettled: Sequence[Commit] = ()
        """Group sent from the loop whose connection broke: whether it was stored is unknown."""
        self._objected: Sequence[Commit] = ()
        """Group sent from the loop that was refused because of an objection to a part of it."""
        self._closing = Event()
        self._turns = StreamLeases(lambda: self._database.connect(application_name=f"{self._name}-turns"))

    def pool(self) -> Pool:
        return self._database.numbers()

    def close(self) -> None:
        self._closing.set()
        self._turns.close()
        self._drop_sent()
        with self._writing:
            self._drop_writer()
        self._database.close()

    def commit_group(self, commits: Sequence[Commit], patience: float = PATIENCE) -> list[CommitOutcome]:
        self.require_usable()
        line = self.line
        self._drop_sent()
        with self._writing:
            outcomes = self._retry_commits(line, commits, monotonic() + patience)
        self.announce(line, commits, outcomes)
        return outcomes

    def commit_at_once(self, commits: Sequence[Commit]) -> list[CommitOutcome] | None:
        return None  # a round trip to the server always takes time

    def send_in_loop(self, commits: Sequence[Commit], patience: float, told: Told) -> bool:
        self.require_usable()
        # The lock stays held until the outcome comes: ``_receive_results`` or ``_drop_sent`` releases it.
        if not pipelined_writer.is_simple(commits) or not self._writing.acquire(blocking=False):
            return False
        sent = None
        try:
            if self._writer is not None and not self._writer.closed:
                courier = self._pipelined_writer(self._writer.pgconn)
                under_way = _Sent(courier.loop, commits, self.line, told)
                courier.send(commits, max(_LEAST, patience), partial(self._receive_results, under_way))
                sent = under_way
        except BaseException:
            self._drop_writer()
            raise
        finally:
            self._sent = sent
            if sent is None:
                self._writing.release()
        return sent is not None

    def _pipelined_writer(self, pgconn: pq.abc.PGconn) -> PipelinedWriter:
        courier, loop = self._courier, asyncio.get_running_loop()
        # one loop watches its socket; in another loop it has to begin anew
        if courier is None or courier.loop is not loop:
            self._close_pipelined_writer()
            courier = self._courier = PipelinedWriter(pgconn, loop)
        return courier

    def _receive_results(self, sent: _Sent, outcomes: list[CommitOutcome] | Exception | None) -> None:
        if self._sent is not sent:  # it was given up
            sent.told(None)
            return
        self._sent = None
        self._objected = sent.commits if outcomes is None else ()
        if isinstance(outcomes, Exception):
            self._drop_writer()
            if isinstance(outcomes, pipelined_writer.Broken):
                self._unsettled, outcomes = sent.commits, None
        self._writing.release()
        try:
            if isinstance(outcomes, list):
                self.announce(sent.line, sent.commits, outcomes)
        finally:
            sent.told(outcomes)

    def _drop_sent(self) -> None:
        """Release the writer if the loop that waited for its outcome has ended and will never receive it."""
        sent = self._sent
        if sent is not None and not sent.loop.is_running():
            self._sent, self._unsettled = None, sent.commits
            self._drop_writer()
            self._writing.release()

    async def take_turn(self, stream: UUID, patience: float) -> bool:
        return await self._turns.take(stream, patience)

    def release_turn(self) -> None:
        self._turns.release()

    def interrupt(self) -> None:
        # A frozen server does not even handle a cancel request. Only shutting down the socket wakes a waiting thread.
        writer = self._writer
        with suppress(psycopg.Error, OSError):
            if writer is not None:
                with socket.socket(fileno=dup(writer.fileno())) as line:
                    line.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def session(self) -> Iterator[Session]:
        with self._database.connection() as connection:
            yield _session(connection)

    def _check_connection(self, connection: Connection) -> None:
        """Check a new connection: it may lead to another server, and so to another copy of the store."""
        append.enable_sync_commit(connection)
        if self._line is not None:
            self.check_identity(_session(connection))

    def to_column(self, id: UUID) -> UUID:
        return id

    def from_column(self, value: UUID) -> UUID:
        return value

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._database.connection() as connection, connection.cursor(binary=True) as cursor:
            return cursor.execute(dialect(sql), parameters, prepare=True).fetchall()

    def change(self, sql: str, parameters: Sequence[Any] = (), *then: Step) -> int:
        with self._changing() as connection, connection.transaction() if then else nullcontext():
            touched = connection.execute(dialect(sql), parameters).rowcount
            for statement, values in then if touched else ():
                connection.execute(dialect(statement), values)
            return touched

    def change_together(self, *steps: Step) -> None:
        with self._changing() as connection, connection.transaction():
            for sql, parameters in steps:
                connection.execute(dialect(sql), parameters)

    def derive(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._database.connection() as connection, connection.transaction(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit = off")
            cursor.executemany(dialect(sql), rows)

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        self.require_usable()
        connection = None
        try:
            with self._database.connection() as connection:
                yield connection
        except StoreUnavailableError as error:
            if connection is not None and connection.closed:  # it broke during a statement, which may have been committed
                raise OutcomeUnknownError(str(error)) from error
            raise

    def _retry_commits(self, line: Line, commits: Sequence[Commit], until: float) -> list[CommitOutcome]:
        """Retry while the server is away, and resolve the outcome of an attempt whose connection broke.

        Raises ``OutcomeUnknownError`` or ``StoreUnavailableError`` when the time is up.
        """
        attempt, open_question = 0, commits is self._unsettled
        while True:
            try:
                return self._attempt(line, commits, open_question, until)
            except _Lost as error:
                open_question, reason = True, error
            except _ServerUnavailableError as error:
                reason = error
            pause = _PAUSES[min(attempt, len(_PAUSES) - 1)]
            attempt += 1
            if monotonic() + pause > until or self._closing.wait(pause):
                raise (OutcomeUnknownError if open_question else StoreUnavailableError)(str(reason)) from reason

    def _attempt(self, line: Line, commits: Sequence[Commit], open_question: bool, until: float) -> list[CommitOutcome]:
        with self._connect_writer(until) as connection:
            if self._line is not line:  # the commits were decided on the contents of another copy
                raise (OutcomeUnknownError if open_question else StoreUnavailableError)("the store began another epoch")
            if open_question:
                append.close_lost_connection(connection, self._name)
                return append.append_each(connection, commits, perhaps_stored=True)
            known = None if commits is self._objected else append.append_all(connection, commits)
            return known or append.leaving_out(connection, commits) or append.append_each(connection, commits)

    @contextmanager
    def _connect_writer(self, until: float) -> Iterator[Connection]:
        """Return the writing connection; sort its errors into those that leave the outcome unknown and those that do not."""
        connection = self._writer = self._writer or self._connect(until)
        connection.patience = max(_LEAST, until - monotonic())
        try:
            yield connection
        except (psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.LockNotAvailable) as error:
            self._drop_writer()  # after a failover the old address may lead to a standby: look again
            raise _ServerUnavailableError(str(error)) from error
        except psycopg.Error as error:
            if connection.closed:
                self._drop_writer()
                raise _Lost(str(error)) from error
            if isinstance(error, psycopg.OperationalError):
                raise StoreUnavailableError(str(error)) from error
            if isinstance(error, psycopg.errors.InsufficientPrivilege):
                raise StoreUnavailableError(describe_missing_right(error)) from error
            raise
        except BaseException:
            self._drop_writer()
            raise

    def _connect(self, until: float) -> Connection:
        if self._closing.is_set():
            raise StoreUnavailableError("the store is closed")
        try:
            connection = self._database.connect(application_name=self._name)
        except psycopg.OperationalError as error:
            raise _ServerUnavailableError(str(error)) from error
        # setting it up counts as time of the caller, too
        connection.patience = max(_LEAST, until - monotonic())
        try:
            append.prepare(connection)
            pipelined_writer.prepare(connection)
            self._check_connection(connection)
        except psycopg.Error as error:
            connection.close()
            raise _ServerUnavailableError(str(error)) from error
        return connection

    def _drop_writer(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()
        self._close_pipelined_writer()

    def _close_pipelined_writer(self) -> None:
        courier, self._courier = self._courier, None
        if courier is not None:
            courier.close()


def _session(connection: Connection) -> Session:
    def run(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        cursor = connection.execute(dialect(sql), values)
        return cursor.fetchall() if cursor.description else []

    return Session(run, lambda: append.exclusive_transaction(connection), place_of(connection))


def place_of(connection: AnyConnection) -> str | None:
    """Return an id of the cluster, its timeline and the database; ``None`` where the provider does not allow the query.

    The timeline changes when a standby is promoted or the log was replayed up to a moment.
    """
    try:
        [(place,)] = connection.execute(_PLACE).fetchall()
    except psycopg.Error:  # not every provider lets one ask
        return None
    return str(place)


def _failure(error: psycopg.Error) -> Exception:
    match error:
        case psycopg.OperationalError():  # also when the pool has no free connection in time
            return StoreUnavailableError(str(error))
        case psycopg.errors.InsufficientPrivilege():
            return StoreUnavailableError(describe_missing_right(error))
        case psycopg.IntegrityError():
            return Duplicate(str(error))
    return error
