"""Filling of shadow tables beside the running ones, from the first event on. Each event is read and decoded once for all projections."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

from domain.errors import Unavailable
from projections.engine.missing_events import Roll
from projections.engine.projection import Batch, News, Projection, ReadEvents, create_tables
from projections.engine.store import RebuildTables, Transaction

Progress: TypeAlias = Callable[[int], object]

BATCH = 15_000  # larger than the running projector's: no reader waits for a batch here


def ignore_progress(_: int) -> None:
    """Ignore the progress, for callers that show none."""


class RebuildFailedError(Exception):
    """A projection failed at the event of a sequence; the running tables are as they were."""

    def __init__(self, name: str, sequence: int, error: Exception) -> None:
        super().__init__(f"{name} fails at sequence {sequence}: {type(error).__name__}: {error}")
        self.name = name
        self.sequence = sequence


class Filling:
    """Fills shadow tables from the first event on, and knows the sequence that each projection has reached."""

    def __init__(self, shadow: RebuildTables, projections: Sequence[Projection], read: ReadEvents, progress: Progress) -> None:
        self.roll = Roll()
        self._taken = dict.fromkeys((projection.name for projection in projections), 0)
        self._shadow = shadow
        self._projections = projections
        self._read = read
        self._progress = progress
        with shadow.transaction() as tx:
            for projection in projections:
                create_tables(tx, projection)

    @property
    def position(self) -> int:
        return min(self._taken.values())

    def can_advance_to(self, until: Mapping[str, int]) -> bool:
        """Return whether each projection is among these, and has not passed its sequence."""
        return all(name in until and taken <= until[name] for name, taken in self._taken.items())

    def go_on(self, until: Mapping[str, int] | None = None) -> None:
        """Continue to the newest event, or ``until`` the sequence of each name. Raises ``RebuildFailedError``."""
        position, end = self.position, max(until.values()) if until else None
        with ThreadPoolExecutor(1, "events") as reader:  # the next batch is read while the database writes this one
            coming = reader.submit(self._read, position, BATCH)
            while (end is None or position < end) and (batch := coming.result()):
                position = batch[-1][0]
                coming = reader.submit(self._read, position, BATCH)
                self.roll.take(batch)
                news = News(batch)
                for projection in self._projections:
                    self._take(projection, news, min(position, until[projection.name]) if until else position)
                self._progress(position)
        for projection in self._projections:
            with self._shadow.transaction() as tx:
                projection.finish(tx)

    def _take(self, projection: Projection, news: News, last: int) -> None:
        after = self._taken[projection.name]
        if some := [one for one in news.batch_for(projection) if after < one[0] <= last]:
            _take(self._shadow, projection, some)
        self._taken[projection.name] = max(after, last)


def _take(shadow: RebuildTables, projection: Projection, batch: Batch) -> None:
    try:
        with shadow.transaction() as tx:
            projection.apply(tx, batch)
    except Unavailable:
        raise
    except Exception:
        with shadow.transaction() as tx:
            # slower, but it names the event at which the projection fails
            take_one_by_one(tx, projection, batch)


def take_one_by_one(tx: Transaction, projection: Projection, batch: Batch) -> None:
    """Apply event by event, so that the one at which the projection fails is known. Raises ``RebuildFailedError``."""
    for one in batch:
        try:
            projection.apply(tx, [one])
        except Unavailable:
            raise
        except Exception as error:
            raise RebuildFailedError(projection.name, one[0], error) from error
