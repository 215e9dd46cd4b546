"""The log of what stops the projector, such as a database that is away: it is tried again often and reported seldom."""

import logging
from collections.abc import Callable

from domain.errors import Worded

_LOG = logging.getLogger("kiebitz.projections")
_REMIND = 60.0  # seconds between two lines about the same failure


class FailureLog:
    """Not for several threads at once. Each kind of error is logged once, then a line a minute, and one at the end. The first time with
    its traceback, unless the error says in words what is the matter.
    """

    def __init__(self, clock: Callable[[], float], who: str = "the projector") -> None:
        self._who = who
        self.error: str | None = None
        self._clock = clock
        self._known: set[str] = set()
        self._reported_at = 0.0

    def record(self, error: Exception) -> None:
        # Known by the names of their classes: when a database is away, journal and projections raise different errors in turn.
        kind, now = type(error).__name__, self._clock()
        self.error = f"{kind}: {error}"
        if kind not in self._known:
            self._begin(error)
        elif now - self._reported_at >= _REMIND:
            _LOG.error("%s still cannot go on: %s", self._who, self.error.partition("\n")[0])
        else:
            return
        self._known.add(kind)
        self._reported_at = now

    def _begin(self, error: Exception) -> None:
        if isinstance(error, Worded):
            _LOG.error("%s cannot go on for now, and tries again: %s", self._who, self.error)
        else:
            _LOG.error("%s cannot go on for now, and tries again", self._who, exc_info=error)

    def clear(self) -> None:
        if self.error is not None:
            _LOG.warning("%s goes on", self._who)
        self.error = None
        self._known.clear()
