"""Tells coroutines that something was recorded, by this process or another: one thread waits for all of them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_LOOK = 0.5  # seconds that the thread waits at a time: so long it may take until waiting requests end when the service stops


class ChangeSignal:
    """``wait(after, timeout)`` blocks until there is something newer than a sequence; ``head()`` is the newest. Used from one loop."""

    def __init__(self, wait: Callable[[int, float], bool], head: Callable[[], int]) -> None:
        self._wait = wait
        self._head = head
        self._latest = 0
        self._thread = ThreadPoolExecutor(1, "pulse")
        self._looking: asyncio.Future[None] | None = None
        self._stopped = False

    def stop(self) -> None:
        """Ends all waiting, so that open requests do not keep the service from stopping."""
        self._stopped = True

    async def beyond(self, sequence: int, timeout: float) -> bool:
        """True as soon as an event beyond the sequence is recorded, False when the time is up. Raises what the store raises."""
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        while self._latest <= sequence and not self._stopped and (left := end - loop.time()) > 0:
            if self._looking is None or self._looking.done():
                self._looking = loop.run_in_executor(self._thread, self._look)
            done, _ = await asyncio.wait([self._looking], timeout=left)
            for look in done:
                look.result()
        return self._latest > sequence

    def _look(self) -> None:
        if self._wait(self._latest, _LOOK):
            self._latest = self._head()
