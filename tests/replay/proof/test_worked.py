"""The worked examples of Kiebitz's own formats, which other programs are held against, too."""

import json
import os
from pathlib import Path
from uuid import UUID

import pytest
from msgspec.json import decode

from replay.proof import single_file
from replay.proof.making import ProofFile
from replay.proof.tiles import HASH, build_tree_reader
from replay.proof.tree import commitment_to, entry_of, head_of, leaf_hash, mark_of, root_of, salt_of
from tests.each import each
from tests.replay.proof.made import verified
from tests.replay.proof.places import BLINDING, FILES, GIVEN, KEYS, VECTORS, WORKED

SHARED = Path(os.environ.get("KIEBITZ_SHARED", Path(__file__).resolve().parents[4] / "shared")) / "proof-vectors.json"
LEAVES = WORKED["1_leaves"]["leaves"]


@pytest.mark.skipif(not SHARED.is_file(), reason="no shared folder of vectors (KIEBITZ_SHARED)")
def test_the_vectors_are_those_of_the_shared_folder():
    assert (VECTORS / SHARED.name).read_bytes() == SHARED.read_bytes()


def test_the_keys_are_those_of_the_seeds():
    assert GIVEN == KEYS


@each("leaf", LEAVES, ids=lambda leaf: str(leaf["leaf"]))
def test_an_event_becomes_a_leaf(leaf: dict[str, str]):
    stream, position, prev = UUID(leaf["stream"]), int(leaf["position"]), bytes.fromhex(leaf["prev"])
    salt, head = salt_of(BLINDING, stream, position), head_of(stream, position, leaf["name"])
    commitment = commitment_to(salt, head, leaf["bytes"].encode())
    entry = entry_of(stream, position, prev, commitment)
    made = (salt.hex(), head.decode(), commitment.hex(), entry.hex(), mark_of(stream, position, prev, commitment).hex())
    assert made == tuple(leaf[name] for name in ("salt", "header", "commitment", "entry", "mark"))
    assert (len(entry), leaf_hash(entry).hex()) == (89, leaf["mark"])


def test_leaves_become_a_tile_and_roots():
    tile = b"".join(bytes.fromhex(leaf["mark"]) for leaf in LEAVES)
    subtrees = build_tree_reader(lambda level, index: tile)
    assert (tile.hex(), len(tile)) == (WORKED["1_leaves"]["tile_0_000_p_5"], 5 * HASH)
    assert {size: root_of(subtrees, 0, size).hex() for size in (3, 5)} == {
        3: WORKED["1_leaves"]["root_of_3"],
        5: WORKED["1_leaves"]["root_of_5"],
    }


def test_the_files_prove_what_they_should():
    full, public = (verified(FILES[name], KEYS) for name in ("full", "public_up_to_2"))
    expected = WORKED["2_files"]["expect"]
    assert (full["mark"], public["mark"]) == (expected["mark_full"], expected["mark_public"])
    assert single_file.mark_events(public["file"])[1].hex() == expected["told_public"]
    assert (full["last"], public["last"], full["size"]) == (3, 2, 5)
    assert full["witnesses"] == public["witnesses"] == {"witness.example/w1": 1795305600}
    assert (full["earlier"], full["stood"]) == (3, None)


@each("name", FILES)
def test_a_file_is_written_as_it_was_read(name: str):
    written = decode(FILES[name], type=ProofFile).as_bytes()
    assert json.loads(written) == json.loads(FILES[name])
