"""Private files: only for their owner, for any umask and any existing folder."""

import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import pytest
from click.testing import CliRunner, Result

from deploy.cli.diagnostics import run_checks
from deploy.cli.main import main
from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.processes.journal_file import lock_data_folder
from deploy.system.private import private_folder

GAME = Path(__file__).parents[2] / "cases" / "casino" / "game-two-players-classic.json"
UMASKS = [0o000, 0o022, 0o277]


@pytest.fixture(params=UMASKS, ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def kiebitz(*arguments: object) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result


def rights(folder: Path) -> dict[str, str]:
    """In octal digits, of the folder and of what lies in it."""
    return {path.name if path != folder else ".": oct(S_IMODE(path.stat().st_mode)) for path in (folder, *sorted(folder.iterdir()))}


def worked(data: Path) -> None:
    """Everything that makes files in a data folder."""
    kiebitz("import", GAME, "--data", data)
    kiebitz("projections", "rebuild", "game_index", "--data", data)


DATABASES = [f"{name}{beside}" for name in ("journal.db", "projections.db") for beside in ("", "-shm", "-wal")]


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize(("umask", "made"), list(zip(UMASKS, (None, 0o777, 0o755), strict=True)), indirect=["umask"])
def test_a_data_folder_and_all_that_lies_in_it_is_for_its_owner_only(tmp_path: Path, made: int | None):
    data = tmp_path / "data"
    if made is not None:
        data.mkdir()
        data.chmod(made)
    worked(data)
    settings = Settings(data)
    with lock_data_folder(settings, "serve"), open_services(settings, alone=True) as services:
        services.projector.prepare()
        services.journal.head()
        assert rights(data) == {".": "0o700", **dict.fromkeys([*DATABASES, "journal.db.migrating", "serve.lock", "snapshots.key"], "0o600")}


def test_files_of_before_lose_the_rights_of_others(tmp_path: Path):
    data = tmp_path / "data"
    worked(data)
    with open_services(Settings(data)):  # so that the files beside the databases are there
        for path in (data, *data.iterdir()):
            path.chmod(0o777 if path.is_dir() else 0o666)
        assert "0o666" in rights(data).values()
        kiebitz("tokens", "list", "--data", data)
        assert set(rights(data).values()) == {"0o700", "0o600"}


def test_a_folder_with_other_things_in_it_keeps_its_rights_and_they_theirs(tmp_path: Path):
    data = tmp_path / "home"
    data.mkdir()
    data.chmod(0o755)
    (data / "letter.txt").touch()
    (data / "letter.txt").chmod(0o644)
    worked(data)
    found = rights(data)
    assert (found.pop("."), found.pop("letter.txt"), set(found.values())) == ("0o755", "0o644", {"0o600"})
    assert dict(run_checks(Settings(data, port=0)))["Data folder"].text == f"{data} can be read by others, hidden cards and all"


@pytest.mark.usefixtures("umask")
def test_backups_and_exports_are_for_their_owner_only(tmp_path: Path):
    data, out = tmp_path / "data", tmp_path / "out"
    worked(data)
    private_folder(out)
    out.chmod(0o755)
    kiebitz("backup", out / "backup.db", "--data", data)
    kiebitz("export", "--all", "--out", out / "games.ndjson", "--data", data)
    kiebitz("export", "scores", "--out", out / "scores.csv", "--data", data)
    kiebitz("simulate", "casino", "--games", 1, "--out", out / "random.ndjson")
    files = ("backup.db", "games.ndjson", "random.ndjson", "scores.csv")
    assert rights(out) == {".": "0o755", **dict.fromkeys(files, "0o600")}


def test_the_doctor_names_files_that_others_may_read(tmp_path: Path):
    data = tmp_path / "data"
    worked(data)
    (data / "journal.db").chmod(0o640)
    found = dict(run_checks(Settings(data, port=0)))["Data folder"]
    assert (found.state, found.text, found.advice) == (
        "look",
        f"other accounts can read {data / 'journal.db'}",
        f"chmod 600 {data / 'journal.db'}",
    )
    assert rights(data)["journal.db"] == "0o640"
