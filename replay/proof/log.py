"""The tree of a log as it is kept: what its keeper writes, and what proofs are made of."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol
from uuid import UUID

from replay.proof.tiles import WIDTH, Tile, hashes_in


class Head(NamedTuple):
    """How far the tree of an epoch has come: so many leaves, up to this sequence of the store. ``note`` is the newest checkpoint that was
    published, of ``signed`` leaves; ``signed_at`` in seconds since 1970. ``failure``: why nothing is signed, as its keeper says.
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
        """Where the next leaf goes."""
        return self.epoch, self.size, self.sequence


class Leaf(NamedTuple):
    """Whose event stands at a place of the tree, and at which sequence it lies in the store."""

    leaf: int
    stream: UUID
    position: int
    sequence: int


class HeldTree(Protocol):
    """A tree that nobody else grows."""

    @property
    def head(self) -> Head | None: ...

    def append(self, tiles: Sequence[tuple[Tile, bytes]], leaves: Sequence[Leaf], sequence: int) -> Head:
        """These leaves behind those that are there, and the tiles that are others by that. Once."""


class LogTree(Protocol):
    """All of it can be made anew from the events. Safe to use from many threads. Raises ``Unavailable``."""

    def head(self) -> Head | None:
        """``None`` where nothing was begun yet."""

    def tile(self, level: int, index: int) -> bytes:
        """As ``ReadTile`` wants it."""

    def tiles(self, places: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], bytes]:
        """Several at once, by level and index; of those only that are there."""

    def leaf_of(self, stream: UUID, position: int) -> Leaf | None: ...

    def leaves(self, first: int, count: int) -> list[Leaf]: ...

    def begin(self, epoch: int) -> Head:
        """An empty tree in the place of whatever lies there."""

    def held(self) -> AbstractContextManager["HeldTree"]:
        """For as long as the context lasts nobody else grows it."""

    def publish(self, epoch: int, signed: int, note: str, at: float) -> None:
        """Unless a larger one is published already."""

    def note_failure(self, failure: str | None) -> None:
        """Where there is a tree."""

    def close(self) -> None: ...


def mark_at(tree: LogTree, leaf: int) -> bytes:
    """Raises ``TilesMissing``."""
    [mark] = hashes_in(tree.tile, 0, *divmod(leaf, WIDTH), 1)
    return mark
