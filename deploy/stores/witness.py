"""SQLite files of a witness and of a log monitor."""

from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar
from uuid import UUID

from deploy.stores.sqlite.connections import open_tables
from replay.proof.monitoring import Last
from replay.proof.tiles import Tile
from replay.proof.witness_protocol import ConflictProof, WitnessedCheckpoint

Done = TypeVar("Done")

_TABLES = (
    "CREATE TABLE IF NOT EXISTS witness (one INTEGER PRIMARY KEY CHECK (one = 1), key TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS cosigned (origin TEXT PRIMARY KEY, note TEXT NOT NULL, at BIGINT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS evidence (
        id INTEGER PRIMARY KEY, origin TEXT NOT NULL, proves INTEGER NOT NULL, cosigned TEXT NOT NULL, asked BLOB NOT NULL,
        at BIGINT NOT NULL, UNIQUE (cosigned, asked))""",
)
_KEY = "SELECT key FROM witness"
_NAME = "INSERT INTO witness (one, key) VALUES (1, ?) ON CONFLICT (one) DO NOTHING"
_COSIGNED = "SELECT note, at FROM cosigned WHERE origin = ?"
_COSIGN = "INSERT OR REPLACE INTO cosigned (origin, note, at) VALUES (?, ?, ?)"
_EVIDENCE = "SELECT origin, proves, cosigned, asked, at FROM evidence ORDER BY id"
_MANY = "SELECT count(*) >= ? FROM evidence WHERE origin = ? AND proves = ?"
_KEEP = "INSERT INTO evidence (origin, proves, cosigned, asked, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_MOST = 100  # per kind and log: the first ones matter, and anybody can repeat a request


class Hand:
    """Access within a transaction, which excludes other readers and writers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def find_latest_checkpoint(self, origin: str) -> WitnessedCheckpoint | None:
        row = self._connection.execute(_COSIGNED, (origin,)).fetchone()
        return WitnessedCheckpoint(*row) if row else None

    def store_checkpoint(self, origin: str, cosigned: WitnessedCheckpoint) -> None:
        self._connection.execute(_COSIGN, (origin, *cosigned))

    def keep(self, evidence: ConflictProof) -> None:
        [(many,)] = self._connection.execute(_MANY, (_MOST, evidence.origin, evidence.proves))
        if not many:
            self._connection.execute(_KEEP, evidence)


class WitnessStore:
    """Store of a witness, safe to use from many threads and processes. A transaction is on the disk when it returns.

    Raises ``Unavailable`` if the file cannot be used.
    """

    def __init__(self, file: Path) -> None:
        self._database = open_tables(file, _TABLES)

    def close(self) -> None:
        self._database.close()

    def claim_key(self, key: str) -> str:
        """Return the verifier key of the witness that this file belongs to; ``key`` is stored if it had none."""
        with self._database.transaction() as connection:
            connection.execute(_NAME, (key,))
        return self.key() or key

    def key(self) -> str | None:
        return next((str(key) for (key,) in self._database.query(_KEY)), None)

    def run_transaction(self, work: Callable[[Hand], Done]) -> Done:
        return self._database.run_transaction(lambda connection: work(Hand(connection)))

    def find_latest_checkpoint(self, origin: str) -> WitnessedCheckpoint | None:
        return next((WitnessedCheckpoint(*row) for row in self._database.query(_COSIGNED, (origin,))), None)

    def list_conflict_proofs(self) -> list[ConflictProof]:
        """Return the evidence, oldest first."""
        return [ConflictProof(origin, bool(proves), *rest) for origin, proves, *rest in self._database.query(_EVIDENCE)]


# SQLite file of a log monitor: newest verified tree head, right edge of the tree, and last mark of each stream.


_MONITOR_TABLES = (
    """CREATE TABLE IF NOT EXISTS followed (
        one INTEGER PRIMARY KEY CHECK (one = 1), note TEXT NOT NULL, size BIGINT NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS edge (level INTEGER PRIMARY KEY, place BIGINT NOT NULL, hashes BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS streams (stream BLOB PRIMARY KEY, position BIGINT NOT NULL, mark BLOB NOT NULL) WITHOUT ROWID",
    """CREATE TABLE IF NOT EXISTS contradictions (
        note TEXT NOT NULL, against TEXT NOT NULL, what TEXT NOT NULL, UNIQUE (note, against, what))""",
)
_FOLLOWED = "SELECT note, size FROM followed"
_FOLLOW = "INSERT OR REPLACE INTO followed (one, note, size) VALUES (1, ?, ?)"
_EDGE = "SELECT hashes FROM edge WHERE level = ? AND place = ?"
_LAY = "INSERT OR REPLACE INTO edge (level, place, hashes) VALUES (?, ?, ?)"
_LAST = "SELECT position, mark FROM streams WHERE stream = ?"
_GO_ON = "INSERT OR REPLACE INTO streams (stream, position, mark) VALUES (?, ?, ?)"
_STREAMS = "SELECT count(*) FROM streams"
_KEEP_STATE = "INSERT OR IGNORE INTO contradictions (note, against, what) VALUES (?, ?, ?)"


class Lasts(dict[UUID, Last]):
    """Last mark of each stream, read from the file at the first access."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection

    def __missing__(self, stream: UUID) -> Last:
        row = self._connection.execute(_LAST, (stream.bytes,)).fetchone()
        self[stream] = last = Last(*row) if row else Last()
        return last


class MonitorTransaction:
    """Progress of a monitor within one transaction: all of it is stored, or nothing."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.lasts: MutableMapping[UUID, Last] = Lasts(connection)

    def tile(self, level: int, index: int) -> bytes:
        """Return a tile of the right edge of the tree, as ``ReadTile`` requires."""
        row = self._connection.execute(_EDGE, (level, index)).fetchone()
        return bytes(row[0]) if row else b""

    def lay(self, tiles: list[tuple[Tile, bytes]]) -> None:
        self._connection.executemany(_LAY, [(tile.level, tile.index, hashes) for tile, hashes in tiles])

    def keep(self, note: str, size: int) -> int:
        """Store the newest checkpoint and how many entries were read. Return the number of streams they belong to."""
        self._connection.executemany(_GO_ON, [(stream.bytes, *last) for stream, last in self.lasts.items()])
        self._connection.execute(_FOLLOW, (note, size))
        return int(self._connection.execute(_STREAMS).fetchone()[0])


class MonitorStore:
    """Store of a monitor. Raises ``Unavailable`` if the file cannot be used."""

    def __init__(self, file: Path) -> None:
        self._database = open_tables(file, _MONITOR_TABLES)

    def close(self) -> None:
        self._database.close()

    def read_progress(self) -> tuple[str | None, int]:
        """Return the newest checkpoint that was seen, and how many entries were read."""
        return next(((str(note), int(size)) for note, size in self._database.query(_FOLLOWED)), (None, 0))

    @contextmanager
    def transaction(self) -> Iterator[MonitorTransaction]:
        with self._database.transaction() as connection:
            yield MonitorTransaction(connection)

    def record_conflict(self, note: str, against: str, what: str) -> None:
        """Store two contradicting notes, so that they can be shown to others as evidence."""
        with self._database.transaction() as connection:
            connection.execute(_KEEP_STATE, (note, against, what))
