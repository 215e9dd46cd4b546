"""Secrets of tokens. The register holds their SHA-256 only: a copy of the database lets nobody in.

A plain digest is enough: the secrets are random and long, so that there is nothing to guess with a slow hash.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256

from domain.journal.tokens import Token

PREFIX = "kb_"


def new_secret(chance: Callable[[], bytes]) -> str:
    """256 random bits, or more. The prefix lets a scanner find tokens that were published by mistake."""
    drawn = b""
    while len(drawn) < 32:
        drawn += chance()
    return PREFIX + urlsafe_b64encode(drawn).decode().rstrip("=")


def hashed(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def successor(old: Token, hash: str, at: str, by: str | None) -> Token:
    """The token that follows on one in a rotation. Its id follows from the old one, so that no token has two successors."""
    id = sha256(f"{old.id} rotated".encode()).hexdigest()[:8]
    return Token(id, hash, old.principal, old.role, old.label, at, None, old.grant, old.expires_at, by)
