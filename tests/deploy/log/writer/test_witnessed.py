"""Served store whose log is witnessed by another process: publication, and reports about an absent witness."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from deploy.cli.main import main
from replay.proof.checkpoints import VerifierKey, read_checkpoint, verify_checkpoint, words_of
from tests.deploy.log.witness.processes import Witnessing, witnessing
from tests.deploy.log.writer.followed import doctor, log_key, monitor, witnessed
from tests.deploy.serving import done, open_game, play_on, served, until


def numbers(client: httpx.Client) -> dict[str, float]:
    lines = client.get("/metrics").text.splitlines()
    return {line.split()[0]: float(line.split()[1]) for line in lines if line.startswith("kiebitz_witness")}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def log(data: Path) -> VerifierKey:
    return log_key(data, "club.example")


@pytest.fixture
def both(data: Path, log: VerifierKey, tmp_path: Path) -> Iterator[tuple[httpx.Client, Witnessing]]:
    with ExitStack() as stack:
        witness = stack.enter_context(witnessing(tmp_path / "witness", log))
        settings = {"KIEBITZ_WITNESSES": f"{witness.url} {witness.key}", "KIEBITZ_LOG_HOST": "club.example"}
        server = stack.enter_context(served("--data", data, **settings))
        yield stack.enter_context(server.client()), witness


def test_it_signs_while_it_is_there_and_is_missed_when_it_is_gone(
    data: Path, log: VerifierKey, both: tuple[httpx.Client, Witnessing], tmp_path: Path
):
    client, witness = both
    game = open_game(client)
    play_on(client, game)
    head = done(client.get("/health/ready"))["head"]
    note = witnessed(client, head)
    assert set(verify_checkpoint(note, [log, witness.key])[1]) == {log, witness.key}
    series = '{witness="witness.example/w1"}'
    assert numbers(client) == {f"kiebitz_witness_behind{series}": 0, f"kiebitz_witness_trouble{series}": 0}
    looked = {"KIEBITZ_WITNESSES": f"{witness.url} {witness.key}", "COLUMNS": "200"}
    assert f"witness.example/w1 has signed {head} entries" in doctor(data, looked)

    done(client.post("/v1/tournaments", json={"id": "open", "ruleset": "casino", "seats": 2, "format": "swiss"}))
    assert "witness.example" not in client.get("/t/open/desk").text
    printed_of = witnessed(client, head + 1)
    for page in (f"/v1/games/{game}/score-sheet", "/v1/tournaments/open/standings"):
        printed = client.get(page, params={"format": "html", "checkpoint": "true"}).text
        assert words_of(read_checkpoint(printed_of).root) in printed
        assert 'class="checkpoint"' not in client.get(page, params={"format": "html"}).text
    followed = monitor(client, tmp_path / "seen", log, witness.key)
    assert (followed.exit_code, "one event after the other, each once; they make this root" in followed.stdout) == (0, True)
    assert "    witnessed by witness.example/w1 at" in followed.stdout
    witness.kill()
    play_on(client, game)
    until(lambda: numbers(client)[f"kiebitz_witness_trouble{series}"] == 1 or None)
    assert numbers(client)[f"kiebitz_witness_behind{series}"] > 0
    assert "The witness witness.example/w1 does not answer. Everything continues" in client.get("/t/open/desk").text
    german = client.get("/t/open/desk", headers={"Accept-Language": "de"}).text
    assert "Der Zeuge witness.example/w1 antwortet nicht. Alles geht weiter" in german
    assert "witness.example/w1 does not answer" in doctor(data, looked)
    assert done(client.get("/health/ready"))["status"] == "ready"


def test_addresses_without_keys_are_refused(tmp_path: Path):
    for given in ("https://witness.example", "https://witness.example nonsense", "witness.example w+1+AA=="):
        refused = CliRunner().invoke(main, ["serve", "--data", str(tmp_path)], env={"KIEBITZ_WITNESSES": given})
        assert (refused.exit_code, "KIEBITZ_WITNESSES is addresses of witnesses" in refused.stderr) == (1, True)
