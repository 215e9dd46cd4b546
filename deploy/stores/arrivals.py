"""How a reader in the same process learns at once that something was appended, and one in another process soon."""

from collections.abc import Callable
from threading import Condition, Lock
from time import monotonic

POLL = 0.1  # seconds: how late a commit of another process may be noticed


class Arrivals:
    """The highest sequence this process knows of. Any thread may announce and any may wait."""

    def __init__(self, probe: Callable[[], int]) -> None:
        self._probe = probe
        self._latest = 0
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._waiting = 0
        self._heard: Callable[[], object] | None = None

    def on_news(self, heard: Callable[[], object]) -> None:
        """``heard`` is called whenever something newer is known, by the thread that found it: it must not wait for anything."""
        self._heard = heard

    def announce(self, sequence: int) -> None:
        with self._lock:
            newer = sequence > self._latest
            if newer:
                self._latest = sequence
                if self._waiting:
                    self._changed.notify_all()
        if newer and self._heard is not None:
            self._heard()

    def forget(self) -> None:
        """Sequences begin anew: what was announced so far says nothing any more."""
        with self._lock:
            self._latest = 0

    def wait(self, after: int, timeout: float) -> bool:
        """True as soon as a sequence beyond `after` is known, False when the time is up."""
        end = monotonic() + timeout
        while True:
            if self._latest <= after:
                self.announce(self._probe())
            with self._lock:
                if self._latest > after:
                    return True
                left = end - monotonic()
                if left <= 0:
                    return False
                self._waiting += 1
                try:
                    self._changed.wait(min(left, POLL))
                finally:
                    self._waiting -= 1
