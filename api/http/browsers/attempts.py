"""Login throttling: limit failed sign-in attempts per address and in total.

Successful ones are not counted, so that a whole hall may sign in from one address. One process counts for itself.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

from api.http.errors import TooManyAttempts

_AT_ONCE = 4
"""Attempts that are checked at the same time. At most so many more than allowed can fail."""
_MOST = 10_000  # addresses; beyond it all counts start again, and the limit of all together remains


class AttemptQuota(NamedTuple):
    """The failed attempts allowed in a row, then per second."""

    burst: int
    per_second: float


OF_ADDRESS = AttemptQuota(60, 1 / 6)
OF_ALL = AttemptQuota(600, 1.0)
"""The allowance for codes from all addresses together. A token is too long to be guessed."""


class Bucket:
    """A token bucket: the rest of an allowance."""

    def __init__(self, allowance: AttemptQuota, now: float) -> None:
        self._burst, self._rate = allowance
        self._left, self._since = float(self._burst), now

    def wait(self, now: float) -> int:
        """Return the seconds until one more attempt may fail; 0 for now."""
        self._left, self._since = min(float(self._burst), self._left + (now - self._since) * self._rate), now
        return 0 if self._left >= 1 else max(1, math.ceil((1 - self._left) / self._rate))

    def take(self) -> None:
        self._left -= 1


class LoginThrottle:
    """Counts of failed attempts. Used from one event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._addresses: dict[str, Bucket] = {}
        self._all = Bucket(OF_ALL, clock())
        self._judged = asyncio.Semaphore(_AT_ONCE)

    @asynccontextmanager
    async def check(self, address: str, *, code: bool) -> AsyncIterator[Callable[[], None]]:
        """Return the context in which one attempt is checked; call the yielded function if it failed. Raises ``TooManyAttempts``."""
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
