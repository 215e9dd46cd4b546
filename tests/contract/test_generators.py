"""A client that cannot be made, or plays otherwise, is found; ``./run contract`` makes the real ones."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.contract.generators import Generator, findings
from tests.deploy.serving import Served

FINE = Generator("playing.py", "{python} -c pass", "{python} -c pass", "{python} -c print('played')", "played\n")


@pytest.mark.parametrize(
    ("generator", "said"),
    [
        (FINE, []),
        (replace(FINE, makes="{python} -c 1/0"), ["ZeroDivisionError: division by zero"]),
        (replace(FINE, said="won\n"), ["played"]),
    ],
)
def test_what_ends_badly_or_says_something_else_is_told_with_its_output(generator: Generator, said: list[str], tmp_path: Path):
    found = findings(tmp_path / "openapi.json", generator, Served(None, "http://127.0.0.1:1", "kb_", ""))  # pyrefly: ignore[bad-argument-type]
    assert [one.strip().splitlines()[-1] for one in found] == said
