"""SQLite file of a log monitor: newest verified tree head, right edge of the tree, and last mark of each stream."""

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection
from uuid import UUID

from deploy.stores.sqlite.connections import open_tables
from replay.proof.monitoring import Last
from replay.proof.tiles import Tile

_TABLES = (
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
_KEEP = "INSERT OR IGNORE INTO contradictions (note, against, what) VALUES (?, ?, ?)"


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
        self._database = open_tables(file, _TABLES)

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
            connection.execute(_KEEP, (note, against, what))
