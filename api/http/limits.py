"""How often a viewer may ask: a bucket of requests a principal, filled up steadily; and how many long answers are under way at a time.

One process counts for itself.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Literal, cast

from api.http.errors import Crowded, TooMany
from api.http.request import Request
from api.http.tokens import Principal
from api.services import Bound, Limits

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


class Places:
    """Places for answers that last, officials' among them: each holds memory for as long as somebody reads. Used from one loop."""

    def __init__(self, what: Literal["streams", "exports"], bound: Bound) -> None:
        self._what = what
        self._bound = bound
        self._taken = Counter[str]()

    @contextmanager
    def taken(self, principal: Principal) -> Iterator[None]:
        """A place for as long as the context lasts. Raises ``Crowded``."""
        if self._taken[principal.id] >= self._bound.each:
            raise Crowded(self._what, self._bound.each, own=True)
        if self._taken.total() >= self._bound.most:
            raise Crowded(self._what, self._bound.most, own=False)
        self._taken[principal.id] += 1
        try:
            yield
        finally:
            self._taken[principal.id] -= 1
            self._taken += Counter()  # drops who has none


def stream_place(request: Request) -> AbstractContextManager[None]:
    """A place among the streams for the caller of this request, taken when the context begins. Raises ``Crowded`` then."""
    return cast(Places, request.app.state["streams"]).taken(request.user)
