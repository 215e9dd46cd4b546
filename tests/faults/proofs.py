"""Bits flipped in proof files: none of them passes, and the verifier does not fall over."""

import random
from collections.abc import Iterator

from tests.faults.scene import Finding, counted
from tests.replay.proof.test_single_file import files, judged, with_a_bit_flipped

FLIPPED = 100_000


def findings() -> Iterator[Finding]:
    given = files()
    taken = 0
    for data in with_a_bit_flipped(random.Random("one bit"), given, FLIPPED):
        taken += judged(data) is not None
    yield Finding("proof files", f"{len(given)} of {min(map(len, given)):,} to {max(map(len, given)):,} bytes")
    yield counted("files with one bit flipped that the verifier takes", taken, FLIPPED)
