"""Leases between processes in PostgreSQL: one of them projects, by the server's clock, and those that record in a stream take turns."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from uuid import UUID, uuid4

import psycopg

from deploy.stores.postgres.connections import AnyConnection, Connection
from projections.engine.store import Busy

_LEASE = "5 seconds"
_RENEWED = 1.5  # seconds after which the leader renews its lease

_TABLES = 0x6B69_6562_0002  # an advisory lock, "kieb" and a number: held while tables are changed
_CREATE = """
CREATE TABLE IF NOT EXISTS projector (one boolean PRIMARY KEY DEFAULT true CHECK (one), holder text NOT NULL, until timestamptz NOT NULL)
"""
_FIRST = "INSERT INTO projector (holder, until) VALUES ('', '-infinity') ON CONFLICT DO NOTHING"
_ASK = f"""
UPDATE projector SET holder = %(me)s, until = clock_timestamp() + interval '{_LEASE}'
WHERE one = (SELECT one FROM projector WHERE holder = %(me)s OR until < clock_timestamp() FOR UPDATE SKIP LOCKED)
"""
_FOUND = "SELECT holder, until < clock_timestamp() FROM projector"
_END = f"""
SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
WHERE datname = current_database() AND application_name = %s AND state <> 'idle' AND wait_event = 'ClientRead'
AND state_change < clock_timestamp() - interval '{_LEASE}' AND pg_has_role(usesysid, 'USAGE')
"""
_HOLD = "SELECT FROM projector WHERE holder = %s FOR SHARE"
_GIVE_BACK = "UPDATE projector SET until = '-infinity' WHERE holder = %s"


class Lease:
    """Lease of one process, used by one thread at a time. Call ``ask`` often: a lease that is not renewed in time goes to the next process.

    ``holder``: a name for this process. A process that takes the name of a certainly dead one need not wait for its lease to expire.
    """

    def __init__(self, holder: str | None = None) -> None:
        self._me = f"kiebitz-{holder or uuid4().hex[:12]}"
        self._asked_at: float | None = None
        """Time of the last renewal, on the monotonic clock of this process; ``None`` while another process leads."""
        self._there = False

    @property
    def is_given(self) -> bool:
        return self._asked_at is not None

    def mark(self, connection: AnyConnection) -> None:
        """Name the connection after this process, so that a successor can terminate it if the process freezes."""
        connection.execute("SELECT set_config('application_name', %s, false)", (self._me,))

    @property
    def lasts(self) -> bool:
        """Return whether the lease need not be renewed yet."""
        return self._asked_at is not None and monotonic() - self._asked_at < _RENEWED

    def ask(self, connection: AnyConnection) -> bool:
        """Acquire or renew the lease; return whether this process leads for the next seconds."""
        now = monotonic()  # read before the query: the lease begins then at the earliest
        self._asked_at = now if self._is_given(connection) else None
        return self.is_given

    def lock_lease(self, connection: AnyConnection) -> None:
        """Keep the lease until the end of the transaction. Raises ``Busy`` if another process has it by now."""
        if connection.execute(_HOLD, (self._me,)).rowcount != 1:
            self._asked_at = None
            raise Busy

    def release(self, connection: AnyConnection) -> None:
        """Release the lease, so that the next process need not wait."""
        connection.execute(_GIVE_BACK, (self._me,))

    def _is_given(self, connection: AnyConnection) -> bool:
        if not self._there:
            _create(connection)
            self._there = True
        [(holder, over)] = connection.execute(_FOUND).fetchall()
        if over and holder != self._me:
            # The old leader may be frozen within a transaction whose locks would block this one.
            connection.execute(_END, (holder,))
        return connection.execute(_ASK, {"me": self._me}).rowcount == 1


def _create(connection: AnyConnection) -> None:
    with connection.transaction():
        lock_tables(connection)
        connection.execute(_CREATE)
        connection.execute(_FIRST)


def lock_tables(connection: AnyConnection) -> None:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_TABLES,))


# Fair per-stream queue of processes that record: an advisory lock for each stream, granted in order by PostgreSQL.


_CLASS = 0x6B696562  # "kieb": advisory locks with two numbers, a separate space from those with one
_TAKE = "SELECT set_config('lock_timeout', %s, false), pg_advisory_lock(%s, hashtext(%s))"
_GIVE = "SELECT pg_advisory_unlock_all()"
_MORE = 1.0  # seconds for an answer, beyond what is waited for the lock


class StreamLeases:
    """Turns of this process, one at a time, over a separate connection."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._connection: Connection | None = None
        self._thread = ThreadPoolExecutor(1, "turns")

    async def take(self, stream: UUID, patience: float) -> bool:
        """Wait at most ``patience`` seconds for a turn in the stream; return whether it was granted."""
        taking = self._thread.submit(self._acquire, stream, patience)
        try:
            return await asyncio.wrap_future(taking)
        except asyncio.CancelledError:
            if not taking.cancel():
                taking.add_done_callback(self._release_turn)
            raise

    def release(self) -> None:
        with suppress(RuntimeError):  # closed, and so released
            self._thread.submit(self._release)

    def close(self) -> None:
        self._thread.shutdown()
        self._drop()

    def _release_turn(self, taken: "Future[bool]") -> None:
        self.release()

    def _acquire(self, stream: UUID, patience: float) -> bool:
        try:
            connection = self._connection = self._connection or self._connect()
            connection.patience = patience + _MORE
            connection.execute(_TAKE, (f"{round(patience * 1000)}ms", _CLASS, str(stream)))
            return True
        except psycopg.errors.LockNotAvailable:
            return False
        except psycopg.Error:  # the append that follows will report the error
            self._drop()
            return False

    def _release(self) -> None:
        try:
            if self._connection is not None:
                # if that fails, the end of the connection releases the lock
                self._connection.execute(_GIVE)
        except psycopg.Error:
            self._drop()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
