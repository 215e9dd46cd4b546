"""Bits flipped in proof files: none of them passes, and no verifier falls over."""

import random
from collections.abc import Iterator

from tests.faults.scene import Finding, counted
from tests.replay.proof.test_alone import files, judged, judged_alone, with_a_bit_flipped

FLIPPED = 100_000


def findings() -> Iterator[Finding]:
    given = files()
    taken = [0, 0]
    for data in with_a_bit_flipped(random.Random("one bit"), given, FLIPPED):
        taken[0] += judged(data) is not None
        taken[1] += judged_alone(data) is not None
    yield Finding("proof files", f"{len(given)} of {min(map(len, given)):,} to {max(map(len, given)):,} bytes")
    yield counted("files with one bit flipped that `kiebitz verify` takes", taken[0], FLIPPED)
    yield counted("the same by the verifier in one file", taken[1], FLIPPED)
