"""The streams in which commands of this process are under way: one record of each, found once a command."""

import asyncio
from uuid import UUID


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
