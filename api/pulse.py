"""How coroutines learn that something was recorded, by this process or another: one thread looks, however many wait."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_LOOK = 1.0  # seconds of one look, which nobody may be waiting for any more when it ends


class Pulse:
    """``wait(after, timeout)`` blocks until there is something newer than a sequence; ``head()`` is the newest. Used from one loop."""

    def __init__(self, wait: Callable[[int, float], bool], head: Callable[[], int]) -> None:
        self._wait = wait
        self._head = head
        self._latest = 0
        self._thread = ThreadPoolExecutor(1, "pulse")
        self._looking: asyncio.Future[None] | None = None

    async def beyond(self, sequence: int, timeout: float) -> bool:
        """True as soon as an event beyond the sequence is recorded, False when the time is up. Raises what the store raises."""
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        while self._latest <= sequence and (left := end - loop.time()) > 0:
            if self._looking is None or self._looking.done():
                self._looking = loop.run_in_executor(self._thread, self._look)
            done, _ = await asyncio.wait([self._looking], timeout=left)
            for look in done:
                look.result()
        return self._latest > sequence

    def _look(self) -> None:
        if self._wait(self._latest, _LOOK):
            self._latest = self._head()
