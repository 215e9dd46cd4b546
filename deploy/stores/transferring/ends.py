"""One end of a transfer: a store of which whole tables are read or written, over one connection."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeAlias

from deploy.stores.transferring.tables import EPOCHS, EVENTS, MARK, REGISTERS, Table, is_of_others

Row: TypeAlias = tuple[Any, ...]
Tell: TypeAlias = Callable[[int], object]
"""Is told of how many more rows were dealt with."""

_STEP = 1000

_PRESENT = f"number = (SELECT max(number) FROM {EPOCHS})"


class Disturbed(Exception):
    """Somebody else writes to the store of which a transfer takes hold."""


class End(ABC):
    """Values are alike on every database: an id is 16 bytes. Raises the driver's errors."""

    @property
    @abstractmethod
    def place(self) -> str | None:
        """Where the store lies, as its epochs name it."""

    @abstractmethod
    def run(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """One statement that both databases understand."""

    @abstractmethod
    def names(self) -> set[str]:
        """Of all tables there."""

    @abstractmethod
    def table(self, name: str) -> Table:
        """As the migrations made it."""

    @abstractmethod
    def rows(self, table: Table, after: int | None = None) -> AbstractContextManager[Iterator[Row]]:
        """In the order of the key; of events those after a sequence. Within a transaction."""

    @abstractmethod
    def append(self, table: Table, rows: Iterable[Row]) -> None:
        """Within a transaction."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[object]:
        """Durable at its end."""

    @abstractmethod
    def held(self) -> AbstractContextManager[object]:
        """A transaction in which nobody else writes to the store, but for the projections. Raises ``Disturbed``."""

    @abstractmethod
    def require_alone(self) -> None:
        """Raises ``Disturbed`` if a service is at work on this store."""

    @abstractmethod
    def claim(self) -> None:
        """To fill the store, and nobody else meanwhile. Raises ``NotGranted`` if this account may not, and ``Disturbed``."""

    @abstractmethod
    def filled(self) -> None:
        """Once all is there: sequences go on behind the last one, and the database looks what it has."""

    @abstractmethod
    def close(self) -> None: ...

    def strangers(self) -> list[str]:
        """Tables that are not ours."""
        return sorted(name for name in self.names() - {EVENTS, *REGISTERS, MARK} if not is_of_others(name))

    def count(self, name: str) -> int:
        [(number,)] = self.run(f"SELECT count(*) FROM {name}")
        return int(number)

    def last_sequence(self) -> int:
        [(sequence,)] = self.run(f"SELECT coalesce(max(sequence), 0) FROM {EVENTS}")
        return int(sequence)

    def epoch(self) -> tuple[str, str | None]:
        """The present one, and its place."""
        [(id, place)] = self.run(f"SELECT id, place FROM {EPOCHS} WHERE {_PRESENT}")
        return id, place

    def put(self, place: str | None) -> None:
        """The present epoch goes on there."""
        self.run(f"UPDATE {EPOCHS} SET place = ? WHERE {_PRESENT}", (place,))

    def leave(self, place: str) -> None:
        """The same, at the end of a transaction in which the store was held. Raises ``Disturbed`` if a service has begun meanwhile."""
        self.put(place)

    def begun(self) -> str | None:
        """The epoch of the store from which this one is being filled; ``None`` if none is at work here, or it is through."""
        return next((str(epoch) for (epoch,) in self.run(f"SELECT epoch FROM {MARK}")), None) if MARK in self.names() else None


def counted(rows: Iterable[Row], tell: Tell) -> Iterator[Row]:
    number = 0
    for number, row in enumerate(rows, 1):
        yield row
        if number % _STEP == 0:
            tell(_STEP)
    tell(number % _STEP)
