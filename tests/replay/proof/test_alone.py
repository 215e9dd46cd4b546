"""The verifier in one file and `kiebitz verify` agree: on what is proven, on what is not, and on files with a bit that flipped."""

import ast
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay.proof import alone
from replay.proof.exact import Unproven
from replay.proof.notes import COSIGNATURE
from replay.proof.verifying import Proven, verify_proof
from tests.replay.proof.made import Log, played, record, view
from tests.replay.proof.places import FILES, KEYS
from tests.replay.proof.test_files import FULL, FULL_FLAWS, PUBLIC, PUBLIC_FLAWS

FLIPPED = 5_000
"""Bits in the tests; ``./run faults proofs`` flips 100,000."""

ALONE = [alone.read_key(str(key)) for key in KEYS]


def judged(data: bytes) -> dict[str, Any] | None:
    """What `kiebitz verify` says, in the words of the other; ``None``: it proves nothing."""
    try:
        return _as_alone(verify_proof(data, KEYS))
    except Unproven:
        return None


def _as_alone(proven: Proven) -> dict[str, Any]:
    file, checkpoint = proven.file, proven.checkpoint
    about = {"stream": file.stream, "view": file.view, "first": file.first, "last": file.last, "mark": proven.mark.hex()}
    stood = proven.earlier.size if proven.earlier is not None and proven.stood_earlier else None
    since = {"stood": stood, "since": dict(proven.since) if stood else {}}
    return {**about, "origin": checkpoint.origin, "size": checkpoint.size, "witnesses": dict(proven.witnessed), **since}


def judged_alone(data: bytes) -> dict[str, Any] | None:
    try:
        proven: dict[str, Any] = alone.verify(data, ALONE)
    except alone.No:
        return None
    return proven


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


def test_both_take_what_is_proven_for_the_same():
    assert [judged(data) for data in files()] == [judged_alone(data) for data in files()]
    assert None not in map(judged, files())


@pytest.mark.parametrize(("given", "flaws"), [(FULL, FULL_FLAWS), (PUBLIC, PUBLIC_FLAWS)], ids=["record", "view"])
def test_both_refuse_what_has_a_flaw(given: dict[str, Any], flaws: Any):
    broken = {name: json.dumps(change(given)).encode() for name, (change, _) in flaws.items()}
    assert [name for name, data in broken.items() if judged_alone(data) is not None] == []


def test_neither_takes_a_file_with_a_bit_that_flipped_and_neither_falls_over():
    chance = random.Random("proof files")
    taken = [data for data in with_a_bit_flipped(chance, files(), FLIPPED) if (judged(data), judged_alone(data)) != (None, None)]
    assert taken == []


def test_neither_takes_a_file_that_was_cut_off():
    cut = [data[:length] for data in FILES.values() for length in range(0, len(data) - 1, 37)]
    assert [data for data in cut if (judged(data), judged_alone(data)) != (None, None)] == []


def test_the_file_is_a_program_of_its_own(tmp_path: Path):
    """It is run as somebody would who has nothing else of Kiebitz."""
    program, good, bad = tmp_path / "kiebitz-verify.py", tmp_path / "good.json", tmp_path / "bad.json"
    program.write_bytes(Path(alone.__file__).read_bytes())
    good.write_bytes(FILES["public_up_to_2"])
    bad.write_bytes(FILES["public_up_to_2"].replace(b"p-anna", b"p-bert"))
    keys = [part for key in KEYS for part in ("--key", str(key))]
    said = subprocess.run([sys.executable, "-I", program, good, bad, *keys, "--lang", "de"], capture_output=True, text=True, cwd=tmp_path)
    lines = said.stdout.splitlines()
    assert (said.returncode, said.stderr) == (1, "")
    assert lines[0].startswith(f"{good}: bewiesen. public von 5c0c8f1e-0000-4000-8000-000000000001, Positionen 1 bis 2")
    assert lines[1] == "    bezeugt von witness.example/w1, 1795305600 Sekunden nach 1970"
    assert lines[2] == f"{bad}: NICHT BEWIESEN. Die Quittung gehört zu etwas anderem."
    assert lines[3] == alone.SAYS["de"]["limits"]


def test_an_old_python_can_read_it():
    ast.parse(Path(alone.__file__).read_text(encoding="utf-8"), feature_version=(3, 8))


def test_it_says_the_same_in_every_language():
    english, german = alone.SAYS["en"], alone.SAYS["de"]
    assert list(english) == list(german)
    assert [key for key in english if english[key] == german[key]] == []


def test_it_takes_cosignatures_for_what_they_are():
    assert [kind for _, _, kind, _ in ALONE] == [1, 1, COSIGNATURE]
