"""Readers that wait until the projections have come far enough."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


class Waiting:
    """Wakes whoever waits, from the projector's thread. Holds no thread of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[object, tuple[Callable[[], bool], Callable[[], object]]] = {}

    def __bool__(self) -> bool:
        return bool(self._entries)

    @contextmanager
    def until(self, holds: Callable[[], bool], wake: Callable[[], object]) -> Iterator[None]:
        """``wake`` is called when ``holds`` is found true, at once if it is true already; perhaps more than once."""
        key = object()
        with self._lock:
            self._entries[key] = (holds, wake)
        try:
            if holds():
                wake()
            yield
        finally:
            with self._lock:
                del self._entries[key]

    def tell(self) -> None:
        """Something moved on."""
        with self._lock:
            entries = tuple(self._entries.values())
        for holds, wake in entries:
            if holds():
                with suppress(RuntimeError):  # the waiter's event loop has closed
                    wake()
