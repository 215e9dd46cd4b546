"""How often somebody may be wrong when he signs in. Who is right is not counted, so that a whole hall may come from one address.

One process counts for itself.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

from api.http.errors import TooManyAttempts

_AT_ONCE = 4
"""So many attempts are judged at a time: so many more than allowed can be wrong."""
_MOST = 10_000  # addresses; beyond it all begin anew, and the bound of all together holds


class Allowance(NamedTuple):
    """So many wrong ones in a row, then so many a second."""

    burst: int
    per_second: float


OF_ADDRESS = Allowance(60, 1 / 6)
OF_ALL = Allowance(600, 1.0)
"""Of codes, from wherever they come. A token is too long to be guessed."""


class Bucket:
    """What is left of an allowance."""

    def __init__(self, allowance: Allowance, now: float) -> None:
        self._burst, self._rate = allowance
        self._left, self._since = float(self._burst), now

    def wait(self, now: float) -> int:
        """Seconds until one more may be wrong; 0 for now."""
        self._left, self._since = min(float(self._burst), self._left + (now - self._since) * self._rate), now
        return 0 if self._left >= 1 else max(1, math.ceil((1 - self._left) / self._rate))

    def take(self) -> None:
        self._left -= 1


class Attempts:
    """Used from one loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._addresses: dict[str, Bucket] = {}
        self._all = Bucket(OF_ALL, clock())
        self._judged = asyncio.Semaphore(_AT_ONCE)

    @asynccontextmanager
    async def judged(self, address: str, *, code: bool) -> AsyncIterator[Callable[[], None]]:
        """The context in which one is judged; it is told if he was wrong. Raises ``TooManyAttempts``."""
        async with self._judged:
            now = self._clock()
            if len(self._addresses) >= _MOST:
                self._addresses.clear()
            counted = [self._addresses.setdefault(address, Bucket(OF_ADDRESS, now)), *([self._all] if code else [])]
            if wait := max(bucket.wait(now) for bucket in counted):
                raise TooManyAttempts(wait)

            def wrong() -> None:
                for bucket in counted:
                    bucket.take()

            yield wrong
