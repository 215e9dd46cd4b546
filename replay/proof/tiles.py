"""Tiles of a log, as c2sp.org/tlog-tiles has them: 256 hashes of one level of the tree in a file; and bundles of entries."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.errors import Unavailable
from replay.proof.tree import Subtrees, complete_root

HEIGHT = 8
WIDTH = 1 << HEIGHT
HASH = 32

_PLACE = re.compile(r"((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?", re.ASCII)
_LEVEL = re.compile(r"([0-9]|[1-5][0-9]|6[0-3])/(.+)", re.ASCII)


ReadTile: TypeAlias = Callable[[int, int], bytes]
"""Returns the hashes of the tile of a level and index, as far as the tree goes; empty if it does not go that far."""


class TilesMissing(Unavailable):
    """The tiles hold less than the head of their tree promises: its database came back from a crash, or data was removed."""

    def __init__(self, level: int, index: int) -> None:
        super().__init__(f"the tile {Tile(level, index).path} of the log is not whole", unclear=False)


class Tile(Struct, frozen=True):
    """The tile with this index of a level of tiles, as far as it is filled: up to ``WIDTH``. Bundles of entries are placed like level 0."""

    level: int
    index: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        return f"{self.level}/{self.place}"

    @property
    def place(self) -> str:
        """Index and width, as ``x001/x234/067`` or ``000.p/5``."""
        head, last = divmod(self.index, 1000)
        folders = []
        while head:
            head, folder = divmod(head, 1000)
            folders.append(f"x{folder:03}/")
        return "".join(reversed(folders)) + f"{last:03}" + (f".p/{self.width}" if self.width < WIDTH else "")

    def is_within(self, size: int) -> bool:
        """Return whether a tree of so many leaves has it, at this width or wider."""
        return self.index * WIDTH + self.width <= size >> HEIGHT * self.level


def tile_at(path: str) -> Tile | None:
    """Return the tile of a path ``<L>/<N>[.p/<W>]``; ``None`` if it is no such path in its one spelling."""
    read = _LEVEL.fullmatch(path)
    return bundle_at(read[2], int(read[1])) if read else None


def bundle_at(place: str, level: int = 0) -> Tile | None:
    """Return the tile or bundle of a place ``<N>[.p/<W>]``; ``None`` if it is no such place."""
    read = _PLACE.fullmatch(place)
    if read is None or len(place) > 40:
        return None
    tile = Tile(level, int(re.sub("[x/]", "", read[1])), int(read[2] or WIDTH))
    return tile if tile.place == place else None


def bundle(entries: Iterable[bytes]) -> bytes:
    return b"".join(len(entry).to_bytes(2) + entry for entry in entries)


def split_bundle(data: bytes) -> list[bytes]:
    """Return the entries of a bundle. Raises ValueError if it breaks off."""
    entries: list[bytes] = []
    at = 0
    while at < len(data):
        begin = at + 2
        at = begin + int.from_bytes(data[at:begin])
        entries.append(data[begin:at])
    if at != len(data):
        raise ValueError("the bundle breaks off")
    return entries


def build_tree_reader(read: ReadTile) -> Subtrees:
    """Return a reader of complete subtrees from tiles. Raises ``TilesMissing``, as they do."""

    def read_root(level: int, index: int) -> bytes:
        tile_level, height = divmod(level, HEIGHT)
        tile, first = divmod(index << height, WIDTH)
        return complete_root(hashes_in(read, tile_level, tile, first, 1 << height))

    return read_root


def hashes_in(read: ReadTile, level: int, index: int, first: int, count: int) -> list[bytes]:
    """Return so many hashes of a tile, from the first on. Raises ``TilesMissing``."""
    hashes = _hashes(read(level, index)[first * HASH : (first + count) * HASH])
    if len(hashes) < count or len(hashes[-1]) < HASH:
        raise TilesMissing(level, index)
    return hashes


def list_tiles_of_leaf(leaf: int, size: int) -> set[tuple[int, int]]:
    """Return level and index of the tiles over a leaf, and of the last ones of a tree of this size: its path is made of these."""
    levels = range((size.bit_length() + HEIGHT - 1) // HEIGHT)
    return {(level, last >> HEIGHT * (level + 1)) for level in levels for last in (leaf, size - 1)}


def grow_tiles(read: ReadTile, size: int, leaves: Sequence[bytes]) -> list[tuple[Tile, bytes]]:
    """Return the tiles that change when these leaves stand behind a tree of ``size``, each as wide as it is then.

    Raises ``TilesMissing``.
    """
    changed: list[tuple[Tile, bytes]] = []
    level, count, added = 0, size, leaves
    while added:
        index, begun = divmod(count, WIDTH)
        hashes = [*hashes_in(read, level, index, 0, begun), *added] if begun else added
        tiles = [hashes[at : at + WIDTH] for at in range(0, len(hashes), WIDTH)]
        changed += ((Tile(level, number, len(tile)), b"".join(tile)) for number, tile in enumerate(tiles, index))
        level, count, added = level + 1, index, [complete_root(tile) for tile in tiles if len(tile) == WIDTH]
    return changed


def _hashes(tile: bytes) -> list[bytes]:
    return [tile[at : at + HASH] for at in range(0, len(tile), HASH)]
