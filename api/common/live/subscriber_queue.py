"""Mailbox of one follower: wakes its stream when there is news, and records why the stream ends."""

import asyncio
from collections.abc import Callable
from typing import Literal, TypeAlias

Reason: TypeAlias = Literal["gone", "told", "closed", "epoch", "away", "stopping"]
"""The reason why a stream ends: the client is gone, everything requested was sent, access ended, another epoch of the store began, the
store does not answer, or the service stops.
"""


Push: TypeAlias = Callable[[bytes], bool]
"""Passes on a piece at once if nothing is queued before it, and returns whether it did."""


class SubscriberQueue:
    """The mailbox of one follower. Used from one event loop. ``over`` is the reason for the end; the first reason stays.

    ``push`` sends a piece to the client without waiting, where the server supports that.
    """

    __slots__ = ("_at_once", "_heard", "_news", "over", "push")

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._at_once: Callable[[], bool] | None = None
        self._heard = 0.0
        self.over: Reason | None = None
        self.push: Push | None = None

    @property
    def has_news(self) -> bool:
        """True if there is news that the follower has not taken yet."""
        return self._news.is_set()

    def notify(self) -> None:
        """Send the news with ``at_once`` if the follower waits with one; otherwise wake the follower."""
        if self._at_once is None or self.over is not None or self._news.is_set() or not self._try_at_once(self._at_once):
            self._news.set()

    def end(self, reason: Reason) -> None:
        """End the stream with this reason, and wake the follower."""
        self.over = self.over or reason
        self.notify()

    async def wait(self, seconds: float, at_once: Callable[[], bool] | None = None) -> bool:
        """Wait for news. Return True when it comes, False after ``seconds``.

        ``at_once`` tries to send the news without waking the waiting task, and returns whether that was everything; then the time begins
        anew. That takes much less time for many followers than waking each task.
        """
        loop = asyncio.get_running_loop()
        self._heard, self._at_once = loop.time(), at_once
        try:
            while not await self._wait_for_news(self._heard + seconds - loop.time()):
                if self._heard + seconds <= loop.time():
                    return False
            return True
        finally:
            self._at_once = None

    async def _wait_for_news(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True

    def _try_at_once(self, at_once: Callable[[], bool]) -> bool:
        """Call ``at_once``. An error here is raised again, and handled, in the task that is woken then."""
        self._heard = asyncio.get_running_loop().time()
        try:
            return at_once()
        except Exception:
            return False
