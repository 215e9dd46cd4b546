"""The port of the log's stored tree: written by the log writer, and read to make proofs."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol
from uuid import UUID

from replay.proof.tiles import WIDTH, Tile, hashes_in


class Head(NamedTuple):
    """The head of the tree of an epoch: so many leaves, up to this sequence of the store. ``note`` is the newest checkpoint that was
    published, of ``signed`` leaves; ``signed_at`` in seconds since 1970. ``failure``: why nothing is signed, as the log writer reports it.
    """

    epoch: int
    size: int
    sequence: int
    signed: int = 0
    note: str | None = None
    signed_at: float = 0.0
    failure: str | None = None

    @property
    def place(self) -> tuple[int, int, int]:
        """The place of the next leaf."""
        return self.epoch, self.size, self.sequence


class Leaf(NamedTuple):
    """The event at a place of the tree, and its sequence in the store."""

    leaf: int
    stream: UUID
    position: int
    sequence: int


class HeldTree(Protocol):
    """A locked tree, which no other process grows."""

    @property
    def head(self) -> Head | None: ...

    def append(self, tiles: Sequence[tuple[Tile, bytes]], leaves: Sequence[Leaf], sequence: int) -> Head:
        """Append these leaves, with the tiles that change by that. Only once."""


class LogTree(Protocol):
    """The tree of the log. All of it can be made again from the events. Safe to use from many threads. Raises ``Unavailable``."""

    def head(self) -> Head | None:
        """Return the head; ``None`` where nothing was begun yet."""

    def tile(self, level: int, index: int) -> bytes:
        """Return the hashes of a tile, as ``ReadTile`` describes."""

    def tiles(self, places: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], bytes]:
        """Return several tiles at once, by level and index; only those that are there."""

    def leaf_of(self, stream: UUID, position: int) -> Leaf | None: ...

    def leaves(self, first: int, count: int) -> list[Leaf]: ...

    def begin(self, epoch: int) -> Head:
        """Begin an empty tree, in the place of any earlier one."""

    def lock(self) -> AbstractContextManager["HeldTree"]:
        """Lock the tree: as long as the context lasts no other process grows it."""

    def publish(self, epoch: int, signed: int, note: str, at: float) -> None:
        """Publish a checkpoint, unless a larger one is published already."""

    def note_failure(self, failure: str | None) -> None:
        """Note a failure, if there is a tree."""

    def close(self) -> None: ...


def mark_at(tree: LogTree, leaf: int) -> bytes:
    """Return the mark of a leaf. Raises ``TilesMissing``."""
    [mark] = hashes_in(tree.tile, 0, *divmod(leaf, WIDTH), 1)
    return mark
