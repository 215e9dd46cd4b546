"""Transfer of a whole store to another database: copy of all tables, comparison by digests, handover of the epoch."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from hashlib import sha256
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import msgspec

# The tables of a store, as a closed list: a test compares it with the migrations, so that none is forgotten.


EVENTS = "events"
EPOCHS = "epochs"
REGISTERS = (
    EPOCHS,
    "tokens",
    "join_codes",
    "sessions",
    "commands",
    "texts",
    "people",
    "refs",
    "origins",
    "prepared_boards",
    "shuffle_secrets",
    "looks",
    "refusals",
    "walls",
    "webhooks",
    "webhook_deliveries",
    "snapshots",
    "log_epochs",
    "log_keys",
    "log_entries",
    "log_blinding",
)
MARK = "kiebitz_transfer"
"""Table that exists in a store while a transfer fills it; it holds the epoch of the source."""
LOCAL = {EPOCHS: frozenset({"place"})}
"""Columns that say where a store is, not what it holds."""

_OTHERS = ("_yoyo_", "yoyo_", "product_versions", "sqlite_")  # of the migrations, which each database runs itself, and of SQLite


class Table(NamedTuple):
    """A table as a database has it: its columns in the order of their names, and those of its primary key."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


def is_of_others(name: str) -> bool:
    """Return whether a table contains no recorded data, but belongs to a library or the database."""
    return name.startswith(_OTHERS)


Row: TypeAlias = tuple[Any, ...]
Tell: TypeAlias = Callable[[int], object]
"""Progress callback, with the number of further rows."""

_STEP = 1000

_PRESENT = f"number = (SELECT max(number) FROM {EPOCHS})"


class TransferConflictError(Exception):
    """Raised when another process writes to the store that a transfer works on."""


class End(ABC):
    """A store at one end of a transfer. Values are alike on every database: an id is 16 bytes. Raises the driver's errors."""

    @property
    @abstractmethod
    def place(self) -> str | None:
        """Return the place of the store, as its epochs name it."""

    @abstractmethod
    def run(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run one statement that both databases understand."""

    @abstractmethod
    def names(self) -> set[str]:
        """Return the names of all existing tables."""

    @abstractmethod
    def table(self, name: str) -> Table:
        """Return a table as the migrations created it."""

    @abstractmethod
    def rows(self, table: Table, after: int | None = None) -> AbstractContextManager[Iterator[Row]]:
        """Return the rows in the order of the key; of events those after a sequence. Requires a transaction."""

    @abstractmethod
    def append(self, table: Table, rows: Iterable[Row]) -> None:
        """Insert rows. Requires a transaction."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[object]:
        """Open a transaction that is durable at its end."""

    @abstractmethod
    def lock(self) -> AbstractContextManager[object]:
        """Open a transaction in which no other process writes to the store, except to the projections. Raises ``TransferConflictError``."""

    @abstractmethod
    def require_exclusive(self) -> None:
        """Raise ``TransferConflictError`` if a service is at work on this store."""

    @abstractmethod
    def claim(self) -> None:
        """Claim the store for filling, to the exclusion of others. Raises ``GrantError`` if this account may not, and
        ``TransferConflictError``.
        """

    @abstractmethod
    def finish_filling(self) -> None:
        """Finish the copy: let sequences continue after the last one, and update the database's statistics."""

    @abstractmethod
    def close(self) -> None: ...

    def list_foreign_tables(self) -> list[str]:
        """Return the names of tables that are not ours."""
        return sorted(name for name in self.names() - {EVENTS, *REGISTERS, MARK} if not is_of_others(name))

    def count(self, name: str) -> int:
        [(number,)] = self.run(f"SELECT count(*) FROM {name}")
        return int(number)

    def last_sequence(self) -> int:
        [(sequence,)] = self.run(f"SELECT coalesce(max(sequence), 0) FROM {EVENTS}")
        return int(sequence)

    def epoch(self) -> tuple[str, str | None]:
        """Return the present epoch and its place."""
        [(id, place)] = self.run(f"SELECT id, place FROM {EPOCHS} WHERE {_PRESENT}")
        return id, place

    def put(self, place: str | None) -> None:
        """Set the place at which the present epoch continues."""
        self.run(f"UPDATE {EPOCHS} SET place = ? WHERE {_PRESENT}", (place,))

    def leave(self, place: str) -> None:
        """Set the new place, at the end of a transaction in which the store was held. Raises ``TransferConflictError`` if a service has
        begun meanwhile.
        """
        self.put(place)

    def read_source_epoch(self) -> str | None:
        """Return the epoch of the store from which this one is being filled; ``None`` if no transfer is under way."""
        return next((str(epoch) for (epoch,) in self.run(f"SELECT epoch FROM {MARK}")), None) if MARK in self.names() else None


def count_rows(rows: Iterable[Row], tell: Tell) -> Iterator[Row]:
    number = 0
    for number, row in enumerate(rows, 1):
        yield row
        if number % _STEP == 0:
            tell(_STEP)
    tell(number % _STEP)


# Contents of a store, by digests that are the same on every database.


_packed = msgspec.msgpack.Encoder().encode  # the encoding marks the type and the end of each value


class Contents(NamedTuple):
    """SHA-256 of each stream, over its sequences, positions, names and stored bytes, and of each register, over all its rows."""

    streams: dict[bytes, bytes]
    registers: dict[str, bytes]

    @property
    def digest(self) -> str:
        """Return one digest of all contents."""
        return sha256(_packed((sorted(self.streams.items()), sorted(self.registers.items())))).hexdigest()

    def differences(self, other: "Contents") -> list[str]:
        """Return the streams and registers that are not the same in both."""
        streams = sorted(self.streams.items() ^ other.streams.items())
        registers = sorted(self.registers.items() ^ other.registers.items())
        return [*dict.fromkeys(name for name, _ in registers), *dict.fromkeys(str(UUID(bytes=id)) for id, _ in streams)]


def contents(end: End, tell: Tell) -> Contents:
    """Return the contents of a store. Requires a transaction."""
    return Contents(_streams(end, tell), {name: _register(end, name, tell) for name in REGISTERS})


def _streams(end: End, tell: Tell) -> dict[bytes, bytes]:
    table = end.table(EVENTS)
    stream = itemgetter(table.columns.index("originator_id"))
    found: defaultdict[bytes, Any] = defaultdict(sha256)
    with end.rows(table) as rows:
        for row in count_rows(rows, tell):
            found[stream(row)].update(_packed(row))
    return {id: digest.digest() for id, digest in found.items()}


def _register(end: End, name: str, tell: Tell) -> bytes:
    table = end.table(name)
    compared = itemgetter(*(place for place, column in enumerate(table.columns) if column not in LOCAL.get(name, ())))
    digest = sha256()
    with end.rows(table) as rows:
        for row in count_rows(rows, tell):
            digest.update(_packed(compared(row)))
    return digest.digest()


# The transfer of a whole store from one end to the other.


BATCH = 10_000
"""Events per transaction: at most so many are copied again if the transfer is interrupted."""


class ContentMismatchError(Exception):
    """Raised when the two ends do not hold the same. ``names`` are the streams and registers that differ."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(", ".join(names))
        self.names = names


def begin(target: End, epoch: str) -> None:
    """Mark the target as being filled; no service uses it until ``finish``."""
    with target.transaction():
        target.run(f"CREATE TABLE {MARK} (epoch TEXT NOT NULL)")
        target.run(f"INSERT INTO {MARK} (epoch) VALUES (?)", (epoch,))


def copy(source: End, target: End, tell: Tell, batch: int = BATCH) -> None:
    """Copy the events after the last one that the target has, and all registers anew, because their contents change."""
    tell(target.count(EVENTS))
    with source.rows(source.table(EVENTS), target.last_sequence()) as rows:
        for events in _batches(rows, batch):
            with target.transaction():
                target.append(target.table(EVENTS), events)
            tell(len(events))
    for name in REGISTERS:
        with source.rows(source.table(name)) as rows, target.transaction():
            target.run(f"DELETE FROM {name}")
            target.append(target.table(name), count_rows(rows, tell))
    target.finish_filling()


def _batches(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    while batch := list(islice(rows, size)):
        yield batch


def compare(source: End, target: End, tell: Tell) -> Contents:
    """Compare both ends; return their contents. Raises ``ContentMismatchError``."""
    there = contents(source, tell)
    with target.transaction():
        here = contents(target, tell)
    if differences := there.differences(here):
        raise ContentMismatchError(differences)
    return here


def finish(target: End) -> None:
    """Let the epoch continue here, after it has ended at the source."""
    place = target.place
    with target.transaction():
        target.put(place)
        target.run(f"DROP TABLE {MARK}")
