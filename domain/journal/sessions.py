"""Browser sessions and join codes, as the register holds them.

Times are RFC 3339 texts in UTC, to the second, so that they compare as texts.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from domain.access import UNBOUND, Grant
from domain.journal.commits import CommandKey


class JoinCode(Struct, frozen=True, kw_only=True):
    """A join code. `hash` is a digest of the code; no code ever comes here.

    It is good until the moment `until_at`, until the round `until_round` of the tournament of its grant closes, or until it is taken back;
    for one session, or for `many`. A `lasting` one is good until that tournament is over, for `devices` sessions at one time. If it stands
    for a token, `token` is the id of that. It ends with the token `giver_token` by which it was issued, directly or by sessions in between,
    and with the code `giver_code` of which the last of these was made. Read from the register, `until_at` and `withdrawn_at` include all
    this.
    """

    id: str
    hash: str
    role: str
    grant: Grant = UNBOUND
    label: str
    issued_at: str
    issued_by: str | None = None
    until_at: str | None = None
    until_round: int | None = None
    many: bool = False
    token: str | None = None
    giver_token: str | None = None
    giver_code: str | None = None
    lasting: bool = False
    devices: int | None = None
    withdrawn_at: str | None = None


class Session(Struct, frozen=True, kw_only=True):
    """A session. `hash` is a digest of the cookie. It was made of a `token` or a `code` (ids), and ends when that is revoked or taken back;
    one of a code has the token by which the code was issued.

    `ends_at`: at the latest; `expires_at`: when the token does, as read from the register; `ended_at`: by hand, or with the token or code
    it was made of. `place`: its number among the devices of its code, from 1; `lasting`: whether that code is. Both as read from the
    register.
    """

    id: str
    hash: str
    principal: str
    role: str
    grant: Grant = UNBOUND
    label: str
    began_at: str
    ends_at: str
    used_at: str
    token: str | None = None
    code: str | None = None
    until_round: int | None = None
    ended_at: str | None = None
    expires_at: str | None = None
    place: int | None = None
    lasting: bool = False


class SessionRegister(Protocol):
    """The register of sessions and codes. Synchronous and thread-safe; each write is durable when the method returns."""

    def add_code(self, code: JoinCode, command: CommandKey | None = None) -> None:
        """Add a code. Raises ``Duplicate`` if the id or the hash is there already, or the key of the command is taken, like every method
        that takes a command.
        """

    def find_code(self, hash: str) -> JoinCode | None:
        """Find a code, also one that is used, over or taken back; the caller has to check that."""

    def list_codes(self, at: str) -> list[JoinCode]:
        """Return the codes that are valid at that time, oldest first: neither used, nor over, nor taken back. The caller has to check
        rounds.
        """

    def withdraw_code(self, id: str, at: str, command: CommandKey | None = None) -> bool:
        """Take a code back, and end the sessions that were made of it, and the codes that these issued. False if there is no such code.

        A code that was taken back keeps its first time.
        """

    def code_of(self, id: str) -> JoinCode | None: ...

    def begin_session(self, session: Session, *, redeems: JoinCode | None = None) -> None:
        """Begin a session. Raises ``Duplicate`` if the code is good for one session, and that has begun, or if all places of its devices
        are taken.

        A place is free again when its session has ended, or is past ``ends_at``.
        """

    def find_session(self, hash: str) -> Session | None:
        """Find a session, also one that is over; the caller has to check that."""

    def session_of(self, id: str) -> Session | None: ...

    def list_sessions(self, at: str) -> list[Session]:
        """Return the sessions that were not over at that time, oldest first. The caller has to check rounds and disuse."""

    def use_session(self, id: str, at: str) -> None:
        """Note that the session was used."""

    def end_session(self, id: str, at: str, command: CommandKey | None = None) -> bool:
        """End a session. False if there is no such session. A session that ended before keeps its first time."""


# Access tokens, as the register holds them.


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
