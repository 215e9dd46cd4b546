"""Connections to a PostgreSQL server (14 or newer): a pool for all in this process, and single ones for who needs one to himself.

A server that is frozen keeps its sockets open, and its kernel goes on to acknowledge what is sent: neither keepalives nor time limits
of TCP or of the server end a wait for it. So every wait for a reply has an end of its own, here.
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
_AGAIN = 0.25  # seconds until a server that is away is tried again for somebody who waits
_PROBE = 2  # seconds for a new connection to a server that left a question open

_DEFAULTS: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "tcp_user_timeout": 10_000,
    "target_session_attrs": "primary",  # a standby may lack what was acknowledged, and takes nothing
}


class Silent(psycopg.OperationalError):
    """No reply in time. What was asked may have been done all the same."""


AnyConnection: TypeAlias = psycopg.Connection[TupleRow]


class Connection(AnyConnection):
    """``patience``: how many seconds it waits for each reply. Then it is closed, because the late reply would be taken for that to
    the next question.
    """

    patience = ANSWER

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        try:
            return super().wait(gen, interval, self.patience if timeout is None else timeout)
        except psycopg.errors._WaitTimeout:
            self.pgconn.finish()
            raise Silent("the server does not answer") from None


class PostgresDatabase:
    """Safe to use from many threads. ``failure`` is what an error of the driver means to its users; it may be the error itself.

    ``answer``: seconds that a caller waits for each reply. Once a server has let one wait in vain, only one caller at a time asks it, and
    the others are refused at once, until it answers again: so that they do not take all threads and connections there are.
    Whatever the URL says counts more than what stands here, and its search path chooses the schema.
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
        self._given = _given(url)
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
            reconnect_timeout=0,  # who waits has it tried again, see ``_taken``; the pool's own pauses double
            configure=partial(self._prepared, configure),
            check=check,
            open=True,
        )

    @contextmanager
    def connection(self, patience: float | None = None) -> Iterator[Connection]:
        """One of the pool, that nobody else uses meanwhile. ``patience``: other seconds than usual for each reply."""
        with self.translated(), self.lent(patience) as connection:
            yield connection

    @contextmanager
    def lent(self, patience: float | None = None) -> Iterator[Connection]:
        """The same. Raises the driver's errors."""
        with self._turn(patience or self._answer) as seconds, ExitStack() as stack:
            connection = self._taken(stack)
            connection.patience = seconds
            try:
                yield connection
            finally:
                connection.patience = self._answer

    def _taken(self, stack: ExitStack) -> Connection:
        """One of the pool, given back with the stack. Who asks it has it try a server that is away, so he asks again and again."""
        until = monotonic() + WAIT
        while True:
            try:
                return stack.enter_context(self.pool.connection(_AGAIN))
            except PoolTimeout:
                if monotonic() >= until:
                    raise

    @contextmanager
    def _turn(self, patience: float) -> Iterator[float]:
        silent = self._silent
        if silent and not self._asking.acquire(blocking=False):
            raise Silent("the server does not answer, and somebody is asking it already")
        try:
            yield self._answer if silent else patience
            self._silent = False
        except (Silent, PoolTimeout):
            self._silent = not self._answers()  # one slow question is no reason to refuse others
            raise
        finally:
            if silent:
                self._asking.release()

    def _answers(self) -> bool:
        try:
            psycopg.connect(**{**self._given, "connect_timeout": _PROBE}).close()
        except psycopg.Error:
            return False
        return True

    def _prepared(self, configure: Callable[[Connection], None] | None, connection: Connection) -> None:
        connection.patience = self._answer
        if configure is not None:
            configure(connection)

    def numbers(self) -> Pool:
        found = self.pool.get_stats()
        return Pool(found["pool_size"], found["pool_available"], found["requests_waiting"])

    def connect(self, **more: str) -> Connection:
        """One apart from the pool, for the caller to close. Raises the driver's errors."""
        return Connection.connect(**{**self._given, **more})

    @contextmanager
    def translated(self) -> Iterator[None]:
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
    """One without a pool, for the caller to close. Raises the driver's errors."""
    connection = Connection.connect(**_given(url))
    connection.patience = patience
    return connection


def _given(url: str) -> dict[str, Any]:
    return _DEFAULTS | conninfo_to_dict(url) | {"autocommit": True}


def for_reading(url: str) -> str:
    """The same database, for who writes nothing: the server refuses it."""
    given = conninfo_to_dict(url)
    return make_conninfo("", **{**given, "options": f"{given.get('options') or ''} -c default_transaction_read_only=on".strip()})


@lru_cache
def dialect(sql: str) -> Any:
    """As the driver wants it: a parameter is not a question mark."""
    return sql.replace("%", "%%").replace("?", "%s")


def denied(error: Exception) -> str:
    """What the server said of a right that the account lacks, and what helps, in one line."""
    return f"{first_line(error)}. {LACKS_RIGHTS}"


def clock_skew(url: str, clock: Callable[[], datetime]) -> timedelta:
    """How far the server's clock is ahead of this one, to within half the time that the question takes."""
    with psycopg.connect(url, connect_timeout=5) as connection:
        before = clock()
        [(there,)] = connection.execute("SELECT clock_timestamp()").fetchall()
        after = clock()
    return there - before - (after - before) / 2  # type: ignore[no-any-return]


def database_size(url: str) -> int:
    """Bytes, with all that belongs to it."""
    with psycopg.connect(url, connect_timeout=5) as connection:
        [(size,)] = connection.execute("SELECT pg_database_size(current_database())").fetchall()
    return size  # type: ignore[no-any-return]


# What a PostgreSQL server is set to where power cuts and its own loss are concerned, as the account that asks gets it.


_WAIT = 5  # seconds
_SETTINGS = """
SELECT current_setting('fsync') = 'on', current_setting('full_page_writes') = 'on', current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names'), pg_is_in_recovery()
"""
_STANDBYS = "SELECT sync_state FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup'"


class Durability(Struct, frozen=True):
    """``standby``: the server follows another one. ``standbys``: how those that follow it are waited for, as it calls that; ``None`` where
    the account may not see it.
    """

    fsync: bool
    full_page_writes: bool
    synchronous_commit: str
    synchronous_standby_names: str
    standby: bool
    standbys: tuple[str | None, ...]


def durability(url: str) -> Durability:
    """Raises the driver's errors."""
    with psycopg.connect(url, connect_timeout=_WAIT) as connection:
        [(fsync, pages, commit, names, standby)] = connection.execute(_SETTINGS).fetchall()
        standbys = tuple(state for (state,) in connection.execute(_STANDBYS))
        return Durability(fsync, pages, commit, names, standby, standbys)
