"""Command `kiebitz projections`, and the projections check of `kiebitz doctor`."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from click.testing import CliRunner, Result

from deploy.cli.diagnostics import run_checks
from deploy.cli.main import main
from deploy.compose import PROJECTIONS, open_services
from deploy.config.settings import Settings
from deploy.stores.opening import open_projections
from projections.engine.projector import Projector
from projections.models.rulings import RULINGS
from tests.append_only import drop_triggers
from tests.deploy.serving import run, served

GAME = Path(__file__).parent.parent.parent / "cases" / "casino" / "game-two-players-classic.json"
NAMES = [projection.name for projection in PROJECTIONS]

DIFFERS = "  {table}: rows without events: 1, rows that are missing: 1; for example of game"


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def changed(data: Path, sql: str) -> None:
    with closing(sqlite3.connect(data / "projections.db", isolation_level=None)) as connection:
        connection.execute(sql)


def tables(data: Path) -> list[str]:
    with closing(sqlite3.connect(data / "projections.db")) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]


@pytest.fixture
def journal_url(database_url: str) -> str:
    return database_url


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported")
    assert kiebitz("import", GAME, "--data", folder).exit_code == 0
    return folder


@pytest.fixture
def data(imported: Path, tmp_path: Path) -> Path:
    """A store with a game, of which nothing is projected yet."""
    return copytree(imported, tmp_path, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def projected(imported: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copytree(imported, tmp_path_factory.mktemp("projected"), dirs_exist_ok=True)
    assert kiebitz("projections", "rebuild", "--data", folder).exit_code == 0
    return folder


@pytest.fixture
def rebuilt(projected: Path, tmp_path: Path) -> Path:
    """The same with all tables."""
    return copytree(projected, tmp_path, dirs_exist_ok=True)


def test_a_rebuilding_says_how_far_it_came(data: Path):
    assert kiebitz("projections", "rebuild", "score_sheets", "--data", data).output == "score_sheets: rebuilt up to sequence 148\n"
    rebuilt = kiebitz("projections", "rebuild", "--data", data)
    *lines, kept = rebuilt.output.splitlines()
    assert lines == [f"{name}: rebuilt up to sequence 148" for name in NAMES]
    assert kept == "The old tables are kept until the next rebuilding: kept_score_sheets, kept_score_sheet_scores"


def test_looking_makes_nothing(data: Path):
    assert "0" in kiebitz("projections", "status", "--hash", "--data", data).output
    assert "look" in {finding.state for name, finding in run_checks(Settings(data)) if name == "Projections"}
    assert kiebitz("projections", "verify", "--data", data).exit_code == 0
    assert tables(data) == []


def everything(folder: Path) -> dict[str, object]:
    """Of each file its rights and bytes, and of the folder its rights."""
    inside = {file.name: (file.stat().st_mode, file.read_bytes()) for file in folder.iterdir()}
    return {**inside, ".": folder.stat().st_mode}


def test_who_only_looks_changes_nothing(rebuilt: Path):
    """Neither files nor their rights; and no database of before is brought up to date."""
    with closing(sqlite3.connect(rebuilt / "journal.db", isolation_level=None)) as journal:
        journal.execute("DELETE FROM _yoyo_migration WHERE migration_id LIKE '%append-only'")
    (rebuilt / "projections.db").chmod(0o644)
    before = everything(rebuilt)
    for command in ("status", "status --hash", "verify"):
        looked = kiebitz("projections", *command.split(), "--data", rebuilt)
        assert (looked.exit_code, "is not up to date: it lacks journal-0005-append-only" in looked.output) == (1, True)
    kiebitz("doctor", "--data", rebuilt, "--port", 0)
    assert everything(rebuilt) == before
    assert kiebitz("migrate", "--dry-run", "--data", rebuilt).exit_code == 1
    assert everything(rebuilt) == before


def test_who_only_looks_makes_no_file_and_no_folder(data: Path, tmp_path: Path):
    before = everything(data)
    for command in ("projections status --hash", "projections verify", "doctor --port 0"):
        assert kiebitz(*command.split(), "--data", data).exit_code == 0
    assert everything(data) == before
    assert kiebitz("doctor", "--port", 0, "--data", tmp_path / "new").exit_code == 0
    assert not (tmp_path / "new").exists()


def test_where_events_are_gone_nobody_is_sent_to_rebuild(rebuilt: Path):
    with open_services(Settings(rebuilt)) as services:
        ((_, first),) = services.journal.feed(0, 1)
    with closing(sqlite3.connect(rebuilt / "journal.db", isolation_level=None)) as journal:
        drop_triggers(journal)
        journal.execute("DELETE FROM events WHERE sequence BETWEEN 100 AND 120")
    verified = kiebitz("projections", "verify", "game_index", "score_sheets", "--data", rebuilt)
    assert verified.exit_code == 1
    assert f"  {first.stream} is known up to position 148, but has events only up to position 99" in verified.output.splitlines()
    assert f"{DIFFERS.format(table='game_index_scores')} {first.stream}" in verified.output
    assert "Events are missing that the projections know." in verified.output
    assert "`kiebitz backup FILE` and a copy of projections.db" in verified.output
    assert "`kiebitz audit --all`" in verified.output
    assert "rebuild`" not in verified.output
    before = hashes(rebuilt)
    refused = kiebitz("projections", "rebuild", "game_index", "--data", rebuilt)
    assert (refused.exit_code, hashes(rebuilt)) == (1, before)
    assert "Nothing was changed: events are missing that are known to game_index" in refused.output
    assert f"{first.stream} is known up to position 148, but has events only up to position 99" in refused.output
    assert kiebitz("projections", "rebuild", "game_index", "--accept-missing-events", "--data", rebuilt).exit_code == 0
    assert hashes(rebuilt) != before


def hashes(data: Path) -> list[str]:
    return kiebitz("projections", "status", "--hash", "--data", data).output.splitlines()[-len(NAMES) :]


def test_tables_of_an_older_version_are_left_alone_by_who_only_looks(rebuilt: Path):
    changed(rebuilt, "UPDATE projections SET version = 0 WHERE name = 'rulings'")
    before = tables(rebuilt)
    assert f"the tables are of version 0, this is version {RULINGS.version}" in kiebitz("projections", "status", "--data", rebuilt).output
    assert kiebitz("doctor", "--data", rebuilt, "--port", 0).exit_code == 0
    assert tables(rebuilt) == before


def test_the_same_content_has_the_same_hash_and_another_one_is_found(rebuilt: Path):
    hashes = kiebitz("projections", "status", "--hash", "--data", rebuilt).output.splitlines()[-len(NAMES) :]
    assert [line.split()[:2] for line in hashes] == [[name, "148"] for name in NAMES]
    verified = kiebitz("projections", "verify", "--data", rebuilt)
    expected = [f"{name}: as rebuilt, up to sequence {sequence}, {content}" for name, sequence, content in map(str.split, hashes)]
    assert (verified.exit_code, verified.output.splitlines()) == (0, expected)
    changed(rebuilt, "UPDATE game_index SET phase = 'wrong'")
    differs = kiebitz("projections", "verify", "game_index", "--data", rebuilt)
    assert differs.exit_code == 1
    assert "game_index: differs at sequence 148" in differs.output
    assert DIFFERS.format(table="game_index") in differs.output
    assert "`kiebitz audit --all` says whether they are sound." in differs.output
    assert "`kiebitz projections rebuild` puts them right." in differs.output
    kiebitz("projections", "rebuild", "game_index", "--data", rebuilt)
    assert kiebitz("projections", "verify", "--data", rebuilt).output == verified.output


def test_a_projection_that_stopped_is_found_with_the_reason(rebuilt: Path):
    changed(rebuilt, "UPDATE projections SET error = 'ValueError: no', failed_at = 149 WHERE name = 'rulings'")
    assert "stopped at sequence 149: ValueError: no" in kiebitz("projections", "status", "--data", rebuilt).output
    doctor = kiebitz("doctor", "--data", rebuilt, "--port", 0)
    assert (doctor.exit_code, "rulings stopped at sequence 149" in doctor.output) == (1, True)


def test_a_rebuilding_leaves_no_file_that_would_belong_to_whoever_ran_it(rebuilt: Path):
    before = sorted(file.name for file in rebuilt.iterdir())
    assert kiebitz("projections", "rebuild", "--data", rebuilt).exit_code == 0
    assert kiebitz("projections", "verify", "--data", rebuilt).exit_code == 0
    assert sorted(file.name for file in rebuilt.iterdir()) == before


def test_the_second_of_two_rebuildings_is_told(data: Path):
    store = open_projections(Settings(data).projections_url)
    with store.open_rebuild_tables():
        second = kiebitz("projections", "rebuild", "--data", data)
    store.close()
    assert second.exit_code == 1
    assert "somebody else is rebuilding projections of this database" in second.output


def test_an_evening_with_a_tournament_is_projected_alike_in_other_batches_and_another_database(tmp_path: Path, postgres_url: str):
    assert run("demo", "--no-serve", "--games", 4, "--data", tmp_path).returncode == 0
    with open_services(Settings(tmp_path)) as services, closing(open_projections(postgres_url)) as store:
        services.projector.prepare()
        services.projector.catch_up()
        chance, journal = Random(1), services.journal
        other = Projector(PROJECTIONS, store, lambda after, _: journal.feed(after, chance.randrange(1, 300)), journal.head, lambda *_: True)
        other.prepare()
        other.catch_up()
        assert [status.error for status in other.status()] == [None] * len(PROJECTIONS)
        assert other.contents() == services.projector.contents()
        assert [verdict.name for verdict in other.verify() if not verdict.same] == []


def test_a_rebuilding_beside_a_running_server_is_not_noticed(journal_url: str, tmp_path: Path):
    where = ("--data", tmp_path) if journal_url.startswith("sqlite") else ("--database-url", journal_url)
    with served(*where) as server, server.client() as client:

        def opened() -> str:
            return str(client.post("/v1/games", json={"ruleset": "casino", "seats": 2}).raise_for_status().json()["game"])

        def listed() -> list[str]:
            return [game["id"] for game in client.get("/v1/games").raise_for_status().json()["items"]]

        games = [opened() for _ in range(3)]
        assert listed() == games[::-1]
        rebuilt = kiebitz("projections", "rebuild", *where)
        assert (rebuilt.exit_code, rebuilt.stderr) == (0, "")
        assert listed() == games[::-1]
        games.append(opened())
        assert listed() == games[::-1]
        assert client.get("/health/ready").json()["status"] == "ready"
        assert kiebitz("projections", "verify", *where).exit_code == 0
