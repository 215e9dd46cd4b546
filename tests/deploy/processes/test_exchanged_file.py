"""Replacement of a file in the data folder while `kiebitz serve` has it open."""

from pathlib import Path

from click.testing import CliRunner

from deploy.cli.main import main
from deploy.stores.sqlite.backup import back_up
from tests.deploy.serving import open_game, play_on, served


def test_a_backup_laid_under_a_running_service_is_touched_by_nobody_until_that_has_ended(tmp_path: Path):
    journal = tmp_path / "data" / "journal.db"
    with served("--data", journal.parent) as server, server.client() as client:
        game = open_game(client)
        play_on(client, game)
        back_up(journal, tmp_path / "backup.db")
        play_on(client, game)
        laid = (tmp_path / "backup.db").replace(journal).read_bytes()
        assert client.get("/v1/scores?format=csv").status_code == 503  # by a process that is started now
        assert client.post("/v1/games", json={"ruleset": "casino", "seats": 2}).json()["code"] == "store_halted"
        for command in (["tokens", "list"], ["doctor"], ["backup", str(tmp_path / "another.db")], ["migrate"], ["audit", "--all"]):
            result = CliRunner().invoke(main, [*command, "--data", str(journal.parent)], env={"COLUMNS": "1000"})
            assert (result.exit_code, "Nothing was opened or changed" in result.output) == (1, True), result.output
        assert server.end() == 0
    assert journal.read_bytes() == laid
