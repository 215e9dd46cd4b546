"""Epochs of a store: within one, a sequence stands for the same event for ever.

A store that was set back gives sequences a second time: a standby was promoted that lacked the last events, or an older copy took the
place of a newer one. Then an epoch begins, so that nobody takes the new events for those that he knows. docs/decisions/0013-epoch.md
gives the reasons.
"""

from collections import deque
from collections.abc import Sequence
from threading import Lock

from msgspec import Struct

from domain.journal.commits import StoredEvent

_LEFT = "transferred to "
_KEPT = 1000
"""Points by which the last common event is found; a busy server makes so many in some seconds, and a standby lacks less than that."""


class Epoch(Struct, frozen=True):
    """``number`` counts from 1, ``id`` is random. Up to the sequence ``common`` the store is as it was in the epoch before; ``None``:
    nobody knows up to where. ``place`` is where it began, ``None`` if that cannot be told.
    """

    number: int
    id: str
    common: int | None = None
    place: str | None = None

    @property
    def left_for(self) -> str | None:
        """Where it goes on, in words, if its store was transferred."""
        return self.place.removeprefix(_LEFT) if self.place and self.place.startswith(_LEFT) else None


def place_left_for(target: str) -> str:
    """The place of an epoch that goes on elsewhere. It is no place: whoever records where the epoch was begins another."""
    return f"{_LEFT}{target}"


def common_sequence(epochs: Sequence[Epoch], id: str | None) -> int | None:
    """The last sequence at which the present epoch is still as the one of this id was. ``None``: not known, or there was none such."""
    number = next((epoch.number for epoch in epochs if epoch.id == id), None)
    since = [epoch.common for epoch in epochs if number is not None and epoch.number > number]
    known = [common for common in since if common is not None]
    return min(known) if known and len(known) == len(since) else None


class Line:
    """What this process has seen of an epoch: its newest events, by which the store is known again. Thread-safe."""

    def __init__(self, epoch: Epoch) -> None:
        self.epoch = epoch
        self._seen: deque[tuple[int, StoredEvent]] = deque(maxlen=_KEPT)
        self._lock = Lock()

    @property
    def newest(self) -> int:
        """The highest sequence that was seen; 0 before the first."""
        with self._lock:
            return self._seen[-1][0] if self._seen else 0

    def see(self, sequence: int, event: StoredEvent) -> None:
        """The event has been recorded or read. Only what is newer than all before is kept."""
        with self._lock:
            if not self._seen or sequence > self._seen[-1][0]:
                self._seen.append((sequence, event))

    def seen(self) -> list[tuple[int, StoredEvent]]:
        """The newest first."""
        with self._lock:
            return list(reversed(self._seen))
