"""What wakes somebody who follows."""

import asyncio
from typing import Literal, TypeAlias

Reason: TypeAlias = Literal["gone", "told", "closed", "epoch", "away", "stopping"]
"""Why nothing more comes: he has gone himself, all that he asked for is told, he may not follow any more, another epoch of the store began,
the store does not answer, or the service stops.
"""


class Mail:
    """Of one follower. Used from one loop. ``over`` says why nothing more comes, once that is so; the first reason stays."""

    __slots__ = ("_news", "over")

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self.over: Reason | None = None

    def wake(self) -> None:
        self._news.set()

    def end(self, reason: Reason) -> None:
        self.over = self.over or reason
        self.wake()

    async def wait(self, seconds: float) -> bool:
        """Whether something came since the last time, once it does; False when the time is up."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True
