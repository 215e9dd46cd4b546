"""How a reader in the same process learns at once that something was appended, and one in another process soon."""

from collections.abc import Callable
from threading import Condition
from time import monotonic

POLL = 0.1  # seconds: how late a commit of another process may be noticed


class Arrivals:
    """The highest sequence this process knows of. Any thread may announce and any may wait."""

    def __init__(self, probe: Callable[[], int]) -> None:
        self._probe = probe
        self._latest = 0
        self._changed = Condition()

    def announce(self, sequence: int) -> None:
        with self._changed:
            if sequence > self._latest:
                self._latest = sequence
                self._changed.notify_all()

    def forget(self) -> None:
        """Sequences begin anew: what was announced so far says nothing any more."""
        with self._changed:
            self._latest = 0

    def wait(self, after: int, timeout: float) -> bool:
        """True as soon as a sequence beyond `after` is known, False when the time is up."""
        end = monotonic() + timeout
        while True:
            if self._latest <= after:
                self.announce(self._probe())
            with self._changed:
                if self._latest > after:
                    return True
                left = end - monotonic()
                if left <= 0:
                    return False
                self._changed.wait(min(left, POLL))
