"""The store port of the projections (transactions, shadow tables, publication, on any database), and the definition of a projection.

SQL is written once, with ``?`` for parameters. All rows are derived from the events, so a commit need not reach the disk at once: rows and
position are committed together, and rows lost in a power cut are projected again.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from domain.effects import Effects
from domain.errors import Unavailable
from domain.events import Recorded, player, tournament
from domain.events.game import MovePlayed
from domain.score import SCORING

Row: TypeAlias = tuple[Any, ...]
Params: TypeAlias = Sequence[Any]

KEPT = "kept_"
"""The prefix of tables that a rebuilding laid aside."""


class Busy(Unavailable):
    """Another process is writing; nothing was done, and it may be tried again."""

    def __init__(self) -> None:
        super().__init__("the database of the projections is being written to", unclear=False)


class Rebuilding(Unavailable):
    """Projections of this database are being rebuilt already, here or in another process."""

    def __init__(self) -> None:
        super().__init__("somebody else is rebuilding projections of this database; wait until that is done", unclear=False)


def unavailable_error(error: Exception | str) -> Unavailable:
    """Return the error of a database that does not answer, with the reason that its driver gives."""
    return Unavailable(f"the database of the projections does not answer: {error}", unclear=False)


class Reads(Protocol):
    """One moment of the database: all queries see the same commit."""

    def query(self, sql: str, params: Params = ()) -> list[Row]: ...

    def rows(self, sql: str) -> Iterator[Row]:
        """Yield the rows, for more than should lie in memory at once."""

    def has(self, table: str, column: str | None = None) -> bool: ...


class Transaction(Reads, Protocol):
    """A transaction that writes."""

    def lock_rows(self, sql: str, params: Params = (), *, wait: bool = False) -> list[Row]:
        """Query rows and lock them until the end of the transaction. Rows that are locked already are left out, or waited for."""

    def run(self, sql: str, params: Params = ()) -> None: ...

    def run_many(self, sql: str, rows: Iterable[Params]) -> None: ...

    def add(self, table: str, columns: str, rows: Sequence[Params]) -> None:
        """Insert many rows of which none is there yet, in the way that is the quickest here."""

    def rename_old_tables(self, tables: Iterable[str]) -> None:
        """Rename tables, if they are there, so that their names are free: ``KEPT`` is the prefix. Tables laid aside before are dropped."""


class Publication(Transaction, Protocol):
    """A transaction that writes the shadow tables and those of the store. A name means the shadow table, if there is one."""

    def publish(self, old: Iterable[str], new: Iterable[str]) -> None:
        """Lay the old tables aside, and put the shadow tables of these names among those that are read. Raises ``Busy``."""


class RebuildTables(Protocol):
    """Tables of a rebuilding, which are not read yet."""

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Return a transaction, all or nothing. The tables of the store cannot be seen."""

    def publication(self) -> AbstractContextManager[Publication]:
        """Return a publication, all or nothing; readers see the old rows until it is through. Raises ``Busy``."""


class Store(Protocol):
    """The store of the projections. Safe to use from many threads. Raises ``Unavailable`` where the database does not answer."""

    def query(self, sql: str, params: Params = ()) -> list[Row]:
        """Read the last commit; never waits for a writer."""

    def snapshot(self) -> AbstractContextManager[Reads]:
        """Return several queries of the same moment. Never waits for a writer, and keeps none waiting."""

    def transaction(self, *, alone: bool = False, leading: bool = False) -> AbstractContextManager[Transaction]:
        """Return a transaction, all or nothing. ``alone``: no other process changes tables meanwhile. ``leading``: only while this process
        leads, so that one that stood still and was replaced writes nothing any more. Raises ``Busy``.
        """

    def open_rebuild_tables(self) -> AbstractContextManager[RebuildTables]:
        """Return room for a rebuilding, one at a time; tables that were not published are gone at the end. Raises ``Rebuilding``."""

    def lead(self) -> bool:
        """Return whether this process is the one that projects. It stays so as long as it asks again within some seconds."""

    def close(self) -> None: ...


def placeholders(count: int) -> str:
    """Return placeholders for ``IN (…)``."""
    return ", ".join("?" * count)


def rows_by_ids(reads: Reads, select: str, ids: Collection[str]) -> list[Row]:
    """Return the rows of these ids; ``select`` ends with ``IN``. Without an id the database is not queried."""
    return reads.query(f"{select} ({placeholders(len(ids))})", tuple(ids)) if ids else []


# The definition of a projection: its tables, and how events change them. One file each, and one line in ``deploy/compose.py``.


Batch: TypeAlias = Sequence[tuple[int, Recorded]]
"""Events with their sequences, in commit order."""

ReadEvents: TypeAlias = Callable[[int, int], Batch]
"""Reads from the journal the events after a sequence, so many at most."""

_OTHERS = frozenset({*tournament.NAMES, *player.NAMES})
_OTHER_NAMES = frozenset({*tournament.NAMES.values(), *player.NAMES.values()})
"""They identify the kind of an event that cannot be read: its class says nothing then."""
_SCORING = frozenset(SCORING)


class Projection(Struct, frozen=True):
    """A projection. ``tables``: for each table the statements that create it and its indexes.

    ``version`` rises when the tables or their content changes: they are then dropped and filled again from the events. ``apply`` gets every
    event once and in order. Its result must not depend on how events are cut into batches. ``plain_moves``: whether it needs moves that
    write nothing on a sheet. Most events are such moves. ``known`` queries the streams that the tables know, and up to which position each:
    a row a stream. So they reveal events that are gone. ``update`` computes what follows from many rows, a portion at a time, and returns
    whether more is left. It is called at the newest event only, until nothing is left; only then its rows are those of the events.
    """

    name: str
    version: int
    tables: dict[str, tuple[str, ...]]
    apply: Callable[[Transaction, Batch], None]
    known: str = ""
    plain_moves: bool = True
    update: Callable[[Transaction], bool] | None = None

    def finish(self, tx: Transaction) -> None:
        """Compute all that follows."""
        while self.update is not None and self.update(tx):
            pass


class News(list[tuple[int, Recorded]]):
    """A batch for several projections, sorted once."""

    @cached_property
    def special(self) -> "News":
        """The events that are no plain moves: all that write on a sheet, open or seat, and all acts."""
        return News([one for one in self if not is_plain_move(one[1])])

    @cached_property
    def games(self) -> dict[str, list[tuple[int, Recorded]]]:
        return by_game(self)

    def batch_for(self, projection: Projection) -> "News":
        """Return the events of the batch that the projection needs, in order; perhaps none."""
        return self if projection.plain_moves else self.special


def sort_batch(batch: Batch) -> News:
    return batch if isinstance(batch, News) else News(batch)


def is_plain_move(recorded: Recorded) -> bool:
    event = recorded.event
    return type(event) is MovePlayed and not scores(event.effects)


def scores(effects: Effects) -> bool:
    """Return whether one of the effects writes on a sheet."""
    return not _SCORING.isdisjoint(map(type, effects))


def create_tables(tx: Transaction, projection: Projection) -> None:
    for statements in projection.tables.values():
        for statement in statements:
            tx.run(statement)


def by_game(batch: Batch) -> dict[str, list[tuple[int, Recorded]]]:
    """Return the events of each game, in order; those of tournaments and players are left out."""
    games: defaultdict[int, list[tuple[int, Recorded]]] = defaultdict(list)
    for one in batch:
        recorded = one[1]
        kind = type(recorded.event)
        if kind is MovePlayed or (kind not in _OTHERS and recorded.name not in _OTHER_NAMES):
            games[recorded.stream.int].append(one)
    # Grouped by number, and each id turned into text only once: the conversion takes longer than all the rest.
    return {str(events[0][1].stream): events for events in games.values()}
