"""Leaf hashes (marks) of events in the log's tree. The tree commits to stored bytes, blindly: without its salt a commitment reveals
nothing.
"""

import hmac
from hashlib import sha256
from uuid import UUID

from replay.proof.tree import leaf_hash

ZEROS = bytes(32)
"""The mark before the first event of a stream."""


def salt_of(blinding: bytes, stream: UUID, position: int) -> bytes:
    return hmac.digest(blinding, b"kiebitz-salt/1\n" + stream.bytes + position.to_bytes(8), "sha256")[:16]


def head_of(stream: UUID, position: int, name: str) -> bytes:
    return f"kiebitz-event/1\n{stream}\n{position}\n{name}\n".encode()


def commitment_to(salt: bytes, head: bytes, stored: bytes) -> bytes:
    return sha256(salt + head + stored).digest()


def commitment_of(blinding: bytes, stream: UUID, position: int, name: str, stored: bytes) -> bytes:
    """Return the commitment to an event, with the salt that this key gives it."""
    return commitment_to(salt_of(blinding, stream, position), head_of(stream, position, name), stored)


def entry_of(stream: UUID, position: int, prev: bytes, commitment: bytes) -> bytes:
    """Return the 89 bytes of a leaf. ``prev``: the mark of the event before it in its stream, ``ZEROS`` for the first."""
    return b"\1" + stream.bytes + position.to_bytes(8) + prev + commitment


def mark_of(stream: UUID, position: int, prev: bytes, commitment: bytes) -> bytes:
    """Return the leaf hash of the event. Since it rests on the mark before it, the last one fixes the whole stream."""
    return leaf_hash(entry_of(stream, position, prev, commitment))


def extend_view_digest(told: bytes, head: bytes, shown: bytes, *, opened: bool) -> bytes:
    """Return the digest of the shown events of a view, one event further; it begins as ``ZEROS``. ``shown``: the bytes that stand in the
    file.
    """
    return sha256(told + sha256((b"\1" if opened else b"\2") + head + shown).digest()).digest()
