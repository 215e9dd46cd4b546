"""Progress of projections: the position that each has reached, in a table of its own."""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.store import Reads, Transaction, placeholders
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
