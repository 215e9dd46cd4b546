"""Clients that generators make of the OpenAPI document: they are made without a warning, play, and know errors by their type."""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.serving import Served, served
from tests.npm import NODE, packages, started

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served("--data", tmp_path_factory.mktemp("clients") / "data") as server:
        yield server


@pytest.fixture(scope="module")
def document(server: Served, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("document") / "openapi.json"
    with server.client() as client:
        file.write_bytes(client.get("/openapi.json").content)
    return file


def test_the_first_steps_of_the_description_can_be_taken(server: Served, document: Path):
    start = json.loads(document.read_bytes())["info"]["description"]
    steps = "".join(re.findall(r"^```sh\n(.*?)^```$", start, re.DOTALL | re.MULTILINE))
    assert server.token is not None
    said = run("bash", "-euc", re.sub(r"^export .*\n", "", steps), KIEBITZ_URL=server.url, KIEBITZ_TOKEN=server.token)
    dealt, legal, played, table = map(json.loads, said.splitlines())
    assert {"type": "trail", "card": "3H"} in legal["moves"]
    assert (dealt["position"], played["position"], table["turn"], "3H" in table["table"]) == (2, 3, 1, True)


def run(*command: object, cwd: Path | None = None, **environment: str) -> str:
    """What it says, both streams of it. Fails with it where the command fails."""
    done = started(*command, cwd=cwd, **environment)
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def python_client(document: Path) -> Path:
    """The folder in which the package ``kiebitz_client`` lies."""
    folder = document.parent / "python"
    folder.mkdir()
    config, package = HERE / "openapi-python-client.json", folder / "kiebitz_client"
    said = run(
        "openapi-python-client",
        "generate",
        "--path",
        document,
        "--output-path",
        package,
        "--meta",
        "none",
        "--config",
        config,
        "--fail-on-warning",
    )
    assert said == f"Generating {package}\n"
    return folder


def test_the_python_client_plays_a_game_and_reads_a_refusal_and_a_404_as_problems(server: Served, python_client: Path):
    assert server.token is not None
    said = run(sys.executable, "-W", "error", HERE / "playing.py", server.url, server.token, PYTHONPATH=str(python_client))
    assert said.splitlines() == [
        "422 wrong_sum ['CNO-23']",
        "422 card_not_in_hand 2♣ is not in your hand. Play a card that you hold.",
        "CasinoTrail of seat 0, position 3",
        "CasinoTrail of seat 1, position 4",
        "CasinoTrail of seat 0, position 5",
        "CasinoTrail of seat 1, position 6",
        "404 unknown_game",
    ]


def test_an_evening_is_played_with_the_python_client_by_roles_and_sessions_and_who_may_not_is_refused(server: Served, python_client: Path):
    assert server.token is not None
    said = run(sys.executable, "-W", "error", HERE / "evening.py", server.url, server.token, PYTHONPATH=str(python_client))
    assert said.splitlines() == [
        "table 1: 48 moves",
        "table 2: 48 moves",
        "a tablet at another table: 403 forbidden",
        "cora is cora",
        "a code a second time: 401 unauthenticated",
        "a player who deals: 403 forbidden",
        "a player at the notes: 403 forbidden",
        "a recorder who rules: 403 forbidden",
        "a committee that deals: 403 forbidden",
        "a round that is not over: 422 round_open",
        "a passer-by: 401 unauthenticated",
        "the spectator reads [1, 1, 3, 3]",
        "a spectator who publishes: 403 forbidden",
        "the passer-by reads [1, 1, 3, 3]",
        "who signed out: 401 unauthenticated",
        "the other is still recorder",
    ]


def test_every_module_of_the_python_client_can_be_imported(python_client: Path):
    modules = sorted(file.relative_to(python_client).with_suffix("") for file in python_client.rglob("*.py"))
    names = [".".join(module.parts).removesuffix(".__init__") for module in modules]
    assert run(sys.executable, "-c", "\n".join(f"import {name}" for name in names), PYTHONPATH=str(python_client)) == ""


def test_the_types_of_the_python_client_fit_the_programs_that_use_it(python_client: Path):
    checked = ("--strict", "--follow-imports", "silent", "--config-file", "", "--cache-dir", python_client / "cache")
    said = run(sys.executable, "-m", "mypy", *checked, HERE / "playing.py", HERE / "evening.py", MYPYPATH=str(python_client))
    assert said == "Success: no issues found in 2 source files\n"


def test_the_types_of_typescript_fit_a_program_that_uses_them(document: Path):
    brought, types = packages(HERE, "clients"), document.parent / "kiebitz.d.ts"
    said = run(
        NODE, brought / "openapi-typescript" / "bin" / "cli.js", document, "--default-non-nullable=false", "-o", types, cwd=document.parent
    )
    assert "⚠" not in said
    assert "✘" not in said
    shutil.copy(HERE / "playing.ts", document.parent)
    run(
        NODE,
        brought / "typescript" / "bin" / "tsc",
        "--noEmit",
        "--strict",
        "--skipDefaultLibCheck",
        "--target",
        "es2022",
        "playing.ts",
        cwd=document.parent,
    )
