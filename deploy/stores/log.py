"""SQL of the transparency log, shared by both databases: the register of epochs, keys and own entries, the tree, and cosignatures."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from uuid import UUID

from deploy.stores.statements import Statements
from domain.journal.log import BlindingKey, LogEpoch, OwnEntry
from projections.engine.store import Store, Transaction
from replay.proof.log import Head, Leaf
from replay.proof.tiles import Tile
from replay.proof.witnesses import Standing

_EPOCHS = "SELECT number, origin, key, store, began_at FROM log_epochs ORDER BY number"
_BEGIN_EPOCH = "INSERT INTO log_epochs (number, origin, key, store, began_at) VALUES (?, ?, ?, ?, ?)"
_OWN = "SELECT epoch, leaf, position, name, state FROM log_entries WHERE epoch = ? ORDER BY leaf"
_ENTER = "INSERT INTO log_entries (epoch, leaf, position, name, state) VALUES (?, ?, ?, ?, ?)"
_SIGN = "UPDATE log_epochs SET key = ? WHERE number = ?"
_FOLLOW = "UPDATE log_epochs SET store = ? WHERE number = ?"
_BLIND = "INSERT INTO log_blinding (epoch, leaf, key) VALUES (?, ?, ?)"
_BLINDING = "SELECT epoch, leaf, key FROM log_blinding WHERE epoch = ? ORDER BY leaf"
_KEYS = "SELECT key FROM log_keys ORDER BY since, key"
_KEEP_KEY = "INSERT INTO log_keys (key, since) VALUES (?, ?) ON CONFLICT (key) DO NOTHING"


class LogSql(Statements):
    """Implementation of ``LogRegister``."""

    def log_epochs(self) -> list[LogEpoch]:
        return [LogEpoch(*row) for row in self.query(_EPOCHS)]

    def begin_log(self, epoch: LogEpoch, blinding: bytes, *first: OwnEntry) -> None:
        keys = (_BLIND, (epoch.number, 0, blinding)), (_KEEP_KEY, (epoch.key, epoch.began_at))
        self.change_together((_BEGIN_EPOCH, epoch), *keys, *((_ENTER, entry) for entry in first))

    def track_store(self, epoch: int, store: str) -> None:
        self.change(_FOLLOW, (store, epoch))

    def own_entries(self, epoch: int) -> list[OwnEntry]:
        return [OwnEntry(*row) for row in self.query(_OWN, (epoch,))]

    def rotate_log(self, entry: OwnEntry, key: str, since: str, *, signs: bool) -> None:
        self.change_together((_ENTER, entry), (_KEEP_KEY, (key, since)), *([(_SIGN, (key, entry.epoch))] if signs else []))

    def blinding_keys(self, epoch: int) -> list[BlindingKey]:
        return [BlindingKey(number, leaf, bytes(key)) for number, leaf, key in self.query(_BLINDING, (epoch,))]

    def add_key(self, key: BlindingKey) -> None:
        self.change_together((_BLIND, key))

    def log_keys(self) -> list[str]:
        return [key for (key,) in self.query(_KEYS)]

    def keep_log_key(self, key: str, since: str) -> None:
        self.change(_KEEP_KEY, (key, since))


# SQL tables of the transparency log's tree: head, tiles and leaves, in a store of projections.


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


# SQL tables of witness cosignatures and of signed tree heads that are retained permanently.


_CREATE_WITNESSES = (
    """CREATE TABLE IF NOT EXISTS log_cosignatures (
        epoch BIGINT NOT NULL, size BIGINT NOT NULL, witness TEXT NOT NULL, note TEXT NOT NULL, line TEXT NOT NULL,
        PRIMARY KEY (epoch, size, witness))""",
    """CREATE TABLE IF NOT EXISTS log_witnesses (
        witness TEXT PRIMARY KEY, epoch BIGINT NOT NULL, size BIGINT NOT NULL, at BIGINT, trouble TEXT, since BIGINT,
        named BIGINT NOT NULL)""",
)
_CREATE_KEPT = """CREATE TABLE IF NOT EXISTS log_kept (
    epoch BIGINT NOT NULL, size BIGINT NOT NULL, note TEXT NOT NULL, PRIMARY KEY (epoch, size))"""
_STANDINGS = "SELECT witness, epoch, size, at, trouble, since, named FROM log_witnesses ORDER BY witness"
_STAND = """INSERT INTO log_witnesses (witness, epoch, size, at, trouble, since, named) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (witness) DO UPDATE SET epoch = excluded.epoch, size = excluded.size, at = excluded.at, trouble = excluded.trouble,
        since = excluded.since, named = excluded.named"""
_SIGNED = "SELECT 1 FROM log_cosignatures WHERE epoch = ? AND size = ? AND witness = ?"
_KEEP_CHECKPOINT = "INSERT INTO log_cosignatures (epoch, size, witness, note, line) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_PUBLISHED = "SELECT note FROM log_head WHERE epoch = ? AND signed = ? AND note IS NOT NULL"
_PUBLISH_CHECKPOINT = "UPDATE log_head SET note = ? WHERE epoch = ? AND signed = ?"
_IS_KEPT = "SELECT 1 FROM log_kept WHERE epoch = ? AND size = ?"
_KEEP_NOTE = "INSERT INTO log_kept (epoch, size, note) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_FIRST = "SELECT size, note FROM {table} WHERE epoch = ? AND size > ? AND size < ? ORDER BY size LIMIT 1"
_LINES = "SELECT line FROM log_cosignatures WHERE epoch = ? AND size = ? ORDER BY witness"
_WITH_NOTES = frozenset(("log_kept", "log_cosignatures"))


class SqlCosignatures:
    """Implementation of ``Cosignatures``, in the store of a log's tree."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._there = False

    def standings(self) -> list[Standing]:
        return [Standing(*row) for row in self._store.query(_STANDINGS)] if self._exists() else []

    def record_cosignature(self, standing: Standing, note: str, line: str) -> None:
        place = (standing.epoch, standing.size)
        with self._writing() as tx:
            tx.run(_STAND, standing)
            published = [text for (text,) in tx.lock_rows(_PUBLISHED, place, wait=True)]
            if tx.query(_SIGNED, (*place, standing.key)):
                return  # already stored: a note with two signatures of one witness is invalid
            tx.run(_KEEP_CHECKPOINT, (*place, standing.key, note, line))
            for text in published:
                tx.run(_PUBLISH_CHECKPOINT, (text + line, *place))

    def record_failure(self, standing: Standing) -> None:
        with self._writing() as tx:
            tx.run(_STAND, standing)

    def close(self) -> None:
        self._store.close()

    def _writing(self) -> AbstractContextManager[Transaction]:
        if not self._exists():
            with self._store.transaction(alone=True) as tx:
                for statement in _CREATE_WITNESSES:
                    tx.run(statement)
            self._there = True
        return self._store.transaction()

    def _exists(self) -> bool:
        if not self._there:
            with self._store.snapshot() as reads:
                self._there = reads.has("log_witnesses")
        return self._there


class SqlTrustedCheckpoints:
    """Implementation of ``TrustedCheckpoints``, in the same store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._there: frozenset[str] = frozenset()

    def keep(self, epoch: int, size: int, note: str) -> None:
        there = "log_kept" in self._tables()
        if there and self._store.query(_IS_KEPT, (epoch, size)):
            return
        with self._store.transaction(alone=not there) as tx:
            if not there:
                tx.run(_CREATE_KEPT)
            tx.run(_KEEP_NOTE, (epoch, size, note))

    def first_with_leaf(self, epoch: int, leaf: int, before: int) -> str | None:
        tables = self._tables()
        found = [row for table in tables for row in self._store.query(_FIRST.format(table=table), (epoch, leaf, before))]
        if not found:
            return None
        size, note = min(found)
        lines: Sequence[tuple[str]] = self._store.query(_LINES, (epoch, size)) if "log_cosignatures" in tables else []
        return str(note) + "".join(line for (line,) in lines)

    def _tables(self) -> frozenset[str]:
        """Return those of the tables that exist. Tables are never dropped, so the answer is cached."""
        if missing := _WITH_NOTES - self._there:
            with self._store.snapshot() as reads:
                self._there |= frozenset(filter(reads.has, missing))
        return self._there
