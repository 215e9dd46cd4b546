"""The tree of a log as it is kept: what its keeper writes, and what proofs are made of."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

from replay.proof.tiles import Tile


class Head(NamedTuple):
    """How far the tree of an epoch has come: so many leaves, up to this sequence of the store. ``note`` is the newest checkpoint that was
    published, of ``signed`` leaves.
    """

    epoch: int
    size: int
    sequence: int
    signed: int = 0
    note: str | None = None


class Leaf(NamedTuple):
    """Whose event stands at a place of the tree, and at which sequence it lies in the store."""

    leaf: int
    stream: UUID
    position: int
    sequence: int


class LogTree(Protocol):
    """All of it can be made anew from the events. Safe to use from many threads. Raises ``Unavailable``."""

    def head(self) -> Head | None:
        """``None`` where nothing was begun yet."""

    def tile(self, level: int, index: int) -> bytes:
        """As ``ReadTile`` wants it."""

    def leaf_of(self, stream: UUID, position: int) -> Leaf | None: ...

    def leaves(self, first: int, count: int) -> list[Leaf]: ...

    def begin(self, epoch: int) -> Head:
        """An empty tree in the place of whatever lies there."""

    def append(self, head: Head, tiles: Sequence[tuple[Tile, bytes]], leaves: Sequence[Leaf], sequence: int) -> Head | None:
        """These leaves behind those of ``head``, and the tiles that are others by that. ``None`` where somebody else wrote meanwhile."""

    def publish(self, epoch: int, signed: int, note: str) -> None:
        """Unless a larger one is published already."""

    def close(self) -> None: ...
