"""How far each projection is, in a table beside theirs: the one thing about them that is not in their own rows."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from projections.engine.store import Reads, Tx
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
_SELECT = "SELECT * FROM projections"  # whoever only looks may find a table without the later columns
_UPSERT = """INSERT INTO projections (name, version, tables, position, whole_at, fingerprint, reason)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET version = excluded.version, tables = excluded.tables, position = excluded.position,
    whole_at = excluded.whole_at, error = NULL, failed_at = NULL, fingerprint = excluded.fingerprint, reason = excluded.reason"""
_MOVE = "UPDATE projections SET position = ?, fingerprint = ?, error = NULL, failed_at = NULL WHERE name = ?"
_FAIL = "UPDATE projections SET error = ?, failed_at = ? WHERE name = ? AND position < ?"


class Checkpoint(Struct, frozen=True):
    """``position`` is the sequence of the last event in the tables. Before ``whole_at``, the newest event when the tables were made,
    they lack what was recorded long ago. ``error`` is why the projection stopped, at the sequence ``failed_at``. By its ``fingerprint``
    the last event is known again. ``reason`` is why tables were made anew although the version is the same.
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
    def whole(self) -> bool:
        """Else nobody should read the tables."""
        return self.position >= self.whole_at

    @property
    def percent(self) -> int:
        """How much of what was there before the tables were made is in them."""
        return 100 if self.whole else 100 * self.position // self.whole_at


def create_table(tx: Tx) -> None:
    """Or adds what a table of an older version lacks."""
    tx.run(_TABLE)
    for column in _LATER:
        if not tx.has("projections", column):
            tx.run(f"ALTER TABLE projections ADD COLUMN {column} TEXT")


def checkpoints(reads: Reads) -> Mapping[str, Checkpoint]:
    """By name. Creates nothing: in a database in which nothing was projected yet there are none."""
    if not reads.has("projections"):
        return {}
    return {name: _checkpoint(values) for name, *values in reads.query(_SELECT)}


def hold(tx: Tx, name: str, *, wait: bool) -> Checkpoint | None:
    """Keeps the checkpoint from other writers until the end. ``None`` also where somebody else has it, unless waited for."""
    for _, *values in tx.hold(f"{_SELECT} WHERE name = ?", (name,), wait=wait):
        return _checkpoint(values)
    return None


def put(tx: Tx, name: str, checkpoint: Checkpoint) -> None:
    """Of new tables."""
    tables = as_json(checkpoint.tables)
    tx.run(_UPSERT, (name, checkpoint.version, tables, checkpoint.position, checkpoint.whole_at, checkpoint.fingerprint, checkpoint.reason))


def move(tx: Tx, name: str, position: int, fingerprint: str) -> None:
    """Whatever had stopped the projection is over."""
    tx.run(_MOVE, (position, fingerprint, name))


def fail(tx: Tx, name: str, error: str, sequence: int) -> None:
    """Unless another process has come past that event meanwhile."""
    tx.run(_FAIL, (error, sequence, name, sequence))


def _checkpoint(values: list[Any]) -> Checkpoint:
    version, tables, *rest = values
    return Checkpoint(version, tuple(msgspec.json.decode(tables)), *rest)
