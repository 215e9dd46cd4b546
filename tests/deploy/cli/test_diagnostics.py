"""Commands `kiebitz doctor` and `kiebitz projections`."""

import shutil
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import CliRunner, Result

from deploy.cli.diagnostics import run_checks
from deploy.cli.files import records_in
from deploy.cli.main import main
from deploy.compose import open_event_store, open_services
from deploy.config.settings import Settings
from deploy.processes.journal_file import acquire_writer_lock
from domain.games import RULESETS
from domain.journal.commits import Call
from domain.journal.webhooks import Webhook
from replay.record import events_of, parse
from tests.append_only import drop_triggers

GAME = Path(__file__).parent.parent.parent / "cases" / "casino" / "game-two-players-classic.json"


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def looked(settings: Settings) -> dict[str, str]:
    return {name: finding.state for name, finding in run_checks(settings)}


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded") / "data"
    assert kiebitz("import", GAME, "--data", folder).exit_code == 0
    assert kiebitz("projections", "rebuild", "--data", folder).exit_code == 0
    return folder


@pytest.fixture
def data(recorded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(recorded, tmp_path / "data")


def test_a_sound_house_has_nothing_wrong(data: Path, free_port: int):
    result = kiebitz("doctor", "--data", data, "--port", free_port)
    assert result.exit_code == 0, result.output
    assert "wrong" not in result.output


def test_a_house_that_was_never_opened_has_nothing_wrong(tmp_path: Path, free_port: int):
    assert "wrong" not in looked(Settings(tmp_path / "new", port=free_port)).values()


def test_a_folder_that_cannot_be_is_found_and_what_rests_on_it_is_not_asked(tmp_path: Path, free_port: int):
    (tmp_path / "file").touch()
    result = kiebitz("doctor", "--data", tmp_path / "file", "--port", free_port)
    assert result.exit_code == 1
    assert "KIEBITZ_DATA" in result.output
    assert looked(Settings(tmp_path / "file", port=free_port)) == {"Version": "ok", "Python": "ok", "Data folder": "wrong", "Port": "ok"}


def test_a_damaged_database_is_found(data: Path, free_port: int):
    (data / "journal.db").write_bytes(b"no database at all" * 100)
    assert looked(Settings(data, port=free_port))["Database"] == "wrong"


def test_events_of_an_older_copy_under_newer_projections_are_found(data: Path, tmp_path: Path, free_port: int):
    assert kiebitz("backup", tmp_path / "older.db", "--data", data).exit_code == 0
    assert kiebitz("import", GAME.with_name("game-royal-counting-order.json"), "--data", data).exit_code == 0
    assert kiebitz("projections", "rebuild", "--data", data).exit_code == 0
    shutil.copy(tmp_path / "older.db", data / "journal.db")
    settings = Settings(data, port=free_port)
    assert looked(settings)["Projections"] == "wrong"
    refused = kiebitz("import", GAME, "--data", data)
    assert (refused.exit_code, "kiebitz serve --accept-older-copy" in refused.output) == (1, True)
    events = next(events_of(parse(entry.record), RULESETS) for entry in records_in(GAME))
    with open_services(settings) as services:
        for _ in range(2):  # until other games have the sequences of those that are gone
            services.journal.open_now(Call("anna"), uuid4(), events)
    assert looked(settings)["Projections"] == "wrong"
    assert "restored from an older copy" in kiebitz("projections", "status", "--data", data).output
    with open_services(settings) as services:
        services.projector.prepare()
    assert looked(settings)["Projections"] == "look"
    assert "behind, the events were restored from an older copy" in kiebitz("doctor", "--data", data, "--port", free_port).output
    assert kiebitz("projections", "rebuild", "--data", data).exit_code == 0
    assert looked(settings)["Projections"] == "ok"


def test_events_that_somebody_could_change_are_pointed_out(data: Path, free_port: int):
    with closing(sqlite3.connect(data / "journal.db", isolation_level=None)) as journal:
        drop_triggers(journal)
    found = dict(run_checks(Settings(data, port=free_port)))["Events"]
    assert (found.state, found.text) == ("wrong", "events could be changed or removed")
    script = Path(found.advice[found.advice.index("/") :])
    with closing(sqlite3.connect(data / "journal.db", isolation_level=None)) as journal:
        journal.executescript(script.read_text())
    assert looked(Settings(data, port=free_port))["Events"] == "ok"


def test_a_database_that_does_not_answer_is_found(tmp_path: Path, free_port: int):
    settings = Settings(tmp_path, f"postgresql://nobody@127.0.0.1:{free_port}/none", port=free_port)
    assert looked(settings)["Database"] == "wrong"


def test_a_postgresql_database_without_tables_is_found(postgres_url: str, tmp_path: Path, free_port: int):
    assert looked(Settings(tmp_path, postgres_url, port=free_port))["Database"] == "wrong"


def test_a_postgresql_database_is_looked_at_too(migrated: str, tmp_path: Path, free_port: int):
    assert "wrong" not in looked(Settings(tmp_path, migrated, port=free_port)).values()


def test_a_taken_port_is_found_unless_it_is_our_own(data: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = Settings(data, port=taken.getsockname()[1])
        assert looked(settings)["Port"] == "wrong"
        with acquire_writer_lock(settings.lock_file, "serve"):
            assert looked(settings)["Port"] == "ok"


def test_hidden_cards_that_others_on_the_machine_could_read_are_pointed_out(data: Path, free_port: int):
    data.chmod(0o755)
    assert looked(Settings(data, port=free_port))["Data folder"] == "look"


def test_projections_tell_how_far_they_are_and_can_be_rebuilt(tmp_path: Path):
    kiebitz("import", GAME, "--data", tmp_path)
    assert "148" in kiebitz("projections", "status", "--data", tmp_path).output
    rebuilt = kiebitz("projections", "rebuild", "score_sheets", "--data", tmp_path)
    assert rebuilt.output == "score_sheets: rebuilt up to sequence 148\n"
    assert kiebitz("projections", "rebuild", "nonsense", "--data", tmp_path).exit_code == 2


def test_webhooks_that_fail_are_found(data: Path, free_port: int):
    settings = Settings(data, port=free_port)
    assert looked(settings)["Webhooks"] == "ok"
    webhook = Webhook(
        id="w1",
        url="https://club.example/news",
        label="",
        principal="p",
        role="viewer",
        issued_at="2026-11-23T10:00:00Z",
        secret="whsec_",
        epoch="e",
        sequence=0,
        attempts=3,
    )
    with open_event_store(settings) as store:
        store.add_webhook(webhook)
    assert looked(settings)["Webhooks"] == "look"
    with open_event_store(settings) as store:
        store.disable_webhook("w1", "2026-11-23T11:00:00Z", "asked")
    assert looked(settings)["Webhooks"] == "ok"
