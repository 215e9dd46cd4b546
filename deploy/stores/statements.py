"""What the SQL of the events and registers needs of a database. It is written once for both, with ``?`` for parameters."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any, TypeAlias
from uuid import UUID

from domain.journal.commits import CommandKey

Step: TypeAlias = tuple[str, Sequence[Any]]
"""A statement with its parameters."""

_KEY = "INSERT INTO commands (principal, key, fingerprint, game, first, last, sequence) VALUES (?, ?, ?, ?, 0, 0, 0)"
FORGET_FINGERPRINTS = "UPDATE commands SET fingerprint = '' WHERE game = ?"
"""Of the commands of a stream, once words or names are erased that their requests held. The keys stay taken."""


class Statements(ABC):
    """Synchronous and thread-safe. Raises ``StoreAway``, and ``Duplicate`` for a broken constraint.

    What changes something raises ``Unclear`` where it may have been stored all the same.
    """

    @abstractmethod
    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Rows of a SELECT."""

    @abstractmethod
    def change(self, sql: str, parameters: Sequence[Any] = (), *then: Step) -> int:
        """Runs one statement, and if it touches a row those that follow, in a transaction of its own, durable at the end. Returns how many
        rows the first one touched.
        """

    @abstractmethod
    def change_together(self, *steps: Step) -> None:
        """Runs statements with their parameters in one transaction, durable at the end."""

    @abstractmethod
    def derive(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Runs one statement for each of the rows, in one transaction that a power cut may take back: for what can be made anew."""

    @abstractmethod
    def to_column(self, id: UUID) -> Any:
        """The id as the database keeps it."""

    @abstractmethod
    def from_column(self, value: Any) -> UUID:
        """And back."""

    def key_of(self, command: CommandKey | None, made: str = "0") -> tuple[Step, ...]:
        """What keeps the key of a command that appends no event, in the transaction of its change. ``made``: the id of what it made, in
        hexadecimal digits; it stands where those of games do.
        """
        if command is None:
            return ()
        return ((_KEY, (command.principal, command.key, command.fingerprint, self.to_column(UUID(int=int(made, 16))))),)


def placeholders(values: Collection[object]) -> str:
    """Placeholders for ``IN (…)``."""
    return ", ".join("?" * len(values))
