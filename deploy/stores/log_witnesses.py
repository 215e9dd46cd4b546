"""SQL tables of witness cosignatures and of signed tree heads that are retained permanently.

Retained are checkpoints that were printed or that an event names. These tables do not follow from the events, so no rebuild touches them.
"""

from contextlib import AbstractContextManager

from projections.engine.store import Store, Transaction
from replay.proof.witnesses import Standing

_CREATE = (
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
_KEEP = "INSERT INTO log_cosignatures (epoch, size, witness, note, line) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_PUBLISHED = "SELECT note FROM log_head WHERE epoch = ? AND signed = ? AND note IS NOT NULL"
_PUBLISH = "UPDATE log_head SET note = ? WHERE epoch = ? AND signed = ?"
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
            tx.run(_KEEP, (*place, standing.key, note, line))
            for text in published:
                tx.run(_PUBLISH, (text + line, *place))

    def record_failure(self, standing: Standing) -> None:
        with self._writing() as tx:
            tx.run(_STAND, standing)

    def close(self) -> None:
        self._store.close()

    def _writing(self) -> AbstractContextManager[Transaction]:
        if not self._exists():
            with self._store.transaction(alone=True) as tx:
                for statement in _CREATE:
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
        lines = self._store.query(_LINES, (epoch, size)) if "log_cosignatures" in tables else []
        return str(note) + "".join(line for (line,) in lines)

    def _tables(self) -> frozenset[str]:
        """Return those of the tables that exist. Tables are never dropped, so the answer is cached."""
        if missing := _WITH_NOTES - self._there:
            with self._store.snapshot() as reads:
                self._there |= frozenset(filter(reads.has, missing))
        return self._there
