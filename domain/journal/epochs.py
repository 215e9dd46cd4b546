"""Epochs of a store: within one, a sequence always stands for the same event.

A store that was set back gives sequences a second time: a standby was promoted that lacked the last events, or an older copy took the place
of a newer one. Then an epoch begins, so that no reader takes the new events for those that they know. docs/decisions/0013-epoch.md gives
the reasons.
"""

from collections import deque
from collections.abc import Sequence
from threading import Lock

from msgspec import Struct

from domain.journal.commits import StoredEvent

_LEFT = "transferred to "
_KEPT = 1000
"""Events by which the last common one is found. A busy server records so many in some seconds, and a standby lacks less than that."""


class Epoch(Struct, frozen=True):
    """An epoch. ``number`` counts from 1, ``id`` is random. Up to the sequence ``common`` the store is as it was in the epoch before;
    ``None``: unknown. ``place`` is where it began, ``None`` if that cannot be known.
    """

    number: int
    id: str
    common: int | None = None
    place: str | None = None

    @property
    def left_for(self) -> str | None:
        """The place to which its store was transferred, in words, if it was."""
        return self.place.removeprefix(_LEFT) if self.place and self.place.startswith(_LEFT) else None


def place_left_for(target: str) -> str:
    """Return the place of an epoch that continues elsewhere. It matches no real place: a process that compares it with its own begins
    another epoch.
    """
    return f"{_LEFT}{target}"


def common_sequence(epochs: Sequence[Epoch], id: str | None) -> int | None:
    """Return the last sequence at which the present epoch still equals the one of this id. ``None``: not known, or there is none."""
    number = next((epoch.number for epoch in epochs if epoch.id == id), None)
    since = [epoch.common for epoch in epochs if number is not None and epoch.number > number]
    known = [common for common in since if common is not None]
    return min(known) if known and len(known) == len(since) else None


class Line:
    """The newest events of an epoch that this process has seen, by which the store is recognised. Thread-safe."""

    def __init__(self, epoch: Epoch) -> None:
        self.epoch = epoch
        self._seen: deque[tuple[int, StoredEvent]] = deque(maxlen=_KEPT)
        self._lock = Lock()

    @property
    def latest(self) -> int:
        """The highest sequence that was seen; 0 before the first."""
        with self._lock:
            return self._seen[-1][0] if self._seen else 0

    def note_event(self, sequence: int, event: StoredEvent) -> None:
        """Note an event that has been recorded or read. Only events newer than all before are kept."""
        with self._lock:
            if not self._seen or sequence > self._seen[-1][0]:
                self._seen.append((sequence, event))

    def list_latest_events(self) -> list[tuple[int, StoredEvent]]:
        """Return the events, the newest first."""
        with self._lock:
            return list(reversed(self._seen))
