"""Free texts of people, and the salted digest by which an event refers to one (``TextRef``).

The register keeps a text with a random salt of its own, so that the words cannot be found by trying; both are erased together. Older events
refer to the text alone: its words can be found by trying for as long as the event is there.
"""

from hashlib import sha256

from msgspec import Struct

SALT = 16
"""Bytes of a salt."""


class SaltedText(Struct, frozen=True):
    """A text as the register keeps it. ``salt`` is ``None`` for an older text."""

    body: str
    salt: bytes | None


def text_digest(body: str, salt: bytes | None) -> str:
    """Return ``b1:`` and SHA-256 of salt and text in UTF-8, hexadecimal; without a salt, as in older events, that of the text alone."""
    return sha256(body.encode()).hexdigest() if salt is None else f"b1:{sha256(salt + body.encode()).hexdigest()}"


def text_matches(digest: str, text: SaltedText) -> bool:
    """Return whether an event that holds this digest refers to this text."""
    return digest == text_digest(text.body, text.salt)
