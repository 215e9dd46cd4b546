"""Monitor checks of a log: that it only grows, and that its entries list the events of each stream one after the other, once."""

from collections.abc import Iterable, MutableMapping
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

from replay.proof.checkpoints import Checkpoint
from replay.proof.tree import ZEROS, leaf_hash, verify_consistency

ENTRY = 89
"""Bytes of an entry: 0x01, the stream, the position, the mark before it, the commitment."""

Contradiction: TypeAlias = Literal["two_roots", "not_continued", "went_back", "no_entry", "not_next", "not_chained", "other_root"]
"""A contradiction that a log that is kept as promised never shows; the sentences stand in ``deploy/texts.*.toml`` under ``monitor.…``."""


class LogConflictError(Exception):
    """The log breaks its promise. ``leaf``: the place of the entry at which that shows, else ``None``."""

    def __init__(self, what: Contradiction, leaf: int | None = None) -> None:
        super().__init__(f"{what} at {leaf}")
        self.what: Contradiction = what
        self.leaf = leaf


class Last(NamedTuple):
    """The newest event of a stream: its position and its mark."""

    position: int = 0
    mark: bytes = ZEROS


class Entry(NamedTuple):
    stream: UUID
    position: int
    prev: bytes


def read_entry(entry: bytes, leaf: int) -> Entry:
    """Return the entry. Raises ``LogConflictError``."""
    if len(entry) != ENTRY or entry[0] != 1:
        raise LogConflictError("no_entry", leaf)
    return Entry(UUID(bytes=entry[1:17]), int.from_bytes(entry[17:25]), entry[25:57])


def check_leaves(entries: Iterable[bytes], first: int, lasts: MutableMapping[UUID, Last]) -> list[bytes]:
    """Return the leaf hashes of these entries, of which the first stands at the leaf ``first``. Updates ``lasts``, which has ``Last()`` for
    a new stream.

    Since a position follows the one before it, none is left out and none stands there twice. Raises ``LogConflictError``.
    """
    marks = []
    for leaf, data in enumerate(entries, first):
        entry = read_entry(data, leaf)
        last = lasts[entry.stream]
        if entry.position != last.position + 1:
            raise LogConflictError("not_next", leaf)
        if entry.prev != last.mark:
            raise LogConflictError("not_chained", leaf)
        lasts[entry.stream] = Last(entry.position, leaf_hash(data))
        marks.append(lasts[entry.stream].mark)
    return marks


def needs_path(before: Checkpoint | None, now: Checkpoint) -> bool:
    """Return whether a consistency path is needed to know that the log continued. Raises ``LogConflictError`` if none can help."""
    if before is None or before.size == 0:
        return False
    if now.size < before.size:
        raise LogConflictError("went_back")
    if now.size == before.size and now.root != before.root:
        raise LogConflictError("two_roots")
    return now.size > before.size


def check_continued(before: Checkpoint, now: Checkpoint, path: tuple[bytes, ...]) -> None:
    """Raise ``LogConflictError`` unless the path proves that the log continued."""
    if not verify_consistency(before.size, now.size, path, before.root, now.root):
        raise LogConflictError("not_continued")
