"""SQLite file of a witness: the last cosigned note of each log, and evidence that a log contradicts itself."""

from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from deploy.stores.sqlite.connections import open_tables
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
