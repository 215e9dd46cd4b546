"""`kiebitz demo`: an evening that can be looked at afterwards."""

import re
from pathlib import Path

from click.testing import CliRunner, Result

from deploy.cli import main
from deploy.demo.plans import plans
from deploy.serve_lock import sole_writer
from tests.deploy.serving import done, served

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


def demo(data: Path, *arguments: object) -> Result:
    return CliRunner().invoke(main, ["demo", "--data", str(data), *map(str, arguments)])


def sheets(result: Result) -> str:
    """What is the same whenever the same is played."""
    return result.output[: ID.search(result.output).start()]  # type: ignore[union-attr]


def test_four_tables_play_and_their_sheets_are_printed(tmp_path: Path):
    result = demo(tmp_path)
    assert result.exit_code == 0, result.output
    assert re.findall(r"^Table (\w+)", result.output, re.MULTILINE) == ["Amsel", "Drossel", "Elster", "Zeisig"]
    assert re.search(r"Amsel +classic, 2 players +3 +148 +8 : 25 +seat 1", result.output)
    assert re.search(r"Zeisig +royal, partners, 4 players +1 .* still playing", result.output)


def test_the_same_seed_plays_the_same_and_another_seed_something_else(tmp_path: Path):
    first, again, other = demo(tmp_path / "1"), demo(tmp_path / "2"), demo(tmp_path / "3", "--seed", 2)
    assert sheets(first) == sheets(again)
    assert sheets(first) != sheets(other)


def test_the_evening_can_be_looked_at_with_the_printed_token_and_goes_on(tmp_path: Path):
    printed = demo(tmp_path).output
    token = re.search(r"kb_\S+", printed)
    assert token is not None
    with served("--data", tmp_path) as server, server.client(token[0]) as client:
        games = done(client.get("/v1/games"))["games"]
        assert sorted(game["table"] for game in games) == ["Amsel", "Drossel", "Elster", "Zeisig"]
        assert {game["id"] for game in games} <= set(ID.findall(printed))
        assert [game["table"] for game in games if game["turn"] is not None] == ["Zeisig"]


def test_more_games_are_played_if_asked_for():
    assert [plan.table for plan in plans(6)] == ["Amsel", "Drossel", "Elster", "Zeisig", "Amsel 2", "Drossel 2"]
    assert [plan.table for plan in plans(1)] == ["Amsel"]


def test_no_demo_is_recorded_beside_a_running_server(tmp_path: Path):
    with sole_writer(tmp_path / "serve.lock", "serve"):
        result = demo(tmp_path)
    assert (result.exit_code, "in use by kiebitz serve" in result.stderr) == (1, True)
