"""Free texts of people, and the digest by which an event refers to one (``TextRef``).

The register keeps a text with a random salt of its own, so that nobody finds the words by trying; both are erased together. What was
recorded before there were salts refers to the text alone: its words can be found by trying for as long as the event is there.
"""

from hashlib import sha256

from msgspec import Struct

SALT = 16
"""Bytes of a salt."""


class SaltedText(Struct, frozen=True):
    """A text as the register keeps it. ``salt`` is ``None`` for one of before there were salts."""

    body: str
    salt: bytes | None


def text_digest(body: str, salt: bytes | None) -> str:
    """``b1:`` and SHA-256 of salt and text in UTF-8, hexadecimal; without a salt that of the text alone, as it was before."""
    return sha256(body.encode()).hexdigest() if salt is None else f"b1:{sha256(salt + body.encode()).hexdigest()}"


def text_matches(digest: str, text: SaltedText) -> bool:
    """Whether an event that holds this digest refers to this text."""
    return digest == text_digest(text.body, text.salt)
