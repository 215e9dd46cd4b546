from replay.proof.tiles import Tile, bundle, bundle_at, tile_at
from tests.each import each


@each(
    ("tile", "path"),
    [
        (Tile(0, 0), "0/000"),
        (Tile(0, 0, 5), "0/000.p/5"),
        (Tile(1, 1234067), "1/x001/x234/067"),
        (Tile(63, 999, 255), "63/999.p/255"),
        (Tile(2, 1000), "2/x001/000"),
    ],
)
def test_a_tile_has_one_path(tile: Tile, path: str):
    assert (tile.path, tile_at(path)) == (path, tile)


@each(
    "path",
    [
        "",
        "0",
        "0/",
        "0/0",
        "0/0000",
        "00/000",
        "64/000",
        "0/x000/000",
        "0/001/000",
        "0/000.p/0",
        "0/000.p/256",
        "0/000.p/05",
        "0/000.p/",
        "0/٠٠٠",
        "0/-01",
        "0/000/",
        "0/x001/x234/067\n",
        "entries/000",
        "0/" + "x001/" * 30 + "000",
    ],
)
def test_what_is_no_path_of_a_tile_is_none(path: str):
    assert tile_at(path) is None


def test_a_bundle_is_placed_like_a_tile_of_leaves():
    assert bundle_at("x001/000.p/7") == Tile(0, 1000, 7)
    assert bundle([b"", b"abc", bytes(89)]) == b"\0\0\0\3abc\0\x59" + bytes(89)


def test_a_tile_is_within_a_tree_that_fills_it():
    sizes = (0, 4, 5, 255, 256, 257, 65_535, 65_536)
    assert [size for size in sizes if Tile(0, 0, 5).is_within(size)] == [5, 255, 256, 257, 65_535, 65_536]
    assert [size for size in sizes if Tile(0, 0).is_within(size)] == [256, 257, 65_535, 65_536]
    assert [size for size in sizes if Tile(1, 0, 255).is_within(size)] == [65_535, 65_536]
    assert [size for size in sizes if Tile(1, 0).is_within(size)] == [65_536]
