"""Checkpoints that are kept for good: those that a witness signed, that were printed, or that an event names."""

from typing import Protocol


class KeptCheckpoints(Protocol):
    """They do not follow from the events. Safe to use from many threads. Raises ``Unavailable``."""

    def keep(self, epoch: int, size: int, note: str) -> None:
        """Once is enough. ``note``: without its witnesses."""

    def first_behind(self, epoch: int, leaf: int, before: int) -> str | None:
        """The note of the smallest one that has this leaf and fewer entries than ``before``, with all witnesses that signed it."""
