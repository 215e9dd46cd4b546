"""Whether anybody signs the log, as it looks to who does not keep it."""

import time
from collections.abc import Callable

from replay.proof.log import LogTree

_PATIENCE = 30.0  # seconds that something may lie unsigned


class Signing:
    """Asked now and then. ``newest``: the newest sequence of the store."""

    def __init__(self, tree: LogTree, newest: Callable[[], int], clock: Callable[[], float] = time.monotonic) -> None:
        self._tree = tree
        self._newest = newest
        self._clock = clock
        self._behind_since: float | None = None

    def failure(self) -> str | None:
        head = self._tree.head()
        if head is not None and head.sequence >= self._newest() and head.signed == head.size:
            self._behind_since = None
            return None
        if self._behind_since is None:
            self._behind_since = self._clock()
        behind = self._clock() - self._behind_since > _PATIENCE
        return "Unsigned: nobody signs with the key of the log" if behind else None
