"""Access tokens. The register holds the SHA-256 of a secret only: a copy of the database lets nobody in.

A plain digest is enough: the secrets are random and long, so that there is nothing to guess with a slow hash.
"""

import hashlib
import secrets
from collections.abc import Callable
from datetime import datetime
from uuid import uuid4

from domain.journal.registers import Registers
from domain.journal.tokens import Token

PREFIX = "kb_"


def new_secret() -> str:
    """256 random bits. The prefix lets a scanner find tokens that were published by mistake."""
    return PREFIX + secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def issue(registers: Registers, clock: Callable[[], datetime], role: str, label: str, principal: str | None = None) -> tuple[Token, str]:
    """A new token and its secret, which is told now or never. The principal, who stands in the events, is an opaque id.

    The same principal may have several tokens: another device, or a new one for one that was lost.
    """
    secret = new_secret()
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
