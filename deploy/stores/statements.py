"""Interface of a database for the SQL of events and registers, which is written once for both with ``?`` for parameters."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from domain.journal.commits import CommandKey

Step: TypeAlias = tuple[str, Sequence[Any]]
"""A statement with its parameters."""

_KEY = "INSERT INTO commands (principal, key, fingerprint, game, first, last, sequence) VALUES (?, ?, ?, ?, 0, 0, 0)"
FORGET_FINGERPRINTS = "UPDATE commands SET fingerprint = '' WHERE game = ?"
"""Erases the fingerprints of a stream's commands, once texts or names of their requests are erased. The keys stay taken."""


class Statements(ABC):
    """Synchronous, thread-safe access to a database. Raises ``StoreUnavailableError``, and ``Duplicate`` for a broken constraint.

    Methods that write raise ``OutcomeUnknownError`` if the change may have been stored all the same.
    """

    changes = 0
    """Rises with every change of names and texts by this process."""

    @abstractmethod
    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a SELECT."""

    @abstractmethod
    def change(self, sql: str, parameters: Sequence[Any] = (), *then: Step) -> int:
        """Run one statement and, if it touches a row, those that follow; return how many rows the first one touched.

        All run in one transaction, durable at the end.
        """

    @abstractmethod
    def change_together(self, *steps: Step) -> None:
        """Run statements with their parameters in one transaction, durable at the end."""

    @abstractmethod
    def derive(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run one statement for each of the rows, in one transaction that a power cut may undo: for data that can be rebuilt."""

    @abstractmethod
    def to_column(self, id: UUID) -> Any:
        """Return the id as the database stores it."""

    @abstractmethod
    def from_column(self, value: Any) -> UUID:
        """Return the id of a stored value."""

    def key_of(self, command: CommandKey | None, made: str = "0") -> tuple[Step, ...]:
        """Return the steps that store the key of a command without events, in the transaction of its change.

        ``made``: the id of the new object in hexadecimal digits; it is stored in the column of the game.
        """
        if command is None:
            return ()
        return ((_KEY, (command.principal, command.key, command.fingerprint, self.to_column(UUID(int=int(made, 16))))),)


def placeholders(values: Collection[object]) -> str:
    """Return placeholders for ``IN (…)``."""
    return ", ".join("?" * len(values))


# Errors of the drivers, for a terminal: keys of the command line's catalogue, with the values of their texts.


Told: TypeAlias = tuple[str, dict[str, object]]

ANSWER = 60.0
"""Seconds that a server has to reply, where only a command or a background thread waits."""
LACKS_RIGHTS = "`kiebitz migrate` is for the role that owns the tables; with --serving-role NAME it gives another one the right to serve."
"""Text for the log; the catalogue has it in every language."""


class GrantError(Exception):
    """Raised when a PostgreSQL role cannot be made the serving one. ``advice`` is what to do first."""

    def __init__(self, problem: str, advice: str, **detail: object) -> None:
        super().__init__(problem)
        self.told: tuple[Told, Told] = (problem, detail), (advice, detail)


def explain(error: Exception) -> tuple[Told, ...] | None:
    """Return the problem and the advice for an error of a driver; ``None`` for other errors."""
    if isinstance(error, GrantError):
        return error.told
    said: dict[str, object] = {"problem": first_line(error)}
    if isinstance(error, sqlite3.Error):
        return ("embedded_unusable", said), ("doctor_folder", {})
    import psycopg  # a command that needs no PostgreSQL should not wait for it to be loaded

    match error:
        case psycopg.OperationalError():
            return ("database_away", said), ("database_running", {})
        case psycopg.errors.InsufficientPrivilege():
            return ("database_denies", said), ("lacks_rights", {})
        case psycopg.Error():
            return ("database_refused", said), ("doctor_database", {})
    return None


def first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


# Log of the migrating library.


class Anonymous:
    """Part of the library's backends that omits the names of machine and user from its log.

    They are private, and looking them up fails for a user without a name.
    """

    def get_log_data(self, migration: Any = None, operation: str = "apply") -> dict[str, Any]:
        ids = {"migration_id": migration and migration.id, "migration_hash": migration and migration.hash}
        when = datetime.now(UTC).replace(tzinfo=None)
        return {"id": str(uuid4()), **ids, "username": "", "hostname": "", "created_at_utc": when, "operation": operation}
