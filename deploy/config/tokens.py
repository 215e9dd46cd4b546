"""Access tokens that are issued here, at the machine."""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import uuid4

from api.access.tokens import hashed, new_secret, successor
from api.http.browsers.cookies import code_from, digest
from domain.access import UNBOUND, Grant
from domain.free_texts import SALT
from domain.journal.registers import Duplicate, Registers, stamp
from domain.journal.sessions import JoinCode
from domain.journal.tokens import Token


def issue(
    registers: Registers,
    clock: Callable[[], datetime],
    role: str,
    label: str,
    principal: str | None = None,
    *,
    grant: Grant = UNBOUND,
    expires_at: str | None = None,
) -> tuple[Token, str]:
    """A new token and its secret, which is told now or never. The principal, who stands in the events, is an opaque id.

    The same principal may have several tokens: another device, or a new one for one that was lost.
    """
    secret, id = drawn_secret(), secrets.token_hex(4)
    token = Token(id, hashed(secret), principal or str(uuid4()), role, label, stamp(clock()), grant=grant, expires_at=expires_at)
    registers.add_token(token)
    return token, secret


def rotate(registers: Registers, clock: Callable[[], datetime], old: Token, grace: timedelta) -> tuple[Token, str] | None:
    """The token that follows on this one, with its secret; the old one ends at once, or after the grace. ``None`` if it is over."""
    secret, now = drawn_secret(), clock()
    new = successor(old, hashed(secret), stamp(now), None)
    ends_at = min(filter(None, [old.expires_at, stamp(now + grace)])) if grace else None
    try:
        kept = not old.is_over(stamp(now)) and registers.rotate_token(old, new, stamp(now), ends_at=ends_at)
    except Duplicate:
        return None
    return (new, secret) if kept else None


def drawn_secret() -> str:
    return new_secret(lambda: secrets.token_bytes(SALT))


class First(NamedTuple):
    """The secret of the first token, and a code that stands for it in a browser."""

    secret: str
    code: str


_A_DAY = timedelta(days=1)
"""So long a code is good that is printed at the start: it stands for a token that is good for ever."""


def first_token(registers: Registers, clock: Callable[[], datetime]) -> First | None:
    """Those of a director, if no token was ever issued: otherwise nobody could get in."""
    if registers.list_tokens():
        return None
    token, secret = issue(registers, clock, "director", "first start")
    return First(secret, a_day(registers, clock, token))


def a_day(registers: Registers, clock: Callable[[], datetime], token: Token, *, many: bool = False) -> str:
    """A code that stands for this token in a browser, once or for ``many`` sessions. It is told now or never, and good for a day."""
    code = code_from(secrets.token_bytes(SALT))
    registers.add_code(
        JoinCode(
            id=secrets.token_hex(4),
            hash=digest(code),
            role=token.role,
            grant=token.grant,
            label=token.label,
            issued_at=token.issued_at,
            until_at=stamp(clock() + _A_DAY),
            many=many,
            token=token.id,
        )
    )
    return code
