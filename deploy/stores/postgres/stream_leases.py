"""Fair per-stream queue of processes that record: an advisory lock for each stream, granted in order by PostgreSQL.

A process that ends releases its lock with its connection. A frozen one delays the others only for the given time.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from uuid import UUID

import psycopg

from deploy.stores.postgres.connections import Connection

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
