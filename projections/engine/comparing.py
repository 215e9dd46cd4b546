"""Verification of projections: the running tables are compared with tables filled from the events. Changes nothing."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

from domain.errors import Unavailable
from projections.engine import checkpoints
from projections.engine.checkpoints import Checkpoint
from projections.engine.missing_events import KnownEvents, Missing, Roll, content, read_all_known_events, table_sums
from projections.engine.projection import Projection, ReadEvents
from projections.engine.rebuilding import Filling, Progress
from projections.engine.store import Reads, RebuildTables, Row, Store

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
