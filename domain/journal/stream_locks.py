"""Stream leases between processes: several processes that record in the same stream take turns, a short lease each.

The store finds every conflict, with or without turns: turns only keep the processes from colliding, and no wait is unlimited.
"""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

TURN = 0.05
"""Seconds for which a process keeps its turn while commands of the stream wait in it: long compared with the cost of handing it on, and
short for those who wait elsewhere.
"""
_CONTESTED = 1.0  # seconds for which processes record by turns in a stream, after two conflicts in a row
_LONGEST = 2.0  # seconds to wait for a turn: the process that has it may be frozen
_WITHOUT = 10.0  # seconds without asking for a turn, after one did not come in time
_MANY = 1000  # streams that are remembered


class StreamLocks:
    """The turns of one process, which has one at a time. ``take`` waits for that of a stream, for at most so many seconds, and says whether
    it came; ``give`` hands it on, and waits for nothing. Used from one loop, by the holder of the lock of the stream.
    """

    def __init__(self, take: Callable[[UUID, float], Awaitable[bool]], give: Callable[[], object]) -> None:
        self._take = take
        self._give = give
        self._one = asyncio.Lock()
        self._held: UUID | None = None
        self._ends_at = 0.0
        self._at_work = False
        """True while a command of the stream that has the turn is in progress."""
        self._contested: dict[UUID, float] = {}
        """The time until which turns are taken, by stream."""
        self._without_until = 0.0

    async def begin(self, stream: UUID) -> bool:
        """Wait for the turn before a command is decided, if other processes came first lately. Return whether others may have recorded
        since.
        """
        if self._held is not None and self._held == stream:
            self._at_work = True
            return False
        return bool(self._contested) and self._contested.get(stream, 0.0) > _now() and await self._take_turn(stream)

    async def after_conflict(self, stream: UUID) -> bool:
        """Take the turn after a second or further conflict in a row. Return whether it is here; if not, the caller has to pause instead."""
        if len(self._contested) >= _MANY:
            self._contested = {one: until for one, until in self._contested.items() if until > _now()}
        self._contested[stream] = _now() + _CONTESTED
        return self._held == stream or await self._take_turn(stream)

    def end(self, stream: UUID, *, more: bool) -> None:
        """End a command; ``more`` of the stream wait here."""
        if self._held is None or self._held != stream:
            return
        self._at_work = False
        if more and self._ends_at > _now():
            # A command that waits here may also wait for other streams, or for a holder of another turn: so the turn ends by a timer.
            asyncio.get_running_loop().call_at(self._ends_at, self._hand_on, self._ends_at)
        else:
            self._hand_on(self._ends_at)

    def _hand_on(self, ends_at: float) -> None:
        if self._held is not None and self._ends_at == ends_at and not self._at_work:
            self._held = None
            self._give()
            self._one.release()

    async def _take_turn(self, stream: UUID) -> bool:
        if self._without_until > _now():
            return False
        await self._one.acquire()
        # ``_one`` stays locked while the turn is held; ``_hand_on`` releases it.
        came = False
        try:
            came = await self._take(stream, _LONGEST)
        finally:
            if not came:
                self._one.release()
        if came:
            self._held, self._ends_at, self._at_work = stream, _now() + TURN, True
        else:
            self._without_until = _now() + _WITHOUT
        return came


def _now() -> float:
    return asyncio.get_running_loop().time()


# The streams in which commands of this process are in progress: one record of each, looked up once a command.


class StreamLock:
    """A stream in use. ``lock``: held while a command of the stream is decided. ``folding``: held while it is folded again for readers, who
    may wait for a thread: no command waits for that. ``commands``: those that have the stream as their first one, the one at work included.
    ``storing``: events of it are on their way to the store, so that its cached state may be older than the stored one.
    """

    __slots__ = ("commands", "folding", "id", "lock", "storing", "users")

    def __init__(self, id: UUID) -> None:
        self.id = id
        self.lock = asyncio.Lock()
        self.folding = asyncio.Lock()
        self.users = 0
        self.commands = 0
        self.storing = False


class LockedStreams:
    """The streams in use. Used from one loop. Each holder releases a stream in any case; after the last one nothing is left of it."""

    def __init__(self) -> None:
        self._held: dict[UUID, StreamLock] = {}

    def __len__(self) -> int:
        return len(self._held)

    def __getitem__(self, id: UUID) -> StreamLock:
        """Return the held stream. Raises KeyError if it is not held."""
        return self._held[id]

    def acquire(self, id: UUID) -> StreamLock:
        held = self._held.setdefault(id, StreamLock(id))
        held.users += 1
        return held

    def release(self, held: StreamLock) -> None:
        held.users -= 1
        if not held.users:
            del self._held[held.id]

    def is_storing(self, id: UUID) -> bool:
        held = self._held.get(id)
        return held is not None and held.storing
