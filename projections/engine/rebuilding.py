"""Projections filled anew beside the running ones, from the first event on. Each event is read and decoded once for all of them.

Until the new tables take the place of the old ones, in one short transaction, readers and the running projector notice nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from time import sleep
from typing import TypeAlias

from msgspec import Struct

from domain.errors import Unavailable
from projections.engine import checkpoints
from projections.engine.checkpoints import Checkpoint
from projections.engine.contents import content
from projections.engine.fingerprints import fingerprint_at
from projections.engine.projection import Batch, Projection, ReadEvents, create_tables
from projections.engine.store import Busy, Publication, ShadowTables, Store, Tx

Progress: TypeAlias = Callable[[int], object]

_BATCH = 5000
_ATTEMPTS, _PAUSE = 100, 0.1


def ignore_progress(_: int) -> None:
    """For callers who do not want to know how far it is."""


class NotRebuilt(Exception):
    """A projection failed at the event of a sequence; the running tables are as they were."""

    def __init__(self, name: str, sequence: int, error: Exception) -> None:
        super().__init__(f"{name} fails at sequence {sequence}: {type(error).__name__}: {error}")
        self.name = name
        self.sequence = sequence


class Comparison(Struct, frozen=True):
    """What the running tables of a projection hold at a position, and what they would hold if they were rebuilt (``contents.py``)."""

    name: str
    position: int
    running: str
    rebuilt: str

    @property
    def same(self) -> bool:
        return self.running == self.rebuilt


def rebuild(projections: Sequence[Projection], store: Store, read: ReadEvents, progress: Progress) -> int:
    """Answers the sequence up to which the new tables are filled. Raises ``NotRebuilt``, ``Rebuilding``, ``Busy``, ``Unavailable``."""
    with store.transaction(alone=True) as tx:
        checkpoints.create_table(tx)
    with store.shadow_tables() as shadow:
        _create(shadow, projections)
        position = 0
        for _ in range(_ATTEMPTS):
            position = _fill(shadow, projections, read, progress, position)
            try:
                with shadow.publication() as tx:
                    return _publish(tx, projections, read, position)
            except Busy:  # a reader that takes its time; others must not queue up behind us
                sleep(_PAUSE)
        raise Busy


def verify(projections: Sequence[Projection], store: Store, read: ReadEvents, progress: Progress) -> tuple[Comparison, ...]:
    """Of those that have tables of this version. Raises ``NotRebuilt``, ``Rebuilding``, ``Unavailable``."""
    found = contents(projections, store)
    compared = [projection for projection in projections if projection.name in found]
    if not compared:
        return ()
    with store.shadow_tables() as shadow:
        _create(shadow, compared)
        _fill(shadow, compared, read, progress, 0, {name: position for name, (position, _) in found.items()})
        with shadow.transaction() as tx:
            rebuilt = {projection.name: content(tx, projection.tables) for projection in compared}
    return tuple(Comparison(name, *found[name], rebuilt[name]) for name in rebuilt)


def contents(projections: Sequence[Projection], store: Store) -> Mapping[str, tuple[int, str]]:
    """By name the position and what the tables hold there, of those that have tables of this version."""
    with store.snapshot() as reads:
        before = checkpoints.checkpoints(reads)
        return {
            projection.name: (checkpoint.position, content(reads, projection.tables))
            for projection in projections
            if (checkpoint := before.get(projection.name)) and checkpoint.version == projection.version
        }


def _create(shadow: ShadowTables, projections: Sequence[Projection]) -> None:
    with shadow.transaction() as tx:
        for projection in projections:
            create_tables(tx, projection)


def _fill(
    shadow: ShadowTables,
    projections: Sequence[Projection],
    read: ReadEvents,
    progress: Progress,
    position: int,
    until: Mapping[str, int] | None = None,
) -> int:
    """From a position to the newest event, or ``until`` the sequence of each name. Answers how far it came."""
    end = max(until.values()) if until else None
    while (end is None or position < end) and (batch := read(position, _BATCH)):
        for projection in projections:
            last = until[projection.name] if until else batch[-1][0]
            _take(shadow, projection, [one for one in batch if one[0] <= last])
        position = batch[-1][0]
        progress(position)
    return position


def _take(shadow: ShadowTables, projection: Projection, batch: Batch) -> None:
    try:
        with shadow.transaction() as tx:
            projection.apply(tx, batch)
    except Unavailable:
        raise
    except Exception:
        with shadow.transaction() as tx:
            _take_singly(tx, projection, batch)


def _take_singly(tx: Tx, projection: Projection, batch: Batch) -> None:
    """So that the event is known at which it fails."""
    for one in batch:
        try:
            projection.apply(tx, [one])
        except Unavailable:
            raise
        except Exception as error:
            raise NotRebuilt(projection.name, one[0], error) from error


def _publish(tx: Publication, projections: Sequence[Projection], read: ReadEvents, position: int) -> int:
    """Takes what came meanwhile, while the running projector is kept from going on, and changes the tables over."""
    before = {projection.name: checkpoints.hold(tx, projection.name, wait=True) for projection in projections}
    while batch := read(position, _BATCH):
        for projection in projections:
            _take_singly(tx, projection, batch)
        position = batch[-1][0]
    last = fingerprint_at(position, read)
    for projection in projections:
        checkpoint, tables = before[projection.name], tuple(projection.tables)
        tx.publish(sorted({*tables, *(checkpoint.tables if checkpoint else ())}), tables)
        checkpoints.put(tx, projection.name, Checkpoint(projection.version, tables, position, position, fingerprint=last))
    return position
