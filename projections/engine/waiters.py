"""Readers that wait until the projections have come far enough."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


class Waiters:
    """Wakes waiting readers from the projector's thread. ``hurry`` is called when a reader begins to wait."""

    def __init__(self, hurry: Callable[[], object]) -> None:
        self._hurry = hurry
        self._lock = threading.Lock()
        self._entries: dict[object, tuple[Callable[[], bool], Callable[[], object]]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def wait(self, holds: Callable[[], bool], timeout: float) -> bool:
        """Whether it holds within so many seconds. Blocks the thread."""
        done = threading.Event()
        with self._until(holds, done.set):
            done.wait(timeout)
        return holds()

    async def wait_for_async(self, holds: Callable[[], bool], timeout: float) -> bool:
        """The same for a coroutine; blocks nothing."""
        if holds():
            return True
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        with self._until(holds, lambda: loop.call_soon_threadsafe(done.set)), suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), timeout)
        return holds()

    def wake_all(self) -> None:
        """Wakes the readers whose condition holds by now."""
        with self._lock:
            entries = tuple(self._entries.values())
        # Outside of the lock: a condition may take its time, and a reader that wakes takes the lock to leave.
        for holds, wake in entries:
            if holds():
                with suppress(RuntimeError):  # the waiter's event loop has closed
                    wake()

    @contextmanager
    def _until(self, holds: Callable[[], bool], wake: Callable[[], object]) -> Iterator[None]:
        """``wake`` is called when ``holds`` is found true, at once if it is true already; perhaps more than once."""
        key = object()
        with self._lock:
            self._entries[key] = (holds, wake)
        try:
            if holds():
                wake()
            self._hurry()
            yield
        finally:
            with self._lock:
                del self._entries[key]
