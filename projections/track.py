"""One projection's way through the events: its position, its failures, its rebuilding."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TypeAlias

import msgspec
from msgspec import Struct

from domain.errors import Unavailable
from domain.events import Recorded
from projections.projection import Batch, Projection
from projections.store import Busy, Store, Tx

Read: TypeAlias = Callable[[int, int], Sequence[tuple[int, Recorded]]]

_LOG = logging.getLogger("kiebitz.projections")
_FIRST_RETRY, _LAST_RETRY = 0.5, 60.0

POSITIONS = """CREATE TABLE IF NOT EXISTS projection_positions
    (name TEXT PRIMARY KEY, version INTEGER NOT NULL, position BIGINT NOT NULL, tables TEXT NOT NULL)"""
_SELECT = "SELECT version, position, tables FROM projection_positions WHERE name = ?"
_INSERT = "INSERT INTO projection_positions (name, version, position, tables) VALUES (?, ?, 0, ?)"


class Failure(Struct, frozen=True):
    """What stopped a projection: at which event, how often in a row, and when it is tried again (on the projector's clock)."""

    message: str
    sequence: int
    times: int
    again: float


class Track:
    """Not for several threads at once, but for ``rebuild``, which the database keeps apart."""

    def __init__(self, projection: Projection, store: Store, clock: Callable[[], float]) -> None:
        self.projection = projection
        self.position = 0
        self.failure: Failure | None = None
        self.advanced_at: datetime | None = None
        self._store = store
        self._clock = clock

    def prepare(self, tx: Tx) -> None:
        """Creates the tables; those of another version are dropped first, and the events read from the beginning."""
        projection = self.projection
        for version, position, tables in tx.query(_SELECT, (projection.name,)):
            if version == projection.version:
                self.position = position
                return
            for table in msgspec.json.decode(tables):
                tx.run(f"DROP TABLE {table}")
            tx.run("DELETE FROM projection_positions WHERE name = ?", (projection.name,))
        for statements in projection.tables.values():
            for statement in statements:
                tx.run(statement)
        tx.run(_INSERT, (projection.name, projection.version, msgspec.json.encode(list(projection.tables)).decode()))

    def due(self) -> bool:
        return self.failure is None or self.failure.again <= self._clock()

    def follow(self, position: int) -> None:
        """Takes over the position that another process has reached."""
        if position != self.position:
            self.position = position
            self.failure = None
            self.advanced_at = datetime.now(UTC)

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
        with self._store.transaction() as tx:
            stored = self._stored(tx, wait=False)
            if stored == after:
                self.projection.apply(tx, batch)
                stored = self._keep(tx, batch[-1][0])
        self.follow(stored)

    def _stored(self, tx: Tx, *, wait: bool) -> int:
        """The position in the store, kept from other writers. Raises ``Busy``."""
        for version, position, _ in tx.hold(_SELECT, (self.projection.name,), wait=wait):
            if version != self.projection.version:
                raise RuntimeError(f"the tables of {self.projection.name} are of version {version}, not {self.projection.version}")
            return int(position)
        raise Busy

    def _keep(self, tx: Tx, position: int) -> int:
        tx.run("UPDATE projection_positions SET position = ? WHERE name = ?", (position, self.projection.name))
        return position

    def _fail(self, sequence: int, error: Exception) -> None:
        times = self.failure.times + 1 if self.failure else 1
        pause = min(_FIRST_RETRY * 2 ** (times - 1), _LAST_RETRY)
        self.failure = Failure(f"{type(error).__name__}: {error}", sequence, times, self._clock() + pause)
        _LOG.error("projection %s stopped at sequence %d, again in %.1f s", self.projection.name, sequence, pause, exc_info=error)

    def rebuild(self, read: Read, limit: int) -> int:
        """Empties the tables and fills them anew in one transaction, so that readers see the old rows until the new ones are there.

        Answers the position reached. Raises what the projection raises; then the old rows stay.
        """
        with self._store.transaction() as tx:
            self._stored(tx, wait=True)
            for table in self.projection.tables:
                tx.run(f"DELETE FROM {table}")
            position = 0
            while batch := read(position, limit):
                self.projection.apply(tx, batch)
                position = batch[-1][0]
            self._keep(tx, position)
        self.follow(position)
        return position
