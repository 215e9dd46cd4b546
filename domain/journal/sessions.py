"""Sessions of browsers, and the codes by which one comes in.

Times are RFC 3339 texts in UTC, to the second, so that they compare as texts.
"""

from typing import Protocol

from msgspec import Struct

from domain.access import UNBOUND, Grant
from domain.journal.commits import CommandKey


class JoinCode(Struct, frozen=True, kw_only=True):
    """`hash` is a digest of the code; no code ever comes here.

    It is good until the moment `until_at`, until the round `until_round` of the tournament of its grant closes, or until it is taken back;
    for one session, or for `many`. A `lasting` one is good until that tournament is over, for `devices` sessions at one time. Where it
    stands for a token, `token` is the id of that. It falls with the token `giver_token` by which it was issued, directly or by sessions in
    between, and with the code `giver_code` of which the last of these was made. Read from the register, `until_at` and `withdrawn_at` have
    all this in them.
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
    """`hash` is a digest of the cookie. It was made of a `token` or a `code` (ids), and ends when that is revoked or taken back; one of a
    code has the token by which the code was issued.

    `ends_at`: at the latest; `expires_at`: when the token does, as the register tells it; `ended_at`: by hand, or with that of which it
    was made. `place`: which of the devices of its code it is, from 1; `lasting`: whether that code is. Both as the register tells them.
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
    """Synchronous and thread-safe; each write is durable when the method returns."""

    def add_code(self, code: JoinCode, command: CommandKey | None = None) -> None:
        """Raises ``Duplicate`` if the id or the hash is there already, or the key of the command is taken, as all do that take one."""

    def find_code(self, hash: str) -> JoinCode | None:
        """Also finds one that is used, over or taken back; the caller has to check that."""

    def list_codes(self, at: str) -> list[JoinCode]:
        """Those that let somebody in at that time, oldest first: neither used, nor over, nor taken back. Of rounds the caller knows."""

    def withdraw_code(self, id: str, at: str, command: CommandKey | None = None) -> bool:
        """Ends the sessions that were made of it, and the codes that these issued, too. False if there is no such code.

        What was taken back keeps its first time.
        """

    def code_of(self, id: str) -> JoinCode | None: ...

    def begin_session(self, session: Session, *, redeems: JoinCode | None = None) -> None:
        """Raises ``Duplicate`` where the code is good for one session, and that has begun, or where all places of its devices are taken.

        A place is free again when its session has ended, or is past ``ends_at``.
        """

    def find_session(self, hash: str) -> Session | None:
        """Also finds one that is over; the caller has to check that."""

    def session_of(self, id: str) -> Session | None: ...

    def list_sessions(self, at: str) -> list[Session]:
        """Those that were not over at that time, oldest first. Of rounds and of what is unused the caller knows."""

    def use_session(self, id: str, at: str) -> None:
        """Notes that it was used."""

    def end_session(self, id: str, at: str, command: CommandKey | None = None) -> bool:
        """False if there is no such session. What ended before keeps its first time."""
