"""Backoff and deadlines: random growing pauses before a command is decided again (``growing_pauses``), and time limits of awaited answers
(``Deadlines``).
"""

import asyncio
from collections.abc import Callable, Iterator
from random import random
from time import monotonic
from types import TracebackType
from typing import Any

TICK = 0.05
"""Seconds by which an operation may exceed its deadline."""
_FIRST = 0.002  # seconds
_LONGEST = 0.1


def growing_pauses(chance: Callable[[], float] = random) -> Iterator[float]:
    """Yield pauses in seconds, without end. They are random, so that two processes that collided once do not collide again and again;
    ``chance`` returns a number from 0 to 1.
    """
    longest = _FIRST
    while True:
        yield chance() * longest
        longest = min(2 * longest, _LONGEST)


class Deadlines:
    """Deadlines with one timer for all of them. ``asyncio.timeout`` takes a timer for each, and another one whenever the time is changed.
    Used from one loop.
    """

    def __init__(self) -> None:
        self._held = set[Deadline]()
        self._loop: asyncio.AbstractEventLoop | None = None

    def add(self, deadline: "Deadline", loop: asyncio.AbstractEventLoop) -> None:
        self._held.add(deadline)
        if self._loop is not loop:
            self._loop = loop
            loop.call_later(TICK, self._check_deadlines, loop)

    def remove(self, deadline: "Deadline") -> None:
        self._held.discard(deadline)

    def _check_deadlines(self, loop: asyncio.AbstractEventLoop) -> None:
        now = monotonic()
        # a list of its own: ``pass_by`` takes deadlines out of the set
        for deadline in [one for one in self._held if one.at is not None and one.at <= now]:
            deadline.pass_by()
        if self._held:
            loop.call_later(TICK, self._check_deadlines, loop)
        elif self._loop is loop:
            # nothing is left to watch: the next ``add`` starts the timer again
            self._loop = None


class Deadline:
    """A deadline, as a context: an await in it is cancelled once the time has come, and ``TimeoutError`` raised. ``at`` is by
    ``time.monotonic``, ``None`` while it is not known; it may be changed.
    """

    is_past = False
    _task: asyncio.Task[Any] | None = None

    def __init__(self, deadlines: Deadlines, at: float | None) -> None:
        self.at = at
        self._deadlines = deadlines

    def __enter__(self) -> "Deadline":
        loop = asyncio.get_running_loop()
        self._task = task = asyncio.current_task(loop)
        assert task is not None
        # by this a cancellation from outside is told from that of this deadline
        self._cancelled_before = task.cancelling()
        self._deadlines.add(self, loop)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        assert self._task is not None
        self._deadlines.remove(self)
        # Only a cancellation by this deadline becomes a TimeoutError. One from outside has to go on as a cancellation.
        if self.is_past and self._task.uncancel() <= self._cancelled_before and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def pass_by(self) -> None:
        assert self._task is not None
        # out of the set: the timer must not cancel the task twice
        self._deadlines.remove(self)
        self.is_past = True
        self._task.cancel()
