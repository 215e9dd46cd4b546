"""The verifier in one file: what is proven, files with a bit that flipped, and the program that is handed out."""

import ast
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from replay.proof import single_file
from replay.proof.checkpoints import COSIGNATURE
from tests.replay.proof.made import Log, played, record, view
from tests.replay.proof.places import FILES, KEYS

FLIPPED = 1_500
"""Bits in the tests; ``./run faults proofs`` flips 100,000."""

ALONE = [single_file.read_key(str(key)) for key in KEYS]


def judged(data: bytes) -> dict[str, Any] | None:
    """``None``: it proves nothing."""
    try:
        _, proven = single_file.judge(data, ALONE)
    except single_file.VerificationError:
        return None
    found: dict[str, Any] = proven
    return found


def files() -> tuple[bytes, ...]:
    """Of each form: a record with an earlier checkpoint, one that is witnessed, and views of which some events are open."""
    game, log = played("alcasan", 16), Log()
    early = log.add(*game.history)
    log.add(*played("casino", 9, "another").history)
    sealed = record(log, game.history, early, early + 3, witnessed=True)
    unseen = [view(log, game, who, early) for who in (0, "public")]
    return (*FILES.values(), sealed.as_bytes(), *(_witnessed(file.as_bytes(), log) for file in unseen))


def _witnessed(data: bytes, log: Log) -> bytes:
    return json.dumps(
        {**json.loads(data), "checkpoint": log.checkpoint(witnessed=True)}, ensure_ascii=False, separators=(",", ":")
    ).encode()


def with_a_bit_flipped(chance: random.Random, given: tuple[bytes, ...], count: int) -> Iterator[bytes]:
    for _ in range(count):
        data = bytearray(chance.choice(given))
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        yield bytes(data)


def test_files_of_each_form_are_proven():
    assert [found and (found["view"], found["last"], found["earlier"], len(found["witnesses"])) for found in map(judged, files())] == [
        ("full", 3, 3, 1),
        ("public", 2, None, 1),
        ("full", 16, 18, 1),
        ("seat:0", 16, None, 1),
        ("public", 16, None, 1),
    ]


def test_no_file_is_taken_with_a_bit_that_flipped_and_the_verifier_does_not_fall_over():
    chance = random.Random("proof files")
    assert [data for data in with_a_bit_flipped(chance, files(), FLIPPED) if judged(data) is not None] == []


def test_no_file_is_taken_that_was_cut_off():
    cut = [data[:length] for data in FILES.values() for length in range(0, len(data) - 1, 37)]
    assert [data for data in cut if judged(data) is not None] == []


def test_the_file_is_a_program_of_its_own(tmp_path: Path):
    """It is run as somebody would who has nothing else of Kiebitz."""
    program, good, bad = tmp_path / "kiebitz-verify.py", tmp_path / "good.json", tmp_path / "bad.json"
    program.write_bytes(Path(single_file.__file__).read_bytes())
    good.write_bytes(FILES["public_up_to_2"])
    bad.write_bytes(FILES["public_up_to_2"].replace(b"p-anna", b"p-bert"))
    keys = [part for key in KEYS for part in ("--key", str(key))]
    said = subprocess.run([sys.executable, "-I", program, good, bad, *keys, "--lang", "de"], capture_output=True, text=True, cwd=tmp_path)
    lines = said.stdout.splitlines()
    assert (said.returncode, said.stderr) == (1, "")
    assert lines[0].startswith(f"{good}: bewiesen. public von 5c0c8f1e-0000-4000-8000-000000000001, Positionen 1 bis 2")
    assert lines[1] == "    bezeugt von witness.example/w1 am 2026-11-22T00:00:00Z"
    assert lines[2] == f"{bad}: NICHT BEWIESEN. Die Quittung gehört zu etwas anderem."
    assert lines[3] == single_file.SAYS["de"]["limits"]


def test_an_old_python_can_read_it():
    ast.parse(Path(single_file.__file__).read_text(encoding="utf-8"), feature_version=(3, 8))


def test_it_says_the_same_in_every_language():
    english, german = single_file.SAYS["en"], single_file.SAYS["de"]
    assert list(english) == list(german)
    assert [key for key in english if english[key] == german[key]] == []


def test_it_takes_cosignatures_for_what_they_are():
    assert [kind for _, _, kind, _ in ALONE] == [1, 1, COSIGNATURE]
