"""Progress of projections: the position that each has reached; events that projections know and the journal does not.

Tables outlive events that were removed: they hold which streams there were, and how far each had come. They are then the only trace.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.events import Recorded
from projections.engine.store import Batch, Projection, ReadEvents, Reads, Transaction, placeholders
from projections.values import as_json

_TABLE = """CREATE TABLE IF NOT EXISTS projections (
    name TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    tables TEXT NOT NULL,
    position BIGINT NOT NULL,
    whole_at BIGINT NOT NULL,
    error TEXT,
    failed_at BIGINT,
    fingerprint TEXT,
    reason TEXT
)"""
_LATER = ("fingerprint", "reason")
"""Columns that tables of older versions lack. They are last, in this order."""
_SELECT = "SELECT * FROM projections"  # every column: a reader may find a table of an older version, which lacks the later ones
_UPSERT = """INSERT INTO projections (name, version, tables, position, whole_at, fingerprint, reason)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET version = excluded.version, tables = excluded.tables, position = excluded.position,
    whole_at = excluded.whole_at, error = NULL, failed_at = NULL, fingerprint = excluded.fingerprint, reason = excluded.reason"""
_MOVE = "UPDATE projections SET position = ?, fingerprint = ?, error = NULL, failed_at = NULL"
_FAIL = "UPDATE projections SET error = ?, failed_at = ? WHERE name = ? AND position < ?"


class Checkpoint(Struct, frozen=True):
    """A checkpoint. ``position`` is the sequence of the last event in the tables. Before ``whole_at``, the newest event when the tables
    were made, they lack older events. ``error`` is why the projection stopped, at the sequence ``failed_at``. ``fingerprint`` identifies
    the last event. ``reason`` is why tables were made again although the version is the same.
    """

    version: int
    tables: tuple[str, ...]
    position: int
    whole_at: int
    error: str | None = None
    failed_at: int | None = None
    fingerprint: str | None = None
    reason: str | None = None

    @property
    def is_complete(self) -> bool:
        """Return whether the tables hold everything; otherwise they should not be read."""
        return self.position >= self.whole_at

    @property
    def percent(self) -> int:
        """The share of the events before the making of the tables that is in them."""
        return 100 if self.is_complete else 100 * self.position // self.whole_at


def create_table(tx: Transaction) -> None:
    """Create the table, or add the columns that one of an older version lacks."""
    tx.run(_TABLE)
    for column in _LATER:
        if not tx.has("projections", column):
            tx.run(f"ALTER TABLE projections ADD COLUMN {column} TEXT")


def checkpoints(reads: Reads) -> Mapping[str, Checkpoint]:
    """Return the checkpoints by name. Creates nothing: in a database without any projection there are none."""
    if not reads.has("projections"):
        return {}
    return {name: _checkpoint(values) for name, *values in reads.query(_SELECT)}


def lock_checkpoints(tx: Transaction, names: Collection[str], *, wait: bool) -> Mapping[str, Checkpoint]:
    """Lock the checkpoints of these names until the end of the transaction: those that are there, without ``wait`` those of them that no
    other writer has.
    """
    rows = tx.lock_rows(f"{_SELECT} WHERE name IN ({placeholders(len(names))})", tuple(names), wait=wait)
    return {name: _checkpoint(values) for name, *values in rows}


def put(tx: Transaction, name: str, checkpoint: Checkpoint) -> None:
    """Write the checkpoint of new tables."""
    tables = as_json(checkpoint.tables)
    tx.run(_UPSERT, (name, checkpoint.version, tables, checkpoint.position, checkpoint.whole_at, checkpoint.fingerprint, checkpoint.reason))


def move(tx: Transaction, held: Mapping[str, Checkpoint], position: int, fingerprint: str) -> Mapping[str, Checkpoint]:
    """Move checkpoints on and clear their errors. Return the new checkpoints."""
    if held:
        tx.run(f"{_MOVE} WHERE name IN ({placeholders(len(held))})", (position, fingerprint, *held))
    return {name: replace(one, position=position, fingerprint=fingerprint, error=None, failed_at=None) for name, one in held.items()}


def fail(tx: Transaction, name: str, error: str, sequence: int) -> None:
    """Note the error, unless another process has passed that event meanwhile."""
    tx.run(_FAIL, (error, sequence, name, sequence))


def _checkpoint(values: list[Any]) -> Checkpoint:
    version, tables, *rest = values
    return Checkpoint(version, tuple(msgspec.json.decode(tables)), *rest)


# Completeness check of projections: whether all events exist that their tables know.


# A digest of the tables of a projection: the same rows give the same digest, on either database and in any order.


_ROOM = 2**256  # sums stay as long as one SHA-256


def content(reads: Reads, tables: Iterable[str]) -> str:
    """Return a digest of the tables, 64 hexadecimal digits."""
    found = sha256()
    for table, rows in table_sums(reads, tables).items():
        found.update(f"{table}\0{rows:064x}\n".encode())
    return found.hexdigest()


def table_sums(reads: Reads, tables: Iterable[str]) -> dict[str, int]:
    """Return a number for the content of each of the tables, by name and in this order."""
    return {table: _sum(reads, table) for table in sorted(tables)}


def _sum(reads: Reads, table: str) -> int:
    """Return the sum of the digests of the rows. It does not depend on their order, and unlike exclusive or it notices a row that is there
    twice.
    """
    encode = msgspec.json.Encoder().encode
    return sum(int.from_bytes(sha256(encode(row)).digest()) for row in reads.rows(f"SELECT * FROM {table}")) % _ROOM


# Fingerprints identify the last event in the tables of a projection.
#
# Its sequence is not enough: when the events are set back to an older copy, sequences are given a second time.


SET_BACK = "the events were set back to an older copy"


def event_fingerprint(recorded: Recorded) -> str:
    """Return a fingerprint of the event as it is stored and of its place, 64 hexadecimal digits."""
    place = f"{recorded.stream} {recorded.position} {recorded.name}\n"
    return sha256(place.encode() + recorded.state).hexdigest()


def fingerprint_at(sequence: int, read: ReadEvents) -> str | None:
    """Return the fingerprint of the event at a sequence; ``None`` if no event has this sequence."""
    return next((event_fingerprint(recorded) for found, recorded in read(sequence - 1, 1)[:1] if found == sequence), None)


def is_set_back(checkpoint: Checkpoint, read: ReadEvents) -> bool:
    """Return whether the last event in the tables is gone, or another one has its sequence. Older versions kept no fingerprint."""
    if checkpoint.position == 0:
        return False
    found = fingerprint_at(checkpoint.position, read)
    return found is None or checkpoint.fingerprint not in (None, found)


class MissingEvents(Struct, frozen=True):
    """A stream with missing events: the tables know it up to the position ``known``; the journal holds it without a gap up to ``held``, 0
    for not at all.
    """

    stream: str
    known: int
    held: int


class Missing(Struct, frozen=True):
    """The events that the tables of a projection know and the journal does not hold. ``set_back``: the last event in the tables, at the
    sequence ``position``, is gone, or it is another one by now.
    """

    position: int = 0
    set_back: bool = False
    lacks: tuple[MissingEvents, ...] = ()

    def __bool__(self) -> bool:
        return self.set_back or bool(self.lacks)


class KnownEvents(Struct, frozen=True):
    """The knowledge of events in the tables of a projection: the last one in them, and the last position of each stream."""

    position: int
    fingerprint: str | None
    streams: Mapping[str, int]


def read_known_events(reads: Reads, projection: Projection, checkpoint: Checkpoint) -> KnownEvents:
    """Return the knowledge of the tables. Tables of another version yield no more than their last event: their form is not known."""
    readable = projection.known and checkpoint.version == projection.version
    rows = reads.query(projection.known) if readable else []
    return KnownEvents(checkpoint.position, checkpoint.fingerprint, dict(rows))


def read_all_known_events(projections: Sequence[Projection], reads: Reads, found: Mapping[str, Checkpoint]) -> dict[str, KnownEvents]:
    """Return the knowledge by name, of the projections that have tables."""
    return {one.name: read_known_events(reads, one, found[one.name]) for one in projections if one.name in found}


class Roll:
    """The events that were read: of each stream how far without a gap, and the fingerprints of those that are asked for."""

    def __init__(self) -> None:
        self._wanted: set[int] = set()
        self._fingerprints: dict[int, str] = {}
        self._held: dict[int, int] = {}  # by the number of an id: that is found faster than the id

    def request_fingerprints(self, sequences: Iterable[int]) -> None:
        """Ask for the fingerprints of events that are still to be read."""
        self._wanted.update(sequences)

    def take(self, batch: Batch) -> None:
        held = self._held
        for sequence, recorded in batch:
            stream = recorded.stream.int
            if recorded.position == held.get(stream, 0) + 1:
                held[stream] = recorded.position
            if sequence in self._wanted:
                self._fingerprints[sequence] = event_fingerprint(recorded)

    def missing(self, known: KnownEvents) -> Missing:
        """Return the missing events, once all events were read up to the position of the tables."""
        found = self._fingerprints.get(known.position)
        set_back = known.position > 0 and (found is None or known.fingerprint not in (None, found))
        held = {str(UUID(int=stream)): position for stream, position in self._held.items()}  # tables may hold texts that are no ids
        lacks = (MissingEvents(stream, last, held.get(stream, 0)) for stream, last in sorted(known.streams.items()))
        found_lacking = tuple(lack for lack in lacks if lack.held < lack.known)
        return Missing(known.position if set_back else 0, set_back, found_lacking)
