"""The run of one projection through the events: its tables, its position, its failures."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from msgspec.structs import replace

from domain.errors import Unavailable
from projections.engine import checkpoints
from projections.engine.checkpoints import SET_BACK, Checkpoint, event_fingerprint, is_set_back
from projections.engine.store import Batch, Busy, News, Projection, ReadEvents, Store, Transaction, create_tables

_LOG = logging.getLogger("kiebitz.projections")
_FIRST_RETRY, _LAST_RETRY = 0.5, 60.0  # seconds; doubled after each failure in a row
_LONGEST = 500  # characters of an error in the table


class ProjectionRun:
    """The run of a projection. Not for several threads at once. ``checkpoint`` is ``None`` while there are no tables of this version,
    ``other`` that of another.
    """

    def __init__(self, projection: Projection, store: Store, clock: Callable[[], float]) -> None:
        self.projection = projection
        self.checkpoint: Checkpoint | None = None
        self.other: Checkpoint | None = None
        self.advanced_at: datetime | None = None
        self.unfinished = projection.update is not None
        """Whether some portion of what follows may be left, perhaps by the process before this one."""
        self.again = 0.0
        """The time of the next attempt of a projection that stopped, on the projector's clock."""
        self._failures = 0
        self._store = store
        self._clock = clock

    @property
    def position(self) -> int:
        checkpoint = self.checkpoint
        return checkpoint.position if checkpoint else 0

    @property
    def is_complete(self) -> bool:
        """Return whether the tables are there, with all that was recorded before they were made."""
        checkpoint = self.checkpoint
        return checkpoint is not None and checkpoint.is_complete

    def prepare(self, tx: Transaction, head: Callable[[], int], read: ReadEvents) -> None:
        """Create the tables; those of another version, or of events that are gone, are dropped first, and all events read again."""
        checkpoint = checkpoints.lock_checkpoints(tx, (self.projection.name,), wait=True).get(self.projection.name)
        # Compared under the lock: otherwise events that another process projects at this moment would look like lost ones.
        if checkpoint is not None and is_set_back(checkpoint, read):
            _LOG.warning("%s: the tables of projection %s are rebuilt", SET_BACK, self.projection.name)
            checkpoint = self._make_tables(tx, checkpoint, head(), SET_BACK)
        elif checkpoint is None or checkpoint.version != self.projection.version:
            _LOG.info("the tables of projection %s, version %d, are made and filled", self.projection.name, self.projection.version)
            checkpoint = self._make_tables(tx, checkpoint, head(), None)
        self.refresh(checkpoint)
        self.again = 0.0

    def _make_tables(self, tx: Transaction, old: Checkpoint | None, head: int, reason: str | None) -> Checkpoint:
        projection = self.projection
        tables = sorted({*projection.tables, *(old.tables if old else ())})
        if reason is not None:
            tx.rename_old_tables(tables)  # they may be the only trace of events that are gone
        for table in tables:
            tx.run(f"DROP TABLE IF EXISTS {table}")
        create_tables(tx, projection)
        checkpoint = Checkpoint(projection.version, tuple(projection.tables), 0, head, reason=reason)
        checkpoints.put(tx, projection.name, checkpoint)
        return checkpoint

    def is_pending(self) -> bool:
        return self.checkpoint is not None and self.again <= self._clock()

    def refresh(self, checkpoint: Checkpoint | None) -> None:
        """Take over the checkpoint in the store, which another process may have moved."""
        if checkpoint is None or checkpoint.version != self.projection.version:
            self.checkpoint, self.other = None, checkpoint
            return
        if self.checkpoint is not None and checkpoint.position != self.checkpoint.position:
            self.advanced_at = datetime.now(UTC)
            self._failures, self.again = 0, 0.0
        self.checkpoint, self.other = checkpoint, None

    def advance(self, after: int, batch: Batch, *, newest: bool) -> None:
        """Take the events that follow ``after``; on a failure those before the one that fails.

        Raises no error of the projection, but ``Unavailable`` where the database is away.
        """
        with suppress(Busy):
            try:
                _take((self,), self._store, after, batch, newest=newest)
            except Unavailable:
                raise
            except Exception:
                self._take_one_by_one(after, batch)

    def update(self) -> bool:
        """Compute one portion of what follows from the events taken. Return whether that was possible."""
        with suppress(Busy), self._store.transaction(leading=True) as tx:
            if checkpoints.lock_checkpoints(tx, (self.projection.name,), wait=False):
                self.unfinished = self.projection.update is not None and self.projection.update(tx)
                return True
        return False

    def _take_one_by_one(self, after: int, batch: Batch) -> None:
        for one in batch:
            try:
                _take((self,), self._store, after, [one], newest=False)
            except Unavailable:
                raise
            except Exception as error:
                self._fail(one[0], error)
                return
            after = one[0]

    def _fail(self, sequence: int, error: Exception) -> None:
        self._failures += 1
        # exponential backoff: a failure that stays costs little
        pause = min(_FIRST_RETRY * 2 ** (self._failures - 1), _LAST_RETRY)
        self.again = self._clock() + pause
        _LOG.error("projection %s stopped at sequence %d, retry in %.1f s", self.projection.name, sequence, pause, exc_info=error)
        text = _error_text(error)
        if self.checkpoint is not None:
            self.checkpoint = replace(self.checkpoint, error=text, failed_at=sequence)
        # stored, so that other processes and the command line know it
        with self._store.transaction(leading=True) as tx:
            checkpoints.fail(tx, self.projection.name, text, sequence)


def advance(runs: Sequence[ProjectionRun], store: Store, after: int, batch: Batch, *, newest: bool) -> None:
    """Advance runs that stand after the same event in one transaction: that costs the server less. If it fails, each one by itself.
    ``newest``: whether the batch ends with the newest event.

    Raises ``Unavailable`` where the database is away.
    """
    try:
        _take(runs, store, after, batch, newest=newest)
    except Exception as error:
        if isinstance(error, Unavailable) and not isinstance(error, Busy):
            raise
        for run in runs:
            run.advance(after, batch, newest=newest)


def _take(runs: Sequence[ProjectionRun], store: Store, after: int, batch: Batch, *, newest: bool) -> None:
    """Apply the events in one transaction. Runs that another process has moved on since ``after`` only follow.

    Raises ``Busy``, and what a projection raises.
    """
    projections = [run.projection for run in runs]
    with store.transaction(leading=True) as tx:
        found = checkpoints.lock_checkpoints(tx, [one.name for one in projections], wait=False)
        if len(found) < len(runs):
            # Another writer has a checkpoint: it may be ahead with the events after it.
            raise Busy
        # A run that another process has moved on must not get the same events twice.
        due = [one for one in projections if (found[one.name].version, found[one.name].position) == (one.version, after)]
        news = News(batch)
        for projection in due:
            if told := news.batch_for(projection):
                projection.apply(tx, told)
        # In the same transaction: a reader who waits for the newest event finds what follows from it, as far as that is quick.
        unfinished = {one.name: one.update is not None and (not newest or one.update(tx)) for one in due}
        moved = checkpoints.move(tx, {one.name: found[one.name] for one in due}, batch[-1][0], event_fingerprint(batch[-1][1]))
    reached = {**found, **moved}
    for run in runs:
        run.refresh(reached[run.projection.name])
        run.unfinished = unfinished.get(run.projection.name, run.unfinished)


def _error_text(error: Exception) -> str:
    """Return the error, short enough for a row, without characters that a database refuses."""
    text = f"{type(error).__name__}: {error}".encode(errors="backslashreplace").decode()
    return text.replace("\0", "")[:_LONGEST]
