"""What several tests of projections need."""

from collections.abc import Sequence

import psycopg

from projections.engine.projector import Projector
from projections.engine.store import Batch, Projection, Row, Store, Transaction
from projections.models.game_index import GAME_INDEX
from projections.models.score_sheets import SCORE_SHEETS
from tests.projections.histories import Log


def end_lease(url: str) -> None:
    """Let the lease of the process that projects run out at once: it was killed, or stands still."""
    if url.startswith("postgresql"):
        with psycopg.connect(url, autocommit=True) as other:
            other.execute("UPDATE projector SET until = '-infinity'")


BOTH = (GAME_INDEX, SCORE_SHEETS)


def projector(store: Store, log: Log, projections: Sequence[Projection] = BOTH, batch: int = 500, **kwargs) -> Projector:
    """Prepared, but not running. ``batch``: at most so many events at once."""
    made = Projector(projections, store, lambda after, limit: log.read(after, min(limit, batch)), log.head, log.wait, **kwargs)
    made.prepare()
    return made


def projected(store: Store, log: Log, *projections: Projection, **kwargs) -> Projector:
    """Prepared and up to date."""
    made = projector(store, log, projections or BOTH, **kwargs)
    made.catch_up()
    return made


def rows(store: Store, *projections: Projection) -> dict[str, list[Row]]:
    """Everything that lies in the tables of the projections."""
    tables = [table for projection in projections or BOTH for table in projection.tables]
    return {table: sorted(store.query(f"SELECT * FROM {table}"), key=repr) for table in tables}


def _count(tx: Transaction, batch: Batch) -> None:
    tx.run_many("INSERT INTO counts (sequence) VALUES (?)", [(sequence,) for sequence, _ in batch])


COUNTS = Projection("counts", 1, {"counts": ("CREATE TABLE counts (sequence BIGINT NOT NULL)",)}, _count)
"""A row an event, without a key: an event taken twice shows, and so does one left out."""


def counted(store: Store) -> list[int]:
    return [sequence for (sequence,) in store.query("SELECT sequence FROM counts ORDER BY sequence")]


def sequences(log: Log) -> list[int]:
    return [sequence for sequence, _ in log.events]


class Touchy:
    """A projection that fails at the event of one sequence until it is healed."""

    def __init__(self, sequence: int) -> None:
        self.sequence: int | None = sequence
        self.projection = Projection("touchy", 1, {"counts": COUNTS.tables["counts"]}, self.apply)

    def apply(self, tx: Transaction, batch: Batch) -> None:
        _count(tx, batch)
        if any(sequence == self.sequence for sequence, _ in batch):
            raise ValueError("no, not this one")

    def heal(self) -> None:
        self.sequence = None


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now
