"""Turns of processes in a stream: an advisory lock for each stream, for which PostgreSQL lets them wait in order. A process that ends gives
it back with its connection; one that stands still is not waited for any longer than was said.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from uuid import UUID

import psycopg

from deploy.stores.postgres.connections import Connection

_CLASS = 0x6B696562  # "kieb": advisory locks of two numbers, which are apart from those of one
_TAKE = "SELECT set_config('lock_timeout', %s, false), pg_advisory_lock(%s, hashtext(%s))"
_GIVE = "SELECT pg_advisory_unlock_all()"
_MORE = 1.0  # seconds for an answer, beyond what is waited for the lock


class StreamTurns:
    """One at a time, by a connection of its own."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._connection: Connection | None = None
        self._thread = ThreadPoolExecutor(1, "turns")

    async def take(self, stream: UUID, patience: float) -> bool:
        taking = self._thread.submit(self._took, stream, patience)
        try:
            return await asyncio.wrap_future(taking)
        except asyncio.CancelledError:
            if not taking.cancel():
                taking.add_done_callback(self._give_back)
            raise

    def give(self) -> None:
        with suppress(RuntimeError):  # closed, and so given
            self._thread.submit(self._gave)

    def close(self) -> None:
        self._thread.shutdown()
        self._drop()

    def _give_back(self, taken: "Future[bool]") -> None:
        self.give()

    def _took(self, stream: UUID, patience: float) -> bool:
        try:
            connection = self._connection = self._connection or self._connect()
            connection.patience = patience + _MORE
            connection.execute(_TAKE, (f"{round(patience * 1000)}ms", _CLASS, str(stream)))
            return True
        except psycopg.errors.LockNotAvailable:
            return False
        except psycopg.Error:  # whoever records will find out what is wrong
            self._drop()
            return False

    def _gave(self) -> None:
        try:
            if self._connection is not None:
                self._connection.execute(_GIVE)
        except psycopg.Error:
            self._drop()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
