"""SQL tables of the transparency log's tree: head, tiles and leaves, in a store of projections.

The tree follows from the events and can be rebuilt from them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from uuid import UUID

from projections.engine.store import Store, Transaction
from replay.proof.log import Head, Leaf
from replay.proof.tiles import Tile

_CREATE = (
    """CREATE TABLE IF NOT EXISTS log_head (
        one INTEGER PRIMARY KEY CHECK (one = 1), epoch BIGINT NOT NULL, size BIGINT NOT NULL, sequence BIGINT NOT NULL,
        signed BIGINT NOT NULL, note TEXT, signed_at DOUBLE PRECISION NOT NULL, failure TEXT)""",
    """CREATE TABLE IF NOT EXISTS log_tiles (
        level INTEGER NOT NULL, place BIGINT NOT NULL, hashes {bytes} NOT NULL, PRIMARY KEY (level, place))""",
    """CREATE TABLE IF NOT EXISTS log_leaves (
        leaf {place} PRIMARY KEY, stream {bytes} NOT NULL, position BIGINT NOT NULL, sequence BIGINT NOT NULL,
        UNIQUE (stream, position))""",
)
_HEAD = "SELECT epoch, size, sequence, signed, note, signed_at, failure FROM log_head"
_TILE = "SELECT hashes FROM log_tiles WHERE level = ? AND place = ?"
_TILES = "SELECT level, place, hashes FROM log_tiles"
_LEAF = "SELECT leaf, position, sequence FROM log_leaves WHERE stream = ? AND position = ?"
_LEAVES = "SELECT leaf, stream, position, sequence FROM log_leaves WHERE leaf >= ? AND leaf < ? ORDER BY leaf"
_BEGIN = "INSERT INTO log_head (one, epoch, size, sequence, signed, signed_at) VALUES (1, ?, 0, 0, 0, 0)"
_GROW = "UPDATE log_head SET size = ?, sequence = ? WHERE one = 1"
_PUBLISH = "UPDATE log_head SET signed = ?, note = ?, signed_at = ? WHERE epoch = ? AND (signed < ? OR note IS NULL)"
_FAIL = "UPDATE log_head SET failure = ?"
_LAY = "INSERT INTO log_tiles (level, place, hashes) VALUES (?, ?, ?) ON CONFLICT (level, place) DO UPDATE SET hashes = excluded.hashes"
_PLACE = "stream, position, leaf, sequence"


SQLITE_TYPES = {"bytes": "BLOB", "place": "INTEGER"}  # only with this type is the primary key the rowid itself
POSTGRES_TYPES = {"bytes": "bytea", "place": "BIGINT"}


class SqlLogTree:
    """Implementation of ``LogTree``. ``types``: the database's names of the types of bytes and of the number that finds a leaf."""

    def __init__(self, store: Store, types: Mapping[str, str]) -> None:
        self.store = store
        self._types = types
        self._there = False

    def head(self) -> Head | None:
        return next((Head(*row) for row in self.store.query(_HEAD)), None) if self._exists() else None

    def tile(self, level: int, index: int) -> bytes:
        return next((bytes(hashes) for (hashes,) in self.store.query(_TILE, (level, index))), b"")

    def tiles(self, places: Collection[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
        wanted = " OR ".join(["(level = ? AND place = ?)"] * len(places))
        rows = self.store.query(f"{_TILES} WHERE {wanted}", [number for place in places for number in place])
        return {(level, index): bytes(hashes) for level, index, hashes in rows}

    def leaf_of(self, stream: UUID, position: int) -> Leaf | None:
        rows = self.store.query(_LEAF, (stream.bytes, position)) if self._exists() else []
        return next((Leaf(leaf, stream, at, sequence) for leaf, at, sequence in rows), None)

    def leaves(self, first: int, count: int) -> list[Leaf]:
        rows = self.store.query(_LEAVES, (first, first + count))
        return [Leaf(leaf, UUID(bytes=bytes(stream)), position, sequence) for leaf, stream, position, sequence in rows]

    def begin(self, epoch: int) -> Head:
        with self.store.transaction(alone=True) as tx:
            for statement in _CREATE:
                tx.run(statement.format_map(self._types))
            # a tree holds one epoch: whatever is left of another one goes first
            for table in ("log_head", "log_tiles", "log_leaves"):
                tx.run(f"DELETE FROM {table}")
            tx.run(_BEGIN, (epoch,))
        self._there = True
        return Head(epoch, 0, 0)

    @contextmanager
    def lock(self) -> Iterator["_Held"]:
        with self.store.transaction() as tx:
            yield _Held(tx)

    def publish(self, epoch: int, signed: int, note: str, at: float) -> None:
        with self.store.transaction() as tx:
            tx.run(_PUBLISH, (signed, note, at, epoch, signed))

    def note_failure(self, failure: str | None) -> None:
        if self._exists():
            with self.store.transaction() as tx:
                tx.run(_FAIL, (failure,))

    def close(self) -> None:
        self.store.close()

    def _exists(self) -> bool:
        if not self._there:
            with self.store.snapshot() as reads:
                self._there = reads.has("log_head")
        return self._there


class _Held:
    """Implementation of ``HeldTree``: the tree, locked for the length of a transaction."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self.head = next((Head(*row) for row in tx.lock_rows(_HEAD, wait=True)), None)

    def append(self, tiles: Sequence[tuple[Tile, bytes]], leaves: Sequence[Leaf], sequence: int) -> Head:
        assert self.head is not None
        size = self.head.size + len(leaves)
        self._tx.run_many(_LAY, [(tile.level, tile.index, hashes) for tile, hashes in tiles])
        self._tx.add("log_leaves", _PLACE, [(one.stream.bytes, one.position, one.leaf, one.sequence) for one in leaves])
        self._tx.run(_GROW, (size, sequence))
        return self.head._replace(size=size, sequence=sequence)
