"""Access tokens, as the register holds them."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from domain.access import UNBOUND, Grant
from domain.journal.commits import CommandKey


class Token(Struct, frozen=True):
    """An access token. `hash` is the hexadecimal SHA-256 of its secret; no secret ever comes here.

    `issued_by` is a principal, none for one that was issued at the command line; `used_at` tells the minute of its last use.
    """

    id: str
    hash: str
    principal: str
    role: str
    label: str
    issued_at: str
    revoked_at: str | None = None
    grant: Grant = UNBOUND
    expires_at: str | None = None
    issued_by: str | None = None
    used_at: str | None = None

    def is_over(self, at: str) -> bool:
        """Return whether the token is no longer valid at that time."""
        return self.revoked_at is not None or (self.expires_at is not None and self.expires_at <= at)


class TokenRegister(Protocol):
    """The register of tokens. Synchronous and thread-safe; each write is durable when the method returns, or raises ``OutcomeUnknownError``
    if that could not be found out.
    """

    def add_token(self, token: Token, command: CommandKey | None = None) -> None:
        """Add a token. Raises ``Duplicate`` if the id or the hash is there already, or the key of the command is taken."""

    def find_token(self, hash: str) -> Token | None:
        """Find a token, also one that is over; the caller has to check that."""

    def token_of(self, id: str) -> Token | None:
        """Find a token by its id, also one that is over."""

    def list_tokens(self) -> list[Token]:
        """Return all tokens ever issued, oldest first."""

    def revoke_token(self, id: str, at: str, command: CommandKey | None = None) -> bool:
        """Revoke a token. False if there is no such token. A token revoked before keeps its first time."""

    def rotate_token(self, old: Token, new: Token, at: str, *, ends_at: str | None, command: CommandKey | None = None) -> bool:
        """Add the new token and end the old one at ``at``, or let it run out at ``ends_at``: both or neither.

        False if the old one was revoked meanwhile. Raises ``Duplicate`` as ``add_token`` does.
        """

    def note_uses(self, uses: Sequence[tuple[str, str]]) -> None:
        """Note the minute of the last use of each token, by its id. A power cut may undo it."""
