"""Older copy of a journal: `kiebitz serve` refuses one that lacks events its projections know, until the operator accepts it."""

import shutil
from contextlib import closing
from pathlib import Path

import psycopg
from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.config.settings import Settings
from deploy.stores.migrating import pending
from deploy.stores.opening import open_events
from tests.deploy.serving import Served, done, open_game, play_on, served, until

REFUSED = "is not the one that its projections were filled from: they know events up to sequence"


def played(server: Served, moves: int) -> str:
    """A game of so many events, all of them projected."""
    with server.client() as client:
        game = open_game(client)
        for _ in range(moves - 1):
            play_on(client, game)
        head = done(client.get("/v1/feed?limit=1"))["head"]
        done(client.get(f"/v1/games?min_sequence={head}"))
    return game


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def feed(server: Served, token: str | None) -> dict:
    with server.client(token) as client:
        return done(client.get("/v1/feed"))


def test_a_journal_that_lost_its_newest_part_is_refused_and_left_as_it_is(tmp_path: Path):
    with served("--data", tmp_path) as server:
        played(server, 6)
        server.kill()
    (tmp_path / "journal.db-wal").unlink()
    (tmp_path / "journal.db-shm").unlink(missing_ok=True)
    before = (tmp_path / "journal.db").read_bytes()
    refused = kiebitz("serve", "--data", tmp_path, "--port", 0)
    assert refused.exit_code == 1
    assert f"{REFUSED} 6 that it does not hold; it ends at 0." in refused.stderr
    assert "kiebitz serve --accept-older-copy" in refused.stderr
    assert (tmp_path / "journal.db").read_bytes() == before


def test_no_command_records_on_it(tmp_path: Path):
    with served("--data", tmp_path) as server:
        played(server, 3)
    (tmp_path / "journal.db").unlink()
    game = Path(__file__).parents[2] / "cases" / "casino" / "game-two-players-classic.json"
    for command in (("import", game), ("demo",)):
        refused = kiebitz(*command, "--data", tmp_path)
        assert (refused.exit_code, REFUSED in refused.stderr) == (1, True)


def test_an_older_copy_that_is_accepted_begins_an_epoch_and_is_all_that_there_is(tmp_path: Path):
    with served("--data", tmp_path) as server:
        game = played(server, 4)
        assert server.end() == 0
    shutil.copy(tmp_path / "journal.db", tmp_path / "older.db")
    with served("--data", tmp_path) as again, again.client(server.token) as client:
        first = feed(again, server.token)
        play_on(client, game)
        until(lambda: client.get("/v1/games?min_sequence=5").is_success)
        assert again.end() == 0
    (tmp_path / "journal.db").write_bytes((tmp_path / "older.db").read_bytes())  # into the same file, as a careless hand does
    refused = kiebitz("serve", "--data", tmp_path, "--port", 0)
    assert f"{REFUSED} 5 that it does not hold; it ends at 4." in refused.stderr
    with served("--data", tmp_path, "--accept-older-copy") as accepted, accepted.client(server.token) as client:
        assert play_on(client, game)["position"] == 5
        told = feed(accepted, server.token)
        assert (len(told["entries"]), told["epoch"] == first["epoch"]) == (5, False)
        [listed] = until(lambda: client.get("/v1/games?min_sequence=5").json().get("items"))
        assert listed["position"] == 5
        answer = client.get(f"/v1/feed?after=5&epoch={first['epoch']}")
        assert (answer.status_code, answer.json()["code"], answer.json()["epoch"]) == (409, "epoch_changed", told["epoch"])
        assert accepted.end() == 0
    with served("--data", tmp_path) as later:
        assert feed(later, server.token)["epoch"] == told["epoch"]


def test_who_rebuilds_the_projections_from_it_begins_an_epoch_too(tmp_path: Path):
    game = Path(__file__).parents[2] / "cases" / "casino" / "game-two-players-classic.json"
    assert kiebitz("import", game, "--data", tmp_path).exit_code == 0
    older = (tmp_path / "journal.db").read_bytes()
    assert kiebitz("import", game.with_name("game-royal-counting-order.json"), "--data", tmp_path).exit_code == 0
    assert kiebitz("projections", "rebuild", "--data", tmp_path).exit_code == 0
    (tmp_path / "journal.db").write_bytes(older)
    assert kiebitz("projections", "rebuild", "--accept-missing-events", "--data", tmp_path).exit_code == 0
    with closing(open_events(Settings(tmp_path).journal_url)) as events:
        assert [epoch.number for epoch in events.epochs()] == [1, 2]
    with served("--data", tmp_path) as server:
        assert server.end() == 0


def test_of_postgresql_too(migrated: str):
    postgres_url = migrated
    with served("--database-url", postgres_url) as server:
        game = played(server, 5)
        first = feed(server, server.token)
        assert server.end() == 0
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("DELETE FROM events WHERE sequence > 3")
    refused = kiebitz("serve", "--database-url", postgres_url, "--port", 0)
    assert (refused.exit_code, f"{REFUSED} 5 that it does not hold; it ends at 3." in refused.stderr) == (1, True)
    with served("--database-url", postgres_url, "--accept-older-copy") as accepted, accepted.client(server.token) as client:
        assert play_on(client, game)["position"] == 4
        assert feed(accepted, server.token)["epoch"] != first["epoch"]


def test_postgresql_is_not_migrated_beside_projections_that_know_events(migrated: str):
    postgres_url = migrated
    with served("--database-url", postgres_url) as server:
        played(server, 3)
        assert server.end() == 0
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for table in ("events", "commands", "tokens", "texts", "snapshots", "people", "epochs", "_yoyo_migration"):
            connection.execute(f"DROP TABLE {table} CASCADE".encode())
    missing = pending(postgres_url)
    refused = kiebitz("serve", "--database-url", postgres_url, "--migrate", "--port", 0)
    assert (refused.exit_code, REFUSED in refused.stderr, pending(postgres_url)) == (1, True, missing)
