"""Access tokens that are issued here, at the machine."""

import secrets
from collections.abc import Callable
from datetime import datetime
from uuid import uuid4

from api.access.secrets import hashed, new_secret
from domain.free_texts import SALT
from domain.journal.registers import Registers
from domain.journal.tokens import Token


def issue(registers: Registers, clock: Callable[[], datetime], role: str, label: str, principal: str | None = None) -> tuple[Token, str]:
    """A new token and its secret, which is told now or never. The principal, who stands in the events, is an opaque id.

    The same principal may have several tokens: another device, or a new one for one that was lost.
    """
    secret = new_secret(lambda: secrets.token_bytes(SALT))
    token = Token(secrets.token_hex(4), hashed(secret), principal or str(uuid4()), role, label, stamp(clock()))
    registers.add_token(token)
    return token, secret


def first_token(registers: Registers, clock: Callable[[], datetime]) -> str | None:
    """The secret of a director, if no token was ever issued: otherwise nobody could get in."""
    if registers.list_tokens():
        return None
    return issue(registers, clock, "director", "first start")[1]


def stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
