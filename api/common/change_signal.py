"""Tells coroutines that something was recorded, by this process or another: one thread waits for all of them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_LOOK = 0.5  # seconds that the thread waits at a time: so long it may take until waiting requests end when the service stops


class ChangeSignal:
    """``wait(after, timeout)`` blocks until there is something newer than a sequence; ``head()`` is the newest, ``epoch()`` the present
    epoch. Used from one loop.
    """

    def __init__(self, wait: Callable[[int, float], bool], head: Callable[[], int], epoch: Callable[[], str] = lambda: "") -> None:
        self._wait = wait
        self._head = head
        self._epoch = epoch
        self._of_epoch = ""
        self._latest = 0
        self._thread = ThreadPoolExecutor(1, "pulse")
        self._looking: asyncio.Future[None] | None = None
        self._stopped = False

    def stop(self) -> None:
        """Ends all waiting, so that open requests do not keep the service from stopping."""
        self._stopped = True

    async def beyond(self, sequence: int, timeout: float) -> bool:
        """True as soon as an event beyond the sequence is recorded, False when the time is up, or when another epoch begins.

        Raises what the store raises.
        """
        loop = asyncio.get_running_loop()
        end, epoch = loop.time() + timeout, self._enter_epoch()
        while self._latest <= sequence and not self._stopped and (left := end - loop.time()) > 0:
            if self._looking is None or self._looking.done():
                self._looking = loop.run_in_executor(self._thread, self._look)
                self._looking.add_done_callback(_heard)
            done, _ = await asyncio.wait([self._looking], timeout=left)
            for look in done:
                look.result()
            if self._enter_epoch() != epoch:
                return False
        return self._latest > sequence

    def _enter_epoch(self) -> str:
        """Sequences of another epoch say nothing in this one."""
        if self._of_epoch != self._epoch():
            self._of_epoch, self._latest = self._epoch(), 0
        return self._of_epoch

    def _look(self) -> None:
        if self._wait(self._latest, _LOOK):
            self._latest = self._head()


def _heard(look: asyncio.Future[None]) -> None:
    """Where all who waited are gone, nobody is left to hear what went wrong."""
    if not look.cancelled():
        look.exception()
