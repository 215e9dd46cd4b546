"""Whose turn it is where several processes record in one stream again and again.

The store finds every conflict, with turns or without: they spare the processes to come in each other's way, and nobody waits for ever.
"""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

TURN = 0.05
"""Seconds that a process keeps its turn while commands of the stream wait in it: long beside what it costs to hand it on, and short for
those who wait elsewhere."""
_CONTESTED = 1.0  # seconds that a stream is recorded in by turns, after two conflicts in a row
_LONGEST = 2.0  # seconds that is waited for a turn: whoever has it may stand still
_WITHOUT = 10.0  # seconds in which none is asked for, after it was waited for in vain
_MANY = 1000  # streams that are remembered


class Turns:
    """Of one process, which has one at a time. ``take`` waits for that of a stream, so many seconds at most, and says whether it came;
    ``give`` hands it on, and waits for nothing. Used from one loop, by who holds the lock of the stream.
    """

    def __init__(self, take: Callable[[UUID, float], Awaitable[bool]], give: Callable[[], object]) -> None:
        self._take = take
        self._give = give
        self._one = asyncio.Lock()
        self._held: UUID | None = None
        self._ends_at = 0.0
        self._at_work = False
        """Whether a command of the stream whose turn it is is under way."""
        self._contested: dict[UUID, float] = {}
        """Until when turns are taken."""
        self._without_until = 0.0

    async def begin(self, stream: UUID) -> bool:
        """Before a command is decided: waits for the turn where others came first lately. Whether others may have had theirs since."""
        if self._held is not None and self._held == stream:
            self._at_work = True
            return False
        return bool(self._contested) and self._contested.get(stream, 0.0) > _now() and await self._taken(stream)

    async def after_conflict(self, stream: UUID) -> bool:
        """The second one in a row, or a further one. Whether the turn is here by now; if not, something else has to be waited for."""
        if len(self._contested) >= _MANY:
            self._contested = {one: until for one, until in self._contested.items() if until > _now()}
        self._contested[stream] = _now() + _CONTESTED
        return self._held == stream or await self._taken(stream)

    def end(self, stream: UUID, *, more: bool) -> None:
        """A command is through; ``more`` of the stream wait here."""
        if self._held is None or self._held != stream:
            return
        self._at_work = False
        if more and self._ends_at > _now():
            # Whoever waits here may wait for more than this stream, and for somebody who waits for a turn.
            asyncio.get_running_loop().call_at(self._ends_at, self._hand_on, self._ends_at)
        else:
            self._hand_on(self._ends_at)

    def _hand_on(self, ends_at: float) -> None:
        if self._held is not None and self._ends_at == ends_at and not self._at_work:
            self._held = None
            self._give()
            self._one.release()

    async def _taken(self, stream: UUID) -> bool:
        if self._without_until > _now():
            return False
        await self._one.acquire()
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


# The streams in which commands of this process are under way: one record of each, found once a command.


class HeldStream:
    """``lock``: held by whoever decides a command of the stream. ``folding``: by whoever folds it anew for readers, who may wait for a
    thread: no command waits for that. ``commands``: those that have the stream as their
    first one, the one at work included. ``storing``: events of it are on their way to the store, so that what is cached of it may be
    older than what lies there.
    """

    __slots__ = ("commands", "folding", "id", "lock", "storing", "users")

    def __init__(self, id: UUID) -> None:
        self.id = id
        self.lock = asyncio.Lock()
        self.folding = asyncio.Lock()
        self.users = 0
        self.commands = 0
        self.storing = False


class HeldStreams:
    """Used from one loop. Who holds a stream lets it go again, whatever happens; after the last one nothing is left of it."""

    def __init__(self) -> None:
        self._held: dict[UUID, HeldStream] = {}

    def __len__(self) -> int:
        return len(self._held)

    def __getitem__(self, id: UUID) -> HeldStream:
        """Raises KeyError where nobody holds it."""
        return self._held[id]

    def hold(self, id: UUID) -> HeldStream:
        held = self._held.setdefault(id, HeldStream(id))
        held.users += 1
        return held

    def let_go(self, held: HeldStream) -> None:
        held.users -= 1
        if not held.users:
            del self._held[held.id]

    def is_storing(self, id: UUID) -> bool:
        held = self._held.get(id)
        return held is not None and held.storing
