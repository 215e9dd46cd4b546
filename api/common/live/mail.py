"""What wakes somebody who follows."""

import asyncio
from collections.abc import Callable
from typing import Literal, TypeAlias

Reason: TypeAlias = Literal["gone", "told", "closed", "epoch", "away", "stopping"]
"""Why nothing more comes: he has gone himself, all that he asked for is told, he may not follow any more, another epoch of the store began,
the store does not answer, or the service stops.
"""


Push: TypeAlias = Callable[[bytes], bool]
"""Passes on a piece at once, if nothing is in the way of it, and says whether it did."""


class Mail:
    """Of one follower. Used from one loop. ``over`` says why nothing more comes, once that is so; the first reason stays.

    ``push`` passes on to him what nothing has to be waited for, where the server can do that.
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
        """Whether something came that is not taken yet."""
        return self._news.is_set()

    def wake(self) -> None:
        if self._at_once is None or self.over is not None or self._news.is_set() or not self._told(self._at_once):
            self._news.set()

    def end(self, reason: Reason) -> None:
        self.over = self.over or reason
        self.wake()

    async def wait(self, seconds: float, at_once: Callable[[], bool] | None = None) -> bool:
        """Whether something came since the last time, once it does; False when the time is up.

        ``at_once`` tries to tell it without waking who waits, and answers whether that was all; then the time begins anew. So many can be
        told in the time in which one is woken.
        """
        loop = asyncio.get_running_loop()
        self._heard, self._at_once = loop.time(), at_once
        try:
            while not await self._comes(self._heard + seconds - loop.time()):
                if self._heard + seconds <= loop.time():
                    return False
            return True
        finally:
            self._at_once = None

    async def _comes(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True

    def _told(self, at_once: Callable[[], bool]) -> bool:
        """What goes wrong here goes wrong again where he is woken, and there somebody knows what to do about it."""
        self._heard = asyncio.get_running_loop().time()
        try:
            return at_once()
        except Exception:
            return False
