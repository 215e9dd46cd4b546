"""What the SQL of the events and registers needs of a database. It is written once for both, with ``?`` for parameters."""

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


# What the drivers' errors mean to somebody at a terminal: keys of the catalogue of the command line, with what their texts name.


Told: TypeAlias = tuple[str, dict[str, object]]

ANSWER = 60.0
"""Seconds that a server has to reply before that is an error, where nobody is kept waiting but a command or a thread of its own."""
LACKS_RIGHTS = "`kiebitz migrate` is for the role that owns the tables; with --serving-role NAME it gives another one the right to serve."
"""For the log; the catalogue has it in every language."""


class NotGranted(Exception):
    """A role of PostgreSQL cannot be made the one that serves. ``advice`` is what to do first."""

    def __init__(self, problem: str, advice: str, **detail: object) -> None:
        super().__init__(problem)
        self.told: tuple[Told, Told] = (problem, detail), (advice, detail)


def explain(error: Exception) -> tuple[Told, ...] | None:
    """What went wrong, and what can be done about it; ``None`` for an error of neither driver."""
    if isinstance(error, NotGranted):
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


# What the migrating library writes into its log.


class Anonymous:
    """A part of its backends. Else it would name the machine and its user, which is nobody's business and fails where he has no name."""

    def get_log_data(self, migration: Any = None, operation: str = "apply") -> dict[str, Any]:
        ids = {"migration_id": migration and migration.id, "migration_hash": migration and migration.hash}
        when = datetime.now(UTC).replace(tzinfo=None)
        return {"id": str(uuid4()), **ids, "username": "", "hostname": "", "created_at_utc": when, "operation": operation}
