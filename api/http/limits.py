"""How often a viewer may ask: a bucket of requests a principal, filled up steadily. One process counts for itself."""

import math
import time
from collections.abc import Callable

from api.http.errors import TooMany
from api.http.tokens import Principal
from api.services import Limits

_MOST = 10_000  # principals; beyond it all buckets start full again, which is cheaper than forgetting the oldest


class Buckets:
    """Only viewers are counted: a game at a table must not wait for a limit."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = limits.per_second
        self._burst = limits.burst
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, principal: Principal) -> None:
        """Raises ``TooMany``."""
        if self._rate is None or principal.sees_all:
            return
        now = self._clock()
        left, since = self._left.get(principal.id, (float(self._burst), now))
        left = min(float(self._burst), left + (now - since) * self._rate)
        if left < 1:
            raise TooMany(self._burst, max(1, math.ceil((1 - left) / self._rate)))
        if len(self._left) >= _MOST:
            self._left.clear()
        self._left[principal.id] = (left - 1, now)
