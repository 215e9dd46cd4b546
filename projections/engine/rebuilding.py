"""Rebuilding of projections beside the running ones, from the first event on.

Until the new tables take the place of the old ones, in one short transaction, readers and the running projector notice nothing.
"""

from collections.abc import Mapping, Sequence
from time import sleep

from projections.engine import checkpoints
from projections.engine.checkpoints import Checkpoint
from projections.engine.filling import BATCH, Filling, Progress, take_one_by_one
from projections.engine.missing_events import KnownEvents, Missing, Roll, fingerprint_at, read_all_known_events
from projections.engine.projection import Projection, ReadEvents
from projections.engine.store import KEPT, Busy, Publication, Store

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
