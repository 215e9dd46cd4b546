"""Whether anybody signs the log, as it looks to who does not keep it."""

import time
from collections.abc import Callable

from replay.proof.log import Head, LogTree

_PATIENCE = 30.0  # seconds that something may lie unsigned


class Signing:
    """Asked now and then. ``newest``: the newest sequence of the store."""

    def __init__(self, tree: LogTree, newest: Callable[[], int], clock: Callable[[], float] = time.monotonic) -> None:
        self._tree = tree
        self._newest = newest
        self._clock = clock
        self._behind_since: float | None = None

    def behind(self) -> float:
        """For how many seconds something lies unsigned, since somebody first asked; 0 where all is signed."""
        return self._behind(self._tree.head())

    def _behind(self, head: Head | None) -> float:
        newest = self._newest()
        if newest == 0 or (head is not None and head.sequence >= newest and head.signed == head.size):
            self._behind_since = None
            return 0.0
        now = self._clock()
        self._behind_since = now if self._behind_since is None else self._behind_since
        return now - self._behind_since

    def failure(self) -> str | None:
        """What its keeper says; or that nothing is heard of one."""
        head = self._tree.head()
        if head is not None and head.failure is not None:
            return head.failure
        return "Unsigned: nobody signs with the key of the log" if self._behind(head) > _PATIENCE else None
