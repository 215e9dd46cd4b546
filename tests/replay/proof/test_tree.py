"""RFC 9162: the proofs that transparency-dev/merkle publishes, those that hold and those that are broken."""

from base64 import b64decode, b64encode
from collections.abc import Callable
from hashlib import sha256
from itertools import chain
from typing import Any

from replay.proof import single_file
from replay.proof.tiles import HASH, WIDTH, build_tree_reader
from replay.proof.tree import EMPTY, Growing, consistency_path, inclusion_path, leaf_hash, root_of, verify_consistency, verify_inclusion
from tests.each import each
from tests.replay.proof.places import vectors

Proof = dict[str, Any]
Change = Callable[[Proof], Proof]

LEAVES = [
    bytes.fromhex(leaf) for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
"""Those of the trees in the published proofs."""
_EMPTY_ROOT = b64encode(EMPTY).decode()
_RANDOM = "q6yroAAAAAAAAAAAAAAAAAAAAAAAAAAAAGAGHgASNFY="
_ANY = b64decode(_RANDOM)


def _with(name: str, change: Callable[[Any], Any]) -> Change:
    return lambda proof: {**proof, name: change(proof[name])}


def _path(change: Callable[[Proof, list[str]], list[str]]) -> Change:
    return lambda proof: {**proof, "proof": change(proof, proof["proof"])}


def _flipped(text: str, bit: int) -> str:
    data = b64decode(text)
    return b64encode(bytes([data[0] ^ 1 << bit]) + data[1:]).decode()


def _bits(bit: int) -> dict[str, Change]:
    def flip(number: int) -> Change:
        return _path(lambda _, path: [_flipped(one, bit) if place == number else one for place, one in enumerate(path)])

    return {f"modified proof[{number}] bit {bit}": flip(number) for number in range(3)}


INCLUSION: dict[str, Change] = {
    "leafIdx + 1": _with("leafIdx", lambda index: index + 1),
    "leafIdx - 1": _with("leafIdx", lambda index: (index - 1) % (1 << 64)),
    "leafIdx ^ 2": _with("leafIdx", lambda index: index ^ 2),
    "treeSize * 2": _with("treeSize", lambda size: size * 2),
    "treeSize / 2": _with("treeSize", lambda size: size // 2),
    "wrong leaf": _with("leafHash", lambda _: b64encode(b"WrongLeaf").decode()),
    "empty root": _with("root", lambda _: _EMPTY_ROOT),
    "random root": _with("root", lambda _: _RANDOM),
    "trailing garbage": _path(lambda _, path: [*path, ""]),
    "trailing root": _path(lambda proof, path: [*path, proof["root"]]),
    "preceding garbage": _path(lambda _, path: ["", *path]),
    "preceding root": _path(lambda proof, path: [proof["root"], *path]),
    "inserted component": _path(lambda _, path: [path[0], _RANDOM, *path[1:]]),
    "removed component": _path(lambda _, path: path[:-1]),
    **_bits(3),
}
CONSISTENCY: dict[str, Change] = {
    "size1 + 1": _with("size1", lambda size: size + 1),
    "size1 - 1": _with("size1", lambda size: size - 1),
    "size1 ^ 2": _with("size1", lambda size: size ^ 2),
    "size2 * 2": _with("size2", lambda size: size * 2),
    "size2 / 2": _with("size2", lambda size: size // 2),
    "wrong root1": _with("root1", lambda _: b64encode(b"WrongRoot").decode()),
    "wrong root2": _with("root2", lambda _: b64encode(b"WrongRoot").decode()),
    "swapped roots": lambda proof: {**proof, "root1": proof["root2"], "root2": proof["root1"]},
    "empty proof": _path(lambda _, path: []),
    "trailing garbage": _path(lambda _, path: [*path, ""]),
    "trailing root1": _path(lambda proof, path: [*path, proof["root1"]]),
    "trailing root2": _path(lambda proof, path: [*path, proof["root2"]]),
    "preceding garbage": _path(lambda _, path: ["", *path]),
    "preceding root1": _path(lambda proof, path: [proof["root1"], *path]),
    "preceding root2": _path(lambda proof, path: [proof["root2"], *path]),
    "preceding proof[0]": _path(lambda _, path: [path[0], *path]),
    "truncated proof": _path(lambda _, path: path[:-1]),
    **_bits(4),
}
_ONE, _TWO, _LEAF = b"don't care 1", b"don't care 2", b64decode("DTrtAjFI/9KiWfvQzcf7PPl1ZYdg03dbgq9vkKrMLfw=")
ODD_INCLUSION: list[tuple[int, int, bytes, bytes]] = [
    *((at, size, root, leaf) for at, size in ((0, 0), (0, 1), (1, 0), (2, 1)) for root, leaf in ((EMPTY, b""), (EMPTY, _ANY), (b"", _ANY))),
    *((0, 1, root, leaf) for root, leaf in ((_LEAF, b""), (b"", b""), (b"", _LEAF))),
]
ODD_CONSISTENCY: list[tuple[int, int, bytes, bytes, list[bytes]]] = [
    *((old, new, _ONE, _TWO, []) for old, new in ((0, 0), (0, 1), (1, 0), (1, 2), (2, 1))),
    (0, 0, _ONE, _ONE, []),
    *((old, new, EMPTY, _TWO, []) for old, new in ((0, 0), (0, 1), (1, 1))),
    (1, 1, _ONE, _TWO, []),
    *((old, new, EMPTY, EMPTY, [EMPTY]) for old, new in ((0, 0), (0, 1), (1, 1))),
]
"""Of trees with no leaf or with one, that would be proved by nothing."""
PUBLISHED = vectors("merkle.json")


def includes(proof: Proof) -> bool:
    path = [b64decode(one) for one in proof["proof"]]
    return verify_inclusion(b64decode(proof["leafHash"]), proof["leafIdx"], proof["treeSize"], path, b64decode(proof["root"]))


def is_consistent(proof: Proof) -> bool:
    path = [b64decode(one) for one in proof["proof"]]
    return verify_consistency(proof["size1"], proof["size2"], path, b64decode(proof["root1"]), b64decode(proof["root2"]))


def test_what_is_published_as_a_proof_is_one():
    assert [includes(proof) for proof in PUBLISHED["inclusion"]] == [True] * 5
    assert [is_consistent(proof) for proof in PUBLISHED["consistency"]] == [True] * 5


@each("broken", INCLUSION)
def test_what_is_published_as_broken_includes_nothing(broken: str):
    changed = [(proof, INCLUSION[broken](proof)) for proof in PUBLISHED["inclusion"] if proof["proof"]]
    assert [after for before, after in changed if after != before and includes(after)] == []
    assert any(after != before for before, after in changed)


@each("broken", CONSISTENCY)
def test_what_is_published_as_broken_shows_no_consistency(broken: str):
    changed = [(proof, CONSISTENCY[broken](proof)) for proof in PUBLISHED["consistency"] if proof["proof"]]
    assert [after for before, after in changed if after != before and is_consistent(after)] == []
    assert any(after != before for before, after in changed)


def test_trees_of_no_or_one_leaf_are_not_proved_by_nothing():
    assert [odd for odd in ODD_INCLUSION if verify_inclusion(odd[3], odd[0], odd[1], [], odd[2])] == []
    assert [odd for odd in ODD_CONSISTENCY if verify_consistency(odd[0], odd[1], odd[4], odd[2], odd[3])] == []
    assert verify_inclusion(_LEAF, 0, 1, [], _LEAF)
    assert verify_consistency(1, 1, [], _TWO, _TWO)


def _subtrees(leaves: list[bytes]) -> Any:
    """From tiles that are made level by level, without what is tested."""
    levels = [[leaf_hash(leaf) for leaf in leaves]]
    while len(levels[-1]) >= WIDTH:
        below = levels[-1]
        levels.append([_complete(below[at : at + WIDTH]) for at in range(0, len(below) - WIDTH + 1, WIDTH)])
    tiles = [b"".join(level) for level in levels]
    return build_tree_reader(lambda level, index: tiles[level][index * WIDTH * HASH : (index + 1) * WIDTH * HASH])


def _complete(hashes: list[bytes]) -> bytes:
    if len(hashes) == 1:
        return hashes[0]
    middle = len(hashes) // 2
    return sha256(b"\1" + _complete(hashes[:middle]) + _complete(hashes[middle:])).digest()


def test_roots_and_paths_are_made_as_they_are_published():
    subtrees = _subtrees(LEAVES)
    for proof in PUBLISHED["inclusion"]:
        index, size = proof["leafIdx"], proof["treeSize"]
        made = [b64encode(one).decode() for one in inclusion_path(subtrees, index, size)]
        assert (made, b64encode(root_of(subtrees, 0, size)).decode()) == (proof["proof"], proof["root"])
    for proof in PUBLISHED["consistency"]:
        made = [b64encode(one).decode() for one in consistency_path(subtrees, proof["size1"], proof["size2"])]
        assert made == proof["proof"]


def test_every_path_of_small_trees_and_of_some_around_whole_tiles_holds():
    leaves = [number.to_bytes(3) for number in range(66_000)]
    subtrees = _subtrees(leaves)
    sizes = [*range(1, 20), 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, 66_000]
    roots = {size: root_of(subtrees, 0, size) for size in sizes}
    for size in sizes:
        for index in {0, size // 3, size // 2, size - 1, *range(min(size, 19))}:
            path = inclusion_path(subtrees, index, size)
            assert verify_inclusion(leaf_hash(leaves[index]), index, size, path, roots[size])
            assert not verify_inclusion(leaf_hash(leaves[index] + b"?"), index, size, path, roots[size])
    for old, new in chain.from_iterable(((old, new) for old in sizes if old <= new) for new in sizes):
        assert verify_consistency(old, new, consistency_path(subtrees, old, new), roots[old], roots[new])


def test_the_verifier_in_one_file_follows_every_path_of_small_trees():
    hashed = [leaf_hash(bytes([number])) for number in range(40)]
    subtrees = _subtrees([bytes([number]) for number in range(40)])
    roots = {size: root_of(subtrees, 0, size) for size in range(1, 41)}
    for new, root in roots.items():
        assert {single_file.inside(hashed[at], at, new, inclusion_path(subtrees, at, new)) for at in range(new)} == {root}
        for old in range(1, new + 1):
            assert single_file.extends(old, new, consistency_path(subtrees, old, new), roots[old]) == (roots[old], root)


def test_a_tree_without_leaves_has_a_root():
    assert root_of(_subtrees([]), 0, 0) == EMPTY


def test_a_tree_that_grows_leaf_by_leaf_has_the_same_roots():
    growing, leaves = Growing(), [bytes([number]) for number in range(70)]
    roots = [growing.root]
    for leaf in leaves:
        growing.add(leaf_hash(leaf))
        roots.append(growing.root)
    assert roots == [root_of(_subtrees(leaves), 0, size) for size in range(71)]
