"""Access tokens issued at the machine itself, without the API."""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import uuid4

from api.access.tokens import build_replacement, hash_secret, new_secret
from api.http.browsers.cookies import code_from, digest
from domain.access import UNBOUND, Grant
from domain.free_texts import SALT
from domain.journal.registers import Duplicate, Registers, stamp
from domain.journal.sessions import JoinCode, Token


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
    """Issue a new token; return it with its secret, which is shown only once.

    The principal stands in events and is an opaque id. A principal may have several tokens, for another device or in place of a lost one.
    """
    secret, id = draw_secret(), secrets.token_hex(4)
    token = Token(id, hash_secret(secret), principal or str(uuid4()), role, label, stamp(clock()), grant=grant, expires_at=expires_at)
    registers.add_token(token)
    return token, secret


def rotate(registers: Registers, clock: Callable[[], datetime], old: Token, grace: timedelta) -> tuple[Token, str] | None:
    """Replace a token; return its successor and the secret, or ``None`` if the token is over.

    The old token ends at once, or after ``grace``.
    """
    secret, now = draw_secret(), clock()
    new = build_replacement(old, hash_secret(secret), stamp(now), None)
    ends_at = min(filter(None, [old.expires_at, stamp(now + grace)])) if grace else None
    try:
        kept = not old.is_over(stamp(now)) and registers.rotate_token(old, new, stamp(now), ends_at=ends_at)
    except Duplicate:
        return None
    return (new, secret) if kept else None


def draw_secret() -> str:
    return new_secret(lambda: secrets.token_bytes(SALT))


class First(NamedTuple):
    """Secret of the first token, and a code that opens a session with it in a browser."""

    secret: str
    code: str


_A_DAY = timedelta(days=1)
"""Lifetime of a code that is printed at the start: it stands for a token that does not expire."""


def first_token(registers: Registers, clock: Callable[[], datetime]) -> First | None:
    """Issue the first token, for a director; ``None`` if any token was ever issued. Without it nobody could sign in."""
    if registers.list_tokens():
        return None
    token, secret = issue(registers, clock, "director", "first start")
    return First(secret, a_day(registers, clock, token))


def a_day(registers: Registers, clock: Callable[[], datetime], token: Token, *, many: bool = False) -> str:
    """Return a code that opens a session with this token in a browser, once or ``many`` times. It is shown only once and is valid for a
    day.
    """
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
