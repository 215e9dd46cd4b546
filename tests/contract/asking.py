"""The service asked what its description allows and forbids: schemathesis, as every role, with all that it checks."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from msgspec import Struct

from tests.contract.hooks import OURS
from tests.contract.house import House, Key
from tests.deploy.serving import PATIENCE

_ROOT = Path(__file__).parents[2]
_CONFIG = """
hooks = "tests.contract.hooks"
color = false
continue-on-failure = true
request-timeout = 20
max-time = {seconds}
seed = {seed}
[cache]
enabled = false
[output.truncation]
enabled = false
[warnings]
enabled = false
[generation]
max-examples = {examples}
database = "none"
no-shrink = true
[checks.positive_data_acceptance]
# What fits the description may still be refused: by the rules of a game, by the role, by what is recorded or is not there.
expected-statuses = ["2xx", "3xx", "401", "403", "404", "406", "409", "412", "413", "422", "429"]
[checks.negative_data_rejection]
# Who may not do it at all is told so before his body is read; a cursor or position of no meaning is 400.
expected-statuses = ["4xx"]
"""


class Effort(Struct, frozen=True):
    """``seconds``: of each role; ``director``: of the one who may do everything. ``examples``: of each operation, so many at least."""

    seconds: int = 12
    director: int = 60
    examples: int = 4
    seed: int = 1


def asked(house: House, folder: Path, effort: Effort) -> Iterator[str]:
    """What is found, as schemathesis tells it: with the request as a line of curl. Those who may do least ask first."""
    document = folder / "here.json"
    document.write_text(json.dumps(house.document, ensure_ascii=False))
    for key in sorted(house.keys, key=lambda key: key.role == "director"):
        seconds = effort.director if key.role == "director" else effort.seconds
        yield from asked_as(key, house, document, _CONFIG.format(seconds=seconds, examples=effort.examples, seed=effort.seed))


def asked_as(key: Key, house: House, document: Path, config: str) -> Iterator[str]:
    settings = document.with_name("schemathesis.toml")
    settings.write_text(config)
    who = ["-H", f"Authorization: Bearer {key.secret}"] if key.secret else []
    ours = ["-H", f"Origin: {house.url}"]  # as pages of ours send it
    done = _run(["--config-file", str(settings), "run", str(document), "--url", house.url, *who, *ours], house)
    click.echo(f"   as {key.role}: {_said_last(done.stdout)}")
    if done.returncode != 0:
        yield f"as {key.role}:\n{done.stdout}"


def _run(arguments: Sequence[str], house: House) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, OURS: ",".join(filter(None, (key.id for key in house.keys))), "PYTHONPATH": str(_ROOT), "COLUMNS": "140"}
    command = [str(Path(sys.executable).with_name("schemathesis")), *arguments]
    return subprocess.run(
        command, cwd=_ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=10 * PATIENCE, check=False
    )


def _said_last(text: str) -> str:
    """How many requests there were, and how it ended."""
    told = [line.strip() for line in text.splitlines() if "generated" in line] or [""]
    return f"{told[-1]}; {text.strip().splitlines()[-1].strip(' =')}"
