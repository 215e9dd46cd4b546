"""The Merkle tree of RFC 9162, section 2.1, with SHA-256: its hashes, inclusion and consistency paths, and their verification.

Paths are made from the roots of complete subtrees, which is what tiles hold: a path takes some twenty of them, however large the tree is.
"""

import hmac
from collections.abc import Callable, Sequence
from functools import reduce
from hashlib import sha256
from typing import TypeAlias
from uuid import UUID

Subtrees: TypeAlias = Callable[[int, int], bytes]
"""Returns the root of a complete subtree: of ``2**level`` leaves, the one with this index among those of its level."""

EMPTY = sha256().digest()
"""The root of the tree without leaves."""


def leaf_hash(entry: bytes) -> bytes:
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def complete_root(hashes: Sequence[bytes]) -> bytes:
    """Return the root over hashes of one level, of which there is a power of two."""
    while len(hashes) > 1:
        hashes = [node_hash(left, right) for left, right in zip(hashes[::2], hashes[1::2], strict=True)]
    return hashes[0]


def root_of(subtrees: Subtrees, begin: int, end: int) -> bytes:
    """Return MTH(D[begin:end]). ``begin`` is where a subtree of such a size may begin, as 0 always is."""
    if begin == end:
        return EMPTY
    level = (end - begin).bit_length() - 1
    if end - begin == 1 << level:
        return subtrees(level, begin >> level)
    middle = _split(begin, end)
    return node_hash(root_of(subtrees, begin, middle), root_of(subtrees, middle, end))


class Growing:
    """A tree that grows leaf by leaf and keeps only what its root takes: some twenty hashes, however large it is."""

    def __init__(self) -> None:
        self.size = 0
        self._subtrees: list[bytes] = []
        """The roots of the complete subtrees that it falls into, the largest first."""

    def add(self, leaf: bytes) -> None:
        self.size += 1
        size, subtree = self.size, leaf
        while not size & 1:
            size, subtree = size >> 1, node_hash(self._subtrees.pop(), subtree)
        self._subtrees.append(subtree)

    @property
    def root(self) -> bytes:
        """MTH(D[0:size])."""
        if not self._subtrees:
            return EMPTY
        return reduce(lambda right, left: node_hash(left, right), reversed(self._subtrees))


def inclusion_path(subtrees: Subtrees, leaf: int, size: int) -> tuple[bytes, ...]:
    """Return PATH(leaf, D[0:size]), the sibling of the leaf first. ``leaf`` is below ``size``."""
    return tuple(_path(subtrees, leaf, 0, size))


def consistency_path(subtrees: Subtrees, old: int, new: int) -> tuple[bytes, ...]:
    """Return PROOF(old, D[0:new]) for ``1 <= old <= new``."""
    return tuple(_partial_proof(subtrees, old, 0, new, known=True))


def verify_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Return whether the leaf with this hash stands at ``index`` of the tree; RFC 9162, 2.1.3.2."""
    if not 0 <= index < size or len(leaf) != len(EMPTY):
        return False
    place, last, so_far = index, size - 1, leaf
    for beside in path:
        if last == 0:
            return False
        if place & 1 or place == last:
            so_far = node_hash(beside, so_far)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            so_far = node_hash(so_far, beside)
        place, last = place >> 1, last >> 1
    return last == 0 and so_far == root


def verify_consistency(old: int, new: int, path: Sequence[bytes], old_root: bytes, new_root: bytes) -> bool:
    """Return whether the older tree is the beginning of the newer one; RFC 9162, 2.1.4.2. False for the empty tree, of which that says
    nothing.
    """
    if not 0 < old <= new:
        return False
    if old == new:
        return not path and old_root == new_root
    # If the older size is a power of two, its root is a node of the newer tree, and the path leaves it out.
    nodes = list(path) if old & (old - 1) else [old_root, *path]
    if not nodes:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    return _compute_roots(nodes, place, last) == (old_root, new_root)


def _compute_roots(nodes: Sequence[bytes], place: int, last: int) -> tuple[bytes, bytes] | None:
    old_root = new_root = nodes[0]
    for beside in nodes[1:]:
        if last == 0:
            return None
        if place & 1 or place == last:
            old_root, new_root = node_hash(beside, old_root), node_hash(beside, new_root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new_root = node_hash(new_root, beside)
        place, last = place >> 1, last >> 1
    return (old_root, new_root) if last == 0 else None


def _path(subtrees: Subtrees, leaf: int, begin: int, end: int) -> list[bytes]:
    if end - begin == 1:
        return []
    middle = _split(begin, end)
    if leaf < middle:
        return [*_path(subtrees, leaf, begin, middle), root_of(subtrees, middle, end)]
    return [*_path(subtrees, leaf, middle, end), root_of(subtrees, begin, middle)]


def _partial_proof(subtrees: Subtrees, old: int, begin: int, end: int, *, known: bool) -> list[bytes]:
    """Return SUBPROOF. ``known``: the reader has the root of D[begin:end] if that is where the older tree ends."""
    if old == end:
        return [] if known else [root_of(subtrees, begin, end)]
    middle = _split(begin, end)
    if old <= middle:
        return [*_partial_proof(subtrees, old, begin, middle, known=known), root_of(subtrees, middle, end)]
    return [*_partial_proof(subtrees, old, middle, end, known=False), root_of(subtrees, begin, middle)]


def _split(begin: int, end: int) -> int:
    """Return the place behind the largest power of two below the number of leaves."""
    return begin + (1 << (end - begin - 1).bit_length() - 1)


# Leaf hashes (marks) of events in the log's tree. The tree commits to stored bytes, blindly: without its salt a commitment reveals
# nothing.


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
