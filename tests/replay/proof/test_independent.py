"""Ours and an implementation by others verify each other, in both directions."""

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.proof.checkpoints import COSIGNATURE, Checkpoint, Signer, read_key, sign, signers_of, verify_checkpoint
from replay.proof.tiles import HASH, WIDTH, build_tree_reader, bundle, bundle_at, grow_tiles, tile_at
from replay.proof.tree import consistency_path, inclusion_path, leaf_hash, root_of, verify_consistency, verify_inclusion
from tests.pypi import packages

ORIGIN, WITNESS = "kiebitz.example/log/1", "witness.example/w1"
SEED = b"\7" * 32
SIZES = (1, 2, 3, 5, 8, 13, 255, 256, 257, 600)
ENTRIES = [f"entry {number}".encode() for number in range(SIZES[-1])]


@pytest.fixture(scope="module")
def theirs() -> Iterator[ModuleType]:
    folder = str(packages(Path(__file__).parent / "independent", "independent"))
    sys.path.insert(0, folder)
    try:
        import aics_tlog

        yield aics_tlog
    finally:
        sys.path.remove(folder)


@pytest.fixture(scope="module")
def tiles() -> dict[tuple[int, int], bytes]:
    """Ours, grown in steps."""
    kept: dict[tuple[int, int], bytes] = {}

    def read(level: int, index: int) -> bytes:
        return kept[level, index]

    for size, upto in pairwise((0, *SIZES)):
        added = [leaf_hash(entry) for entry in ENTRIES[size:upto]]
        kept.update({(tile.level, tile.index): hashes for tile, hashes in grow_tiles(read, size, added)})
    return kept


def test_trees_have_the_same_roots_tiles_and_bundles(theirs: ModuleType, tiles: dict[tuple[int, int], bytes]):
    tree, subtrees = theirs.MerkleTree(ENTRIES), build_tree_reader(lambda level, index: tiles[level, index])
    assert [root_of(subtrees, 0, size) for size in SIZES] == [tree.root(size) for size in SIZES]
    for path, data in theirs.TileWriter(ENTRIES).materialise().items():
        place = path.removeprefix("tile/entries/")
        if place != path:
            one = bundle_at(place)
            assert one is not None
            assert bundle(ENTRIES[one.index * WIDTH :][: one.width]) == data
        else:
            one = tile_at(path.removeprefix("tile/"))
            assert one is not None
            assert tiles[one.level, one.index][: one.width * HASH] == data


def test_their_paths_hold_here_and_ours_there(theirs: ModuleType, tiles: dict[tuple[int, int], bytes]):
    tree, subtrees = theirs.MerkleTree(ENTRIES), build_tree_reader(lambda level, index: tiles[level, index])
    for size in SIZES:
        for index in {0, size // 2, size - 1}:
            hashed, root = leaf_hash(ENTRIES[index]), tree.root(size)
            assert verify_inclusion(hashed, index, size, tree.inclusion_proof(index, size), root)
            assert theirs.verify_inclusion(hashed, index, size, list(inclusion_path(subtrees, index, size)), root)
    for old, new in ((old, new) for new in SIZES for old in SIZES if old <= new):
        roots = tree.root(old), tree.root(new)
        assert verify_consistency(old, new, tree.consistency_proof(old, new), *roots)
        assert theirs.verify_consistency(old, new, *roots, list(consistency_path(subtrees, old, new)))


def test_their_signed_checkpoint_holds_here_and_ours_there(theirs: ModuleType):
    private, root = Ed25519PrivateKey.from_private_bytes(SEED), bytes(range(32))
    theirs_signed = theirs.sign_checkpoint(theirs.Checkpoint(ORIGIN, 7, root), private, ORIGIN)
    _, cosigned = theirs.sign_cosignature(private, WITNESS, 1795305600, ORIGIN, 7, root)
    note = theirs.Note(text=theirs_signed.text, signatures=(*theirs_signed.signatures, cosigned)).serialise()

    log, witness = Signer(ORIGIN, SEED), Signer(WITNESS, SEED, COSIGNATURE)
    ours = Checkpoint(ORIGIN, 7, root)
    assert verify_checkpoint(note, [log.key, witness.key]) == (ours, {log.key: 0, witness.key: 1795305600})
    assert note == sign(ours.text, log) + witness.line(ours.text, 1795305600)
    read = theirs.verify_checkpoint(
        theirs.parse_note(note), theirs.parse_vkey(str(log.key)), [theirs.parse_vkey(str(witness.key))], quorum=1, expected_origin=ORIGIN
    )
    assert read.ok


def test_their_keys_are_ours(theirs: ModuleType):
    public = Ed25519PrivateKey.from_private_bytes(SEED).public_key()
    keys = [theirs.format_vkey(key) for key in (theirs.vkey_from_ed25519(ORIGIN, public), theirs.cosignature_vkey(WITNESS, public))]
    assert [str(read_key(key)) for key in keys] == keys == [str(Signer(ORIGIN, SEED).key), str(Signer(WITNESS, SEED, COSIGNATURE).key)]


def test_neither_takes_what_the_other_did_not_sign(theirs: ModuleType):
    log, text = Signer(ORIGIN, SEED), Checkpoint(ORIGIN, 7, bytes(32)).text
    changed = sign(text, log).replace("\n7\n", "\n8\n")
    assert not theirs.verify_note(theirs.parse_note(changed), [theirs.parse_vkey(str(log.key))])
    foreign = sign(text, Signer(ORIGIN, b"\x08" * 32))
    assert signers_of(foreign, [log.key]) == {}
    assert not theirs.verify_note(theirs.parse_note(foreign), [theirs.parse_vkey(str(log.key))])
