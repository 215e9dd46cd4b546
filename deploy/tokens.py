"""Access tokens that are issued here, at the machine."""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import uuid4

from api.access.secrets import hashed, new_secret
from api.http.browsers.codes import code_from, digest
from domain.free_texts import SALT
from domain.journal.registers import Registers
from domain.journal.sessions import JoinCode
from domain.journal.tokens import Token


def issue(registers: Registers, clock: Callable[[], datetime], role: str, label: str, principal: str | None = None) -> tuple[Token, str]:
    """A new token and its secret, which is told now or never. The principal, who stands in the events, is an opaque id.

    The same principal may have several tokens: another device, or a new one for one that was lost.
    """
    secret = new_secret(lambda: secrets.token_bytes(SALT))
    token = Token(secrets.token_hex(4), hashed(secret), principal or str(uuid4()), role, label, stamp(clock()))
    registers.add_token(token)
    return token, secret


class First(NamedTuple):
    """The secret of the first token, and a code that stands for it in a browser."""

    secret: str
    code: str


_FIRST_DAY = timedelta(days=1)
"""So long the code of the first start is good: it stands beside a token that is good for ever."""


def first_token(registers: Registers, clock: Callable[[], datetime]) -> First | None:
    """Those of a director, if no token was ever issued: otherwise nobody could get in."""
    if registers.list_tokens():
        return None
    token, secret = issue(registers, clock, "director", "first start")
    code = code_from(secrets.token_bytes(SALT))
    registers.add_code(
        JoinCode(
            id=secrets.token_hex(4),
            hash=digest(code),
            role=token.role,
            label=token.label,
            issued_at=token.issued_at,
            until_at=stamp(clock() + _FIRST_DAY),
            token=token.id,
        )
    )
    return First(secret, code)


def stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
