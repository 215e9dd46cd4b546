"""`kiebitz projections`, and what `kiebitz doctor` sees of them."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from deploy.cli.doctor import findings
from deploy.cli.main import main
from deploy.compose import PROJECTIONS, open_services
from deploy.settings import Settings
from deploy.stores.opening import open_projections
from projections.engine.projector import Projector
from tests.deploy.serving import run, served

GAME = Path(__file__).parent.parent.parent / "cases" / "casino" / "game-two-players-classic.json"
NAMES = [projection.name for projection in PROJECTIONS]


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def changed(data: Path, sql: str) -> None:
    with closing(sqlite3.connect(data / "projections.db", isolation_level=None)) as connection:
        connection.execute(sql)


def tables(data: Path) -> list[str]:
    with closing(sqlite3.connect(data / "projections.db")) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    assert kiebitz("import", GAME, "--data", tmp_path).exit_code == 0
    return tmp_path


def test_a_rebuilding_says_how_far_it_came(data: Path):
    assert kiebitz("projections", "rebuild", "score_sheets", "--data", data).output == "score_sheets: rebuilt up to sequence 148\n"
    rebuilt = kiebitz("projections", "rebuild", "--data", data)
    assert rebuilt.output.splitlines() == [f"{name}: rebuilt up to sequence 148" for name in NAMES]


def test_looking_makes_nothing(data: Path):
    assert "0" in kiebitz("projections", "status", "--hash", "--data", data).output
    assert "look" in {finding.state for name, finding in findings(Settings(data)) if name == "Projections"}
    assert kiebitz("projections", "verify", "--data", data).exit_code == 0
    assert tables(data) == []


def test_tables_of_an_older_version_are_left_alone_by_who_only_looks(data: Path):
    kiebitz("projections", "rebuild", "--data", data)
    changed(data, "UPDATE projections SET version = 0 WHERE name = 'rulings'")
    before = tables(data)
    assert "the tables are of version 0, this is version 1" in kiebitz("projections", "status", "--data", data).output
    assert kiebitz("doctor", "--data", data, "--port", 0).exit_code == 0
    assert tables(data) == before


def test_the_same_content_has_the_same_hash_and_another_one_is_found(data: Path):
    kiebitz("projections", "rebuild", "--data", data)
    hashes = kiebitz("projections", "status", "--hash", "--data", data).output.splitlines()[-len(NAMES) :]
    assert [line.split()[:2] for line in hashes] == [[name, "148"] for name in NAMES]
    verified = kiebitz("projections", "verify", "--data", data)
    expected = [f"{name}: as rebuilt, up to sequence {sequence}, {content}" for name, sequence, content in map(str.split, hashes)]
    assert (verified.exit_code, verified.output.splitlines()) == (0, expected)
    changed(data, "UPDATE game_index SET phase = 'wrong'")
    differs = kiebitz("projections", "verify", "game_index", "--data", data)
    assert differs.exit_code == 1
    assert "game_index: differs at sequence 148" in differs.output
    assert "`kiebitz projections rebuild` puts them right." in differs.output
    kiebitz("projections", "rebuild", "game_index", "--data", data)
    assert kiebitz("projections", "verify", "--data", data).output == verified.output


def test_a_projection_that_stopped_is_found_with_the_reason(data: Path):
    kiebitz("projections", "rebuild", "--data", data)
    changed(data, "UPDATE projections SET error = 'ValueError: no', failed_at = 149 WHERE name = 'rulings'")
    assert "stopped at sequence 149: ValueError: no" in kiebitz("projections", "status", "--data", data).output
    doctor = kiebitz("doctor", "--data", data, "--port", 0)
    assert (doctor.exit_code, "rulings stopped at sequence 149" in doctor.output) == (1, True)


def test_a_rebuilding_leaves_no_file_that_would_belong_to_whoever_ran_it(data: Path):
    kiebitz("projections", "status", "--data", data)
    before = sorted(file.name for file in data.iterdir())
    assert kiebitz("projections", "rebuild", "--data", data).exit_code == 0
    assert kiebitz("projections", "verify", "--data", data).exit_code == 0
    assert sorted(file.name for file in data.iterdir()) == before


def test_the_second_of_two_rebuildings_is_told(data: Path):
    store = open_projections(Settings(data).projections_url)
    with store.shadow_tables():
        second = kiebitz("projections", "rebuild", "--data", data)
    store.close()
    assert second.exit_code == 1
    assert "somebody else is rebuilding projections of this database" in second.output


def test_a_season_with_tournaments_and_players_is_projected_alike_in_other_batches_and_another_database(tmp_path: Path, postgres_url: str):
    assert run("demo", "--size", "large", "--games", 25, "--data", tmp_path).returncode == 0
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


def test_a_rebuilding_beside_a_running_server_is_not_noticed(database_url: str, tmp_path: Path):
    where = ("--data", tmp_path) if database_url.startswith("sqlite") else ("--database-url", database_url)
    with served(*where, "--migrate") as server, server.client() as client:

        def opened() -> str:
            return str(client.post("/v1/games", json={"ruleset": "casino", "seats": 2}).raise_for_status().json()["game"])

        def listed() -> list[str]:
            return [game["id"] for game in client.get("/v1/games").raise_for_status().json()["games"]]

        games = [opened() for _ in range(3)]
        assert listed() == games[::-1]
        rebuilt = run("projections", "rebuild", *where)
        assert (rebuilt.returncode, rebuilt.stderr) == (0, "")
        assert listed() == games[::-1]
        games.append(opened())
        assert listed() == games[::-1]
        assert client.get("/health/ready").json()["status"] == "ready"
        assert run("projections", "verify", *where).returncode == 0
