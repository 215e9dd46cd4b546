"""What is neither event nor projection: commands already answered, access tokens, free texts of people. One SQL for both databases.

Times are RFC 3339 texts in UTC, so that they compare as texts.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from domain.journal.commits import StoredCommand


class Token(msgspec.Struct, frozen=True):
    """An access token. `hash` is the hexadecimal SHA-256 of its secret; no secret ever comes here."""

    id: str
    hash: str
    principal: str
    role: str
    label: str
    issued_at: str
    revoked_at: str | None = None


_COMMAND = "SELECT fingerprint, game, first, last, sequence, at FROM commands WHERE principal = ? AND key = ?"
_TOKEN = "SELECT id, hash, principal, role, label, issued_at, revoked_at FROM tokens"


class Registers(ABC):
    """The registers' methods of a recorder. Synchronous and thread-safe; each write is durable when the method returns."""

    @abstractmethod
    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Rows of a SELECT, with ? for parameters."""

    @abstractmethod
    def change(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Runs one statement in a transaction of its own and tells how many rows it touched."""

    @abstractmethod
    def derive(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Runs one statement for each of the rows, in one transaction that a power cut may take back: for what can be made anew."""

    @abstractmethod
    def to_column(self, id: UUID) -> Any:
        """The id as the database keeps it."""

    @abstractmethod
    def from_column(self, value: Any) -> UUID:
        """And back."""

    def find_command(self, principal: str, key: str) -> StoredCommand | None:
        """What the principal's command under this key appended, if it did and has not been forgotten."""
        for fingerprint, game, first, last, sequence, at in self.query(_COMMAND, (principal, key)):
            return StoredCommand(principal, key, fingerprint, self.from_column(game), first, last, sequence, at)
        return None

    def forget_commands(self, before: str) -> int:
        """Drops the keys of commands stored before that time, which can be used anew from then on. Tells how many."""
        return self.change("DELETE FROM commands WHERE at < ?", (before,))

    def add_token(self, token: Token) -> None:
        """Raises the library's IntegrityError if the id or the hash is there already."""
        self.change("INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(token))

    def find_token(self, hash: str) -> Token | None:
        """Also a revoked one: whether it still counts is for the caller to judge."""
        return next((Token(*row) for row in self.query(f"{_TOKEN} WHERE hash = ?", (hash,))), None)

    def list_tokens(self) -> list[Token]:
        """All tokens ever issued, oldest first."""
        return [Token(*row) for row in self.query(f"{_TOKEN} ORDER BY issued_at, id")]

    def revoke_token(self, id: str, at: str) -> bool:
        """False if there is no such token. A token revoked before keeps its first time."""
        return self.change("UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", (at, id)) == 1

    def text(self, id: str) -> str | None:
        """None if there never was such a text, or it was erased."""
        return next((body for (body,) in self.query("SELECT body FROM texts WHERE id = ?", (id,))), None)

    def erase_text(self, id: str) -> bool:
        """Takes the words away for good; the id stays taken. False if there was nothing to erase."""
        return self.change("UPDATE texts SET body = NULL WHERE id = ? AND body IS NOT NULL", (id,)) == 1
