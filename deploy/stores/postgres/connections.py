"""Connection pool for a PostgreSQL server (14 or newer), and single connections outside of it.

A frozen server keeps its sockets open, and its kernel continues to acknowledge what is sent. Neither keepalives nor timeouts of TCP or of
the server end a wait for it. Therefore every wait for a reply has its own limit here.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from functools import lru_cache, partial
from threading import Lock
from time import monotonic
from typing import Any, TypeAlias

import psycopg
from msgspec import Struct
from psycopg.abc import RV, PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolTimeout

from deploy.stores.statements import ANSWER, LACKS_RIGHTS, first_line
from domain.journal.store import Pool

WAIT = 5.0  # seconds for a connection of the pool
_AGAIN = 0.25  # seconds until an unreachable server is tried again for a waiting caller
_PROBE = 2  # seconds for a new connection to a server that did not reply

_DEFAULTS: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "tcp_user_timeout": 10_000,
    "target_session_attrs": "primary",  # a standby may lack acknowledged events, and accepts no writes
}


class ReplyTimeoutError(psycopg.OperationalError):
    """Raised when no reply came in time. The request may have been carried out all the same."""


AnyConnection: TypeAlias = psycopg.Connection[TupleRow]


class Connection(AnyConnection):
    """Connection with ``patience``: the seconds it waits for each reply.

    After that it is closed, because a late reply would be taken for the reply to the next request.
    """

    patience = ANSWER

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        try:
            return super().wait(gen, interval, self.patience if timeout is None else timeout)
        except psycopg.errors._WaitTimeout:
            self.pgconn.finish()
            raise ReplyTimeoutError("the server does not answer") from None


class PostgresDatabase:
    """Pool of connections, safe to use from many threads.

    ``failure`` maps an error of the driver to one for the callers; it may return the error itself. ``answer``: seconds that a caller waits
    for each reply. Once the server has let a caller wait in vain, only one caller at a time asks it, and the others are refused at once,
    until it replies again (a circuit breaker). Otherwise they would use up all threads and connections. Parameters of the URL take
    precedence over the defaults here, and its search path chooses the schema.
    """

    def __init__(
        self,
        url: str,
        failure: Callable[[psycopg.Error], Exception],
        size: int,
        answer: float = ANSWER,
        configure: Callable[[Connection], None] | None = None,
        check: Callable[[Connection], None] | None = None,
    ) -> None:
        self._given = _connection_options(url)
        self._failure = failure
        self._answer = answer
        self._silent = False
        self._asking = Lock()
        self.pool = ConnectionPool(
            "",
            connection_class=Connection,
            kwargs=self._given,
            min_size=1,
            max_size=size,
            reconnect_timeout=0,  # a waiting caller triggers the next attempt, see ``_taken``; the pool's own pauses double
            configure=partial(self._prepare_connection, configure),
            check=check,
            open=True,
        )

    @contextmanager
    def connection(self, patience: float | None = None) -> Iterator[Connection]:
        """Lend a connection of the pool to one caller. ``patience``: seconds for each reply, other than usual."""
        with self.translate_errors(), self.acquire_connection(patience) as connection:
            yield connection

    @contextmanager
    def acquire_connection(self, patience: float | None = None) -> Iterator[Connection]:
        """Lend a connection, too, but raise the driver's errors."""
        with self._turn(patience or self._answer) as seconds, ExitStack() as stack:
            connection = self._take_connection(stack)
            connection.patience = seconds
            try:
                yield connection
            finally:
                connection.patience = self._answer

    def _take_connection(self, stack: ExitStack) -> Connection:
        """Return a connection of the pool; it is given back with the stack.

        Asking makes the pool try an unreachable server, so this asks again and again.
        """
        until = monotonic() + WAIT
        while True:
            try:
                return stack.enter_context(self.pool.connection(_AGAIN))
            except PoolTimeout:
                if monotonic() >= until:
                    raise

    @contextmanager
    def _turn(self, patience: float) -> Iterator[float]:
        # While the server is silent, one caller at a time probes it; the others fail without waiting.
        silent = self._silent
        if silent and not self._asking.acquire(blocking=False):
            raise ReplyTimeoutError("the server does not answer, and somebody is asking it already")
        try:
            yield self._answer if silent else patience
            self._silent = False
        except (ReplyTimeoutError, PoolTimeout):
            self._silent = not self._is_available()  # one slow statement is no reason to refuse others
            raise
        finally:
            if silent:
                self._asking.release()

    def _is_available(self) -> bool:
        try:
            # not by the pool: its connections may be those that hang
            given: dict[str, Any] = {**self._given, "connect_timeout": _PROBE}
            psycopg.connect(**given).close()
        except psycopg.Error:
            return False
        return True

    def _prepare_connection(self, configure: Callable[[Connection], None] | None, connection: Connection) -> None:
        connection.patience = self._answer
        if configure is not None:
            configure(connection)

    def numbers(self) -> Pool:
        found = self.pool.get_stats()
        return Pool(found["pool_size"], found["pool_available"], found["requests_waiting"])

    def connect(self, **more: str) -> Connection:
        """Open a connection outside the pool; the caller closes it. Raises the driver's errors."""
        given: dict[str, Any] = {**self._given, **more}
        return Connection.connect(**given)

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            found = self._failure(error)
            if found is error:
                raise
            raise found from error

    def close(self) -> None:
        self.pool.close()


def connect(url: str, patience: float) -> Connection:
    """Open a connection without a pool; the caller closes it. Raises the driver's errors."""
    connection = Connection.connect(**_connection_options(url))
    connection.patience = patience
    return connection


def _connection_options(url: str) -> dict[str, Any]:
    return _DEFAULTS | conninfo_to_dict(url) | {"autocommit": True}


def for_reading(url: str) -> str:
    """Return a URL of the same database with which the server refuses writes."""
    given = conninfo_to_dict(url)
    return make_conninfo("", **{**given, "options": f"{given.get('options') or ''} -c default_transaction_read_only=on".strip()})


@lru_cache
def dialect(sql: str) -> Any:
    """Return SQL with the driver's placeholders in place of question marks."""
    return sql.replace("%", "%%").replace("?", "%s")


def describe_missing_right(error: Exception) -> str:
    """Return the server's message about a missing right, and the remedy, in one line."""
    return f"{first_line(error)}. {LACKS_RIGHTS}"


def clock_skew(url: str, clock: Callable[[], datetime]) -> timedelta:
    """Return how far the server's clock is ahead of this one, to within half of the round-trip time."""
    with psycopg.connect(url, connect_timeout=5) as connection:
        before = clock()
        [row] = connection.execute("SELECT clock_timestamp()").fetchall()
        after = clock()
    there: datetime = row[0]
    return there - before - (after - before) / 2


def database_size(url: str) -> int:
    """Return the size of the database in bytes, with its indexes."""
    with psycopg.connect(url, connect_timeout=5) as connection:
        [row] = connection.execute("SELECT pg_database_size(current_database())").fetchall()
    size: int = row[0]
    return size


# Durability settings of a PostgreSQL server, as the account that asks sees them.


_WAIT = 5  # seconds
_SETTINGS = """
SELECT current_setting('fsync') = 'on', current_setting('full_page_writes') = 'on', current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names'), pg_is_in_recovery()
"""
_STANDBYS = "SELECT sync_state FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup'"


class PersistenceSettings(Struct, frozen=True):
    """Settings that decide what a power cut or the loss of the server costs.

    ``standby``: the server follows another one. ``standbys``: the ``sync_state`` of each server that follows it; ``None`` where the account
    may not see it.
    """

    fsync: bool
    full_page_writes: bool
    synchronous_commit: str
    synchronous_standby_names: str
    standby: bool
    standbys: tuple[str | None, ...]


def read_persistence_settings(url: str) -> PersistenceSettings:
    """Return the durability settings. Raises the driver's errors."""
    with psycopg.connect(url, connect_timeout=_WAIT) as connection:
        [(fsync, pages, commit, names, standby)] = connection.execute(_SETTINGS).fetchall()
        standbys = tuple(state for (state,) in connection.execute(_STANDBYS))
        return PersistenceSettings(fsync, pages, commit, names, standby, standbys)
