"""Notification of new events, recorded by this or another process: one thread waits on the store for all coroutines."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_LOOK = 0.5  # seconds that the thread waits at a time; when the service stops, waiting requests end within this time


class ChangeSignal:
    """A signal that events were recorded.

    ``wait(after, timeout)`` blocks until there is an event beyond a sequence; ``head()`` returns the newest sequence, ``epoch()`` the
    current epoch. Used from one event loop.
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
        """End all waiting, so that open requests do not keep the service from stopping."""
        self._stopped = True

    async def wait_past(self, sequence: int, timeout: float) -> bool:
        """Return True as soon as an event beyond the sequence is recorded; False on timeout, or when another epoch begins.

        ``timeout`` is in seconds. Raises what the store raises.
        """
        loop = asyncio.get_running_loop()
        end, epoch = loop.time() + timeout, self._enter_epoch()
        while self._latest <= sequence and not self._stopped and (left := end - loop.time()) > 0:
            if self._looking is None or self._looking.done():
                self._looking = loop.run_in_executor(self._thread, self._poll)
                self._looking.add_done_callback(_retrieve_exception)
            done, _ = await asyncio.wait([self._looking], timeout=left)
            for look in done:
                look.result()
            if self._enter_epoch() != epoch:
                return False
        return self._latest > sequence

    def _enter_epoch(self) -> str:
        """Return the current epoch. Forget the latest sequence when the epoch changed: sequences of different epochs cannot be compared."""
        if self._of_epoch != self._epoch():
            self._of_epoch, self._latest = self._epoch(), 0
        return self._of_epoch

    def _poll(self) -> None:
        if self._wait(self._latest, _LOOK):
            self._latest = self._head()


def _retrieve_exception(look: asyncio.Future[None]) -> None:
    """Retrieve the exception of a look whose waiters are all gone, so that asyncio does not report it as never retrieved."""
    if not look.cancelled():
        look.exception()
