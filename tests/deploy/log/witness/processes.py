"""Witness process: `kiebitz witness`, started by tests."""

import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from replay.proof.checkpoints import VerifierKey, read_key
from tests.deploy.serving import KIEBITZ, started

NAME = "witness.example/w1"


class Witnessing(NamedTuple):
    process: subprocess.Popen[str]
    url: str
    key: VerifierKey
    said: str

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def witnessing(folder: Path, *logs: VerifierKey, more: Sequence[object] = ()) -> Iterator[Witnessing]:
    """On a free port. Killed at the end, if the test has not ended it."""
    named = [part for key in logs for part in ("--log", str(key))]
    with started([str(KIEBITZ), "witness", "--data", str(folder), "--port", "0", "--name", NAME, *named, *map(str, more)]) as process:
        assert process.stdout is not None
        said = ""
        while not said.endswith("=\n") and not re.search(r"^witness\S+\+\S+\n$", said, re.MULTILINE):
            line = process.stdout.readline()
            assert line, f"the witness did not start: {said}"
            said += line
        found = re.search(r"listens on (\S+),.*:\n(\S+)\n", said)
        assert found, said
        yield Witnessing(process, found[1], read_key(found[2]), said)
