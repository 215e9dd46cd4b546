"""The run of one projection through the events: its tables, its position, its failures."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from msgspec.structs import replace

from domain.errors import Unavailable
from projections.engine import checkpoints
from projections.engine.checkpoints import Checkpoint
from projections.engine.fingerprints import SET_BACK, event_fingerprint, is_set_back
from projections.engine.projection import Batch, News, Projection, ReadEvents, create_tables
from projections.engine.store import Busy, Store, Tx

_LOG = logging.getLogger("kiebitz.projections")
_FIRST_RETRY, _LAST_RETRY = 0.5, 60.0  # seconds; doubled after each failure in a row
_LONGEST = 500  # characters of an error in the table


class ProjectionRun:
    """Not for several threads at once. ``checkpoint`` is ``None`` while there are no tables of this version, ``other`` that of another."""

    def __init__(self, projection: Projection, store: Store, clock: Callable[[], float]) -> None:
        self.projection = projection
        self.checkpoint: Checkpoint | None = None
        self.other: Checkpoint | None = None
        self.advanced_at: datetime | None = None
        self.again = 0.0
        """When a projection that stopped is tried again, on the projector's clock."""
        self._failures = 0
        self._store = store
        self._clock = clock

    @property
    def position(self) -> int:
        checkpoint = self.checkpoint
        return checkpoint.position if checkpoint else 0

    @property
    def whole(self) -> bool:
        """Whether the tables are there, with all that was recorded before they were made."""
        checkpoint = self.checkpoint
        return checkpoint is not None and checkpoint.whole

    def prepare(self, tx: Tx, head: Callable[[], int], read: ReadEvents) -> None:
        """Creates the tables; those of another version, or of events that are gone, are dropped first, and all events read again."""
        checkpoint = checkpoints.hold(tx, self.projection.name, wait=True)
        # Compared under the lock: otherwise events that another process projects at this moment would look like events that are gone.
        if checkpoint is not None and is_set_back(checkpoint, read):
            _LOG.warning("%s: the tables of projection %s are filled anew", SET_BACK, self.projection.name)
            checkpoint = self._make_tables(tx, checkpoint, head(), SET_BACK)
        elif checkpoint is None or checkpoint.version != self.projection.version:
            _LOG.info("the tables of projection %s, version %d, are made and filled", self.projection.name, self.projection.version)
            checkpoint = self._make_tables(tx, checkpoint, head(), None)
        self.follow(checkpoint)
        self.again = 0.0

    def _make_tables(self, tx: Tx, old: Checkpoint | None, head: int, reason: str | None) -> Checkpoint:
        projection = self.projection
        tables = sorted({*projection.tables, *(old.tables if old else ())})
        if reason is not None:
            tx.lay_aside(tables)  # they may be all that tells of the events that are gone
        for table in tables:
            tx.run(f"DROP TABLE IF EXISTS {table}")
        create_tables(tx, projection)
        checkpoint = Checkpoint(projection.version, tuple(projection.tables), 0, head, reason=reason)
        checkpoints.put(tx, projection.name, checkpoint)
        return checkpoint

    def due(self) -> bool:
        return self.checkpoint is not None and self.again <= self._clock()

    def follow(self, checkpoint: Checkpoint | None) -> None:
        """Takes over the checkpoint in the store, which another process may have moved."""
        if checkpoint is None or checkpoint.version != self.projection.version:
            self.checkpoint, self.other = None, checkpoint
            return
        if self.checkpoint is not None and checkpoint.position != self.checkpoint.position:
            self.advanced_at = datetime.now(UTC)
            self._failures, self.again = 0, 0.0
        self.checkpoint, self.other = checkpoint, None

    def advance(self, after: int, batch: Batch) -> None:
        """Takes the events that follow ``after``; on a failure those before the one that fails.

        Raises nothing of the projection, but ``Unavailable`` where the database is away.
        """
        with suppress(Busy):
            try:
                self._take(after, batch)
            except Unavailable:
                raise
            except Exception:
                self._take_singly(after, batch)

    def _take_singly(self, after: int, batch: Batch) -> None:
        for one in batch:
            try:
                self._take(after, [one])
            except Unavailable:
                raise
            except Exception as error:
                self._fail(one[0], error)
                return
            after = one[0]

    def _take(self, after: int, batch: Batch) -> None:
        with self._store.transaction(leading=True) as tx:
            checkpoint = self.apply(tx, after, News(batch))
        self.follow(checkpoint)

    def apply(self, tx: Tx, after: int, news: News) -> Checkpoint:
        """Applies what it has to be told and returns the checkpoint after it, which the caller follows once the transaction is committed.

        If another process has moved on since ``after``, nothing is done. Raises ``Busy``, and what the projection raises.
        """
        name = self.projection.name
        checkpoint = checkpoints.hold(tx, name, wait=False)
        if checkpoint is None:
            raise Busy
        if (checkpoint.version, checkpoint.position) == (self.projection.version, after):
            if told := news.told(self.projection):
                self.projection.apply(tx, told)
            sequence, last = news.batch[-1][0], event_fingerprint(news.batch[-1][1])
            checkpoints.move(tx, name, sequence, last)
            checkpoint = replace(checkpoint, position=sequence, fingerprint=last, error=None, failed_at=None)
        return checkpoint

    def _fail(self, sequence: int, error: Exception) -> None:
        self._failures += 1
        pause = min(_FIRST_RETRY * 2 ** (self._failures - 1), _LAST_RETRY)
        self.again = self._clock() + pause
        _LOG.error("projection %s stopped at sequence %d, again in %.1f s", self.projection.name, sequence, pause, exc_info=error)
        text = _error_text(error)
        if self.checkpoint is not None:
            self.checkpoint = replace(self.checkpoint, error=text, failed_at=sequence)
        with self._store.transaction(leading=True) as tx:
            checkpoints.fail(tx, self.projection.name, text, sequence)


def advance(runs: Sequence[ProjectionRun], store: Store, after: int, batch: Batch) -> None:
    """Advances runs that stand after the same event in one transaction: that costs the server less. If it fails, each one by itself.

    Raises ``Unavailable`` where the database is away.
    """
    try:
        with store.transaction(leading=True) as tx:
            news = News(batch)
            found = [run.apply(tx, after, news) for run in runs]
    except Exception as error:
        if isinstance(error, Unavailable) and not isinstance(error, Busy):
            raise
        for run in runs:
            run.advance(after, batch)
    else:
        for run, checkpoint in zip(runs, found, strict=True):
            run.follow(checkpoint)


def _error_text(error: Exception) -> str:
    """Short enough for a row, without characters that a database refuses."""
    text = f"{type(error).__name__}: {error}".encode(errors="backslashreplace").decode()
    return text.replace("\0", "")[:_LONGEST]
