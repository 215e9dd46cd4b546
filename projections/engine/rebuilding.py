"""Rebuilding of projections beside the running ones, and their verification: both fill tables from the first event on.

Until the new tables take the place of the old ones, in one short transaction, readers and the running projector notice nothing.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from time import sleep
from typing import TypeAlias

import msgspec
from msgspec import Struct

from domain.errors import Unavailable
from projections.engine import checkpoints
from projections.engine.checkpoints import (
    Checkpoint,
    KnownEvents,
    Missing,
    Roll,
    content,
    fingerprint_at,
    read_all_known_events,
    table_sums,
)
from projections.engine.store import (
    KEPT,
    Batch,
    Busy,
    News,
    Projection,
    Publication,
    ReadEvents,
    Reads,
    RebuildTables,
    Row,
    Store,
    Transaction,
    create_tables,
)

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
        some: Batch = news.batch_for(projection)
        if some and not after < some[0][0] <= some[-1][0] <= last:
            some = [one for one in some if after < one[0] <= last]
        if some:
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
        known: dict[str, KnownEvents] = {} if accept_missing else read_all_known_events(projections, reads, checkpoints.checkpoints(reads))
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


# Verification of projections: the running tables are compared with tables filled from the events. Changes nothing.


# Differing rows of two sets of tables: the running ones, and those that were filled from the events to compare.


_EXAMPLES = 3
_FIRST_COLUMN = re.compile(r"\(\s*(\w+)")


class TableDifference(Struct, frozen=True):
    """A difference of a table. ``beyond`` counts rows that do not follow from the events, ``lacking`` those that do and are not there; a
    changed row is in both. ``examples`` are some of their values in the first column, which is named ``key``.
    """

    table: str
    beyond: int
    lacking: int
    key: str
    examples: tuple[str, ...]


def differences(running: Reads, rebuilt: Reads, projection: Projection) -> tuple[TableDifference, ...]:
    """Return a difference for each table that differs, by name."""
    ours, theirs = table_sums(running, projection.tables), table_sums(rebuilt, projection.tables)
    return tuple(_difference(running, rebuilt, table, projection.tables) for table in sorted(ours) if ours[table] != theirs[table])


def _difference(running: Reads, rebuilt: Reads, table: str, tables: Mapping[str, tuple[str, ...]]) -> TableDifference:
    counts = Counter(map(_mark, _rows(running, table)))
    counts.subtract(map(_mark, _rows(rebuilt, table)))
    beyond, lacking = +counts, -counts
    examples = dict.fromkeys((*_some(running, table, beyond), *_some(rebuilt, table, lacking)))
    key = _FIRST_COLUMN.search(tables[table][0])
    return TableDifference(table, beyond.total(), lacking.total(), key[1] if key else "", tuple(examples)[:_EXAMPLES])


def _some(reads: Reads, table: str, marks: Mapping[bytes, int]) -> tuple[str, ...]:
    """Return the values of rows with these marks in the first column: as many as examples are shown."""
    found: set[str] = set()
    for row in _rows(reads, table) if marks else ():
        if len(found) < _EXAMPLES and _mark(row) in marks:
            found.add(str(row[0]))
    return tuple(sorted(found))


def _rows(reads: Reads, table: str) -> Iterator[Row]:
    return reads.rows(f"SELECT * FROM {table}")


def _mark(row: Row) -> bytes:
    """Return a digest of a row. It is short, because there may be one for each row of a table in memory."""
    return sha256(msgspec.json.encode(row)).digest()[:16]


class Comparison(Struct, frozen=True):
    """The content of the running tables of a projection at a position, and that of rebuilt ones (``missing_events.py``).

    ``differences`` names the tables if the two are not the same, ``missing`` the events that only the running ones know.
    """

    name: str
    position: int
    running: str
    rebuilt: str
    differences: tuple[TableDifference, ...] = ()
    missing: Missing = Missing()

    @property
    def same(self) -> bool:
        return self.running == self.rebuilt


def verify(projections: Sequence[Projection], store: Store, read: ReadEvents, progress: Progress) -> tuple[Comparison, ...]:
    """Compare the projections that have tables of this version. Raises ``RebuildFailedError``, ``Rebuilding``, ``Unavailable``."""
    with store.snapshot() as reads:
        found = _of_this_version(projections, reads)
    compared = [projection for projection in projections if projection.name in found]
    if not compared:
        return ()
    with store.open_rebuild_tables() as shadow:
        filling = Filling(shadow, compared, read, progress)
        filling.roll.request_fingerprints(checkpoint.position for checkpoint in found.values())
        filling.go_on({name: checkpoint.position for name, checkpoint in found.items()})
        # Events that came meanwhile are taken while a snapshot of the running tables is open: they are few.
        with store.snapshot() as running:
            return _compare_tables(running, shadow, filling, compared)


def contents(projections: Sequence[Projection], store: Store) -> Mapping[str, tuple[int, str]]:
    """Return by name the position and the digest of the tables there, of those that have tables of this version."""
    with store.snapshot() as reads:
        found = _of_this_version(projections, reads)
        return {one.name: (found[one.name].position, content(reads, one.tables)) for one in projections if one.name in found}


def _of_this_version(projections: Sequence[Projection], reads: Reads) -> dict[str, Checkpoint]:
    found = checkpoints.checkpoints(reads)
    return {one.name: found[one.name] for one in projections if one.name in found and found[one.name].version == one.version}


def _compare_tables(running: Reads, shadow: RebuildTables, filling: Filling, projections: Sequence[Projection]) -> tuple[Comparison, ...]:
    found = _of_this_version(projections, running)
    until = {name: checkpoint.position for name, checkpoint in found.items()}
    if not filling.can_advance_to(until):
        raise Unavailable("the tables were made anew meanwhile; compare them again", unclear=False)
    filling.roll.request_fingerprints(until.values())
    filling.go_on(until)
    known = read_all_known_events(projections, running, found)
    with shadow.transaction() as rebuilt:
        return tuple(_comparison(running, rebuilt, one, known[one.name], filling.roll) for one in projections)


def _comparison(running: Reads, rebuilt: Reads, projection: Projection, known: KnownEvents, roll: Roll) -> Comparison:
    ours, theirs = content(running, projection.tables), content(rebuilt, projection.tables)
    differing = () if ours == theirs else differences(running, rebuilt, projection)
    return Comparison(projection.name, known.position, ours, theirs, differing, roll.missing(known))
