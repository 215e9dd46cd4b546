"""Rebuilding of projections beside the running ones, from the first event on.

Until the new tables take the place of the old ones, in one short transaction, readers and the running projector notice nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import TypeAlias

from domain.errors import Unavailable
from projections.engine import checkpoints
from projections.engine.checkpoints import Checkpoint
from projections.engine.missing_events import KnownEvents, Missing, Roll, fingerprint_at, read_all_known_events
from projections.engine.projection import Batch, News, Projection, ReadEvents, create_tables
from projections.engine.store import KEPT, Busy, Publication, RebuildTables, Store, Transaction

# Filling of shadow tables beside the running ones, from the first event on. Each event is read and decoded once for all projections.


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


_ATTEMPTS, _PAUSE = 100, 0.1  # ten seconds in all, for readers that keep the old tables in use


class EventsMissing(Exception):
    """The running tables know events that the journal does not hold; they are as they were. ``missing`` by the names of projections."""

    def __init__(self, missing: Mapping[str, Missing]) -> None:
        super().__init__(f"events are missing that are known to {', '.join(missing)}")
        self.missing = missing


def rebuild(projections: Sequence[Projection], store: Store, read: ReadEvents, progress: Progress, *, accept_missing: bool) -> int:
    """Rebuild, and return the sequence up to which the new tables are filled. The old ones are laid aside, in the place of those of the
    time before.

    Raises ``EventsMissing`` unless ``accept_missing``, ``RebuildFailedError``, ``Rebuilding``, ``Busy``, ``Unavailable``.
    """
    with store.transaction(alone=True) as tx:
        checkpoints.create_table(tx)
    with store.snapshot() as reads:
        known = {} if accept_missing else read_all_known_events(projections, reads, checkpoints.checkpoints(reads))
    with store.open_rebuild_tables() as shadow:
        filling = Filling(shadow, projections, read, progress)
        filling.roll.request_fingerprints(found.position for found in known.values())
        for _ in range(_ATTEMPTS):
            filling.go_on()
            _require_complete(filling.roll, known)
            try:
                with shadow.publication() as tx:
                    return _publish(tx, projections, read, filling.position)
            except Busy:  # a reader that takes its time; others must not queue up behind us
                sleep(_PAUSE)
        raise Busy


def _require_complete(roll: Roll, known: Mapping[str, KnownEvents]) -> None:
    if missing := {name: found for name, one in known.items() if (found := roll.missing(one))}:
        raise EventsMissing(missing)


def _publish(tx: Publication, projections: Sequence[Projection], read: ReadEvents, position: int) -> int:
    """Take the events that came meanwhile, while the running projector is held back, and change the tables over. Return the sequence
    reached.
    """
    before = checkpoints.lock_checkpoints(tx, [projection.name for projection in projections], wait=True)
    while batch := read(position, BATCH):
        for projection in projections:
            take_one_by_one(tx, projection, batch)
        position = batch[-1][0]
    for projection in projections:
        projection.finish(tx)
    last = fingerprint_at(position, read)
    for projection in projections:
        checkpoint, tables = before.get(projection.name), tuple(projection.tables)
        tx.publish(sorted({*tables, *(checkpoint.tables if checkpoint else ())}), tables)
        checkpoints.put(tx, projection.name, Checkpoint(projection.version, tables, position, position, fingerprint=last))
    return position


def list_old_tables(projections: Sequence[Projection], store: Store) -> tuple[str, ...]:
    """Return the tables from before the last rebuilding, by the names under which they are kept."""
    names = [f"{KEPT}{table}" for projection in projections for table in projection.tables]
    with store.snapshot() as reads:
        return tuple(name for name in names if reads.has(name))
