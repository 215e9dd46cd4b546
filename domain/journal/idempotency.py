"""Idempotency of commands: a repeated key gets the receipt of the first command, also while that one is still in progress."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from domain.errors import KeyConflictError, RequestPendingError
from domain.events import A, AggregateType
from domain.journal.archive import Archive
from domain.journal.commits import Call, Key, Receipt, StoredCommand


class Repeats:
    """Finds repeated commands. ``patience``: seconds that a command waits for another one under its key in this process. Commands in
    progress in another process are found by the store, when the second of them is to be appended (``DuplicateKeyError``).
    """

    def __init__(self, archive: Archive, patience: float) -> None:
        self._archive = archive
        self._patience = patience
        # Weak values: a lock goes once no command uses it.
        self._under_way: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()

    @property
    def pending_key_count(self) -> int:
        """The number of keys under which a command is in progress here."""
        return len(self._under_way)

    @asynccontextmanager
    async def one_at_a_time(self, call: Call) -> AsyncIterator[None]:
        """Hold the call's key: until the context ends, no other command is decided under it here. Raises ``RequestPendingError``."""
        if call.key is None:
            yield
            return
        lock = self._under_way.setdefault((call.by, call.key), asyncio.Lock())
        if lock.locked():
            await self._take(lock, call.key)
        else:
            await lock.acquire()
        try:
            yield
        finally:
            lock.release()

    async def _take(self, lock: asyncio.Lock, key: str) -> None:
        try:
            async with asyncio.timeout(self._patience):
                await lock.acquire()
        except TimeoutError:
            # the first request still runs: the client asks again, and then gets its receipt
            raise RequestPendingError(key) from None

    async def receipt(self, kind: AggregateType[A], call: Call) -> Receipt[A] | None:
        """Return what was recorded under the call's key; ``None`` if nothing was. Raises ``KeyConflictError``."""
        if call.key is None:
            return None
        command = await asyncio.to_thread(self._archive.store.find_command, call.by, call.key)
        if command is None:
            return None
        if not (command.first and call.is_like(command.fingerprint)):
            raise KeyConflictError(call.key)
        return await asyncio.to_thread(self._rebuild_receipt, kind, command)

    def _rebuild_receipt(self, kind: AggregateType[A], command: StoredCommand) -> Receipt[A]:
        """Rebuild the first receipt from the events: the same key gives the same one for as long as the register keeps it."""
        start = self._archive.snapshots.last(command.game, upto=command.first - 1)
        known, begun = (start, start.position) if isinstance(start, kind.type) else (None, 0)
        history = self._archive.history(command.game, begun, command.last - begun)
        earlier, repeated = history[: command.first - 1 - begun], tuple(history[command.first - 1 - begun :])
        before = kind.project(known, earlier)
        after = kind.project(before, repeated)
        assert after is not None
        return Receipt(before, repeated, after, command.sequence, True)
