"""Commands that read or change a store, where there is none."""

from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import CliRunner

from deploy.cli.main import main
from tests.each import each

COMMANDS = (
    "audit --all",
    "backup copy.db",
    "export --all",
    "export scores",
    "export table standings",
    "log adopt",
    "log fork",
    "log keys",
    "log rotate log",
    "log status",
    "projections rebuild",
    "projections status",
    "projections verify",
    f"replay {uuid4()}",
    "statistics casino",
    "tokens list",
    "tokens revoke t_1",
    "transfer --to other",
)


@each("command", COMMANDS)
def test_a_command_refuses_a_missing_store_and_makes_none(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    data = tmp_path / "data"
    told = CliRunner().invoke(main, [*command.split(), "--data", str(data)])
    assert (told.exit_code, told.stderr.splitlines()[:1], data.exists()) == (
        1,
        [f"Error: There are no games in {data}: it holds no journal.db."],
        False,
    )
