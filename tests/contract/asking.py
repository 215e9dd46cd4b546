"""The service asked what its description allows and forbids: schemathesis, as every role, with all that it checks."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from tests.contract.hooks import NAMES, OURS, SHARE, TOLD
from tests.contract.house import House, Key
from tests.deploy.serving import PATIENCE

_ROOT = Path(__file__).parents[2]
_CONFIG = """
hooks = "tests.contract.hooks"
color = false
continue-on-failure = true
request-timeout = {patience}
seed = {seed}
{bound}
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
[phases.examples]
extra-data-sources.responses = {learns}
[phases.coverage]
enabled = {coverage}
extra-data-sources.responses = {learns}
[phases.fuzzing]
extra-data-sources.responses = {learns}
error-feedback.enabled = {learns}
[phases.stateful]
enabled = {learns}
[checks.positive_data_acceptance]
# What fits the description may still be refused: by the rules of a game, by the role, by what is recorded or is not there.
expected-statuses = ["2xx", "3xx", "401", "403", "404", "406", "409", "412", "413", "422", "429"]
[checks.negative_data_rejection]
# Who may not do it at all is told so before his body is read; a cursor or position of no meaning is 400.
expected-statuses = ["4xx"]
"""


class Effort(Struct, frozen=True):
    """``examples``: random requests of each operation; ``director``: as the one who may do everything. ``share``: of the edges of all forms
    one in so many, drawn by the seed. ``seconds``: as each role, and twice that as director; then it also learns from the answers, and goes
    on with what they tell. ``None``: it asks the same on every machine.
    """

    examples: int = 1
    director: int = 2
    share: int = 4
    seconds: int | None = None
    seed: int = 1

    def config(self, role: str) -> str:
        """Only the director is asked for every edge of every form: before others look at a body, they are told that it is not theirs."""
        directs, learns = role == "director", self.seconds is not None
        return _CONFIG.format(
            patience=int(PATIENCE),
            seed=self.seed,
            bound=f"max-time = {self.seconds_of(role)}" if learns else "",
            examples=self.director if directs else self.examples,
            coverage=_toml(directs or learns),
            learns=_toml(learns),
        )

    def seconds_of(self, role: str) -> int:
        return (self.seconds or 0) * (2 if role == "director" else 1)


def asked(house: House, folder: Path, effort: Effort) -> Iterator[str]:
    """What is found, as schemathesis tells it: with the request as a line of curl."""
    document = folder / "here.json"
    document.write_text(json.dumps(house.document, ensure_ascii=False))
    for key in house.keys:
        yield from asked_as(key, house, document, effort)


def asked_as(key: Key, house: House, document: Path, effort: Effort) -> Iterator[str]:
    settings, told = document.with_name("schemathesis.toml"), document.with_name("requests")
    settings.write_text(effort.config(key.role))
    who = ["-H", f"Authorization: Bearer {key.secret}"] if key.secret else []
    ours = ["-H", f"Origin: {house.url}"]  # as pages of ours send it
    arguments = ["--config-file", str(settings), "run", str(document), "--url", house.url, *who, *ours]
    done = _run(arguments, house, told, effort, key.role)
    click.echo(f"   as {key.role}: {_said_last(done.stdout)}; requests {told.read_text()}")
    if done.returncode != 0:
        yield f"as {key.role}:\n{done.stdout}"


def _run(arguments: Sequence[str], house: House, told: Path, effort: Effort, role: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        OURS: ",".join(filter(None, (key.id for key in house.keys))),
        NAMES: json.dumps({house.url: "", **house.names, **{key.id: key.role for key in house.keys if key.id}}),
        TOLD: str(told),
        SHARE: f"{effort.share} {effort.seed}",
        "PYTHONHASHSEED": "0",  # it goes through sets
        "PYTHONPATH": str(_ROOT),
        "COLUMNS": "140",
    }
    command = [str(Path(sys.executable).with_name("schemathesis")), *arguments]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.run(command, cwd=_ROOT, env=environment, timeout=effort.seconds_of(role) + 10 * PATIENCE, check=False, **pipes)


def _toml(value: bool) -> str:
    return "true" if value else "false"


def _said_last(text: str) -> str:
    """How many requests there were, and how it ended."""
    told = [line.strip() for line in text.splitlines() if "generated" in line] or [""]
    return f"{told[-1]}; {text.strip().splitlines()[-1].strip(' =')}"
