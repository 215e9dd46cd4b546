"""Log of a served store: kept from the first start on, through kills, and halted if the store is another one."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.log.writer.key_files import read_seed
from replay.proof.checkpoints import Checkpoint, Signer, read_key, verify_checkpoint
from replay.proof.making import receipt_key_name
from tests.deploy.log.writer.logged_store import place_at
from tests.deploy.serving import Served, done, open_game, play_on, run, served, until
from tests.replay.proof.made import verified

ORIGIN = "club.example/log/1"
FILES = ("log.key", "told.key", "log.signed")


def logged(server: Served) -> dict[str, Any]:
    """Return what /health/ready reports about the log, and about the service."""
    with server.client() as client:
        told = done(client.get("/health/ready"))
    log: dict[str, Any] = told["log"]
    return {**log, "status": told["status"]}


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def signed(folder: Path, *where: object) -> Checkpoint:
    keys = [read_key(line) for line in kiebitz("log", "keys", *where).stdout.split()]
    return verify_checkpoint((folder / "log.signed").read_text(encoding="utf-8"), keys)[0]


def test_from_the_first_start_on_everything_is_signed(tmp_path: Path):
    with served("--data", tmp_path, KIEBITZ_LOG_HOST="club.example") as server, server.client() as client:
        play_on(client, open_game(client))
        head = done(client.get("/health/ready"))["head"]
        found = until(lambda: logged(server) if logged(server)["signed"] == head else None)
    assert found == {"origin": "club.example/log/1", "entries": head, "signed": head, "error": None, "status": "ready"}
    assert (signed(tmp_path, "--data", tmp_path).origin, signed(tmp_path, "--data", tmp_path).size) == ("club.example/log/1", head)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("log.key", "told.key", "log.signed", "log.db")] == [0o600] * 4


def test_after_a_kill_it_goes_on_with_the_same_log(tmp_path: Path):
    with served("--data", tmp_path) as server:
        token = server.token
        with server.client() as client:
            game = open_game(client)
        until(lambda: logged(server)["signed"] == 1 or None)
        server.kill()
    before = signed(tmp_path, "--data", tmp_path)
    with served("--data", tmp_path) as again, again.client(token) as client:
        play_on(client, game)
        until(lambda: done(client.get("/health/ready"))["log"]["signed"] > 1 or None)
    after = signed(tmp_path, "--data", tmp_path)
    assert (after.origin, after.size > before.size) == (before.origin, True)


def test_a_restored_backup_signs_nothing_until_the_log_is_forked(tmp_path: Path):
    data, copy = tmp_path / "data", tmp_path / "backup.db"
    with served("--data", data, KIEBITZ_LOG_HOST="club.example") as server, server.client() as client:
        game = open_game(client)
        assert kiebitz("backup", copy, "--data", data).exit_code == 0
        play_on(client, game)
        until(lambda: logged(server)["signed"] > 1 or None)
        token = server.token
        server.end()
    for name in ("journal.db", "journal.db-wal", "journal.db-shm", "projections.db", "projections.db-wal", "projections.db-shm", "log.db"):
        (data / name).unlink(missing_ok=True)
    shutil.copy(copy, data / "journal.db")
    before = (data / "log.signed").read_text(encoding="utf-8")
    with served("--data", data) as restored, restored.client(token) as client:
        told = until(lambda: (found := done(client.get("/health/ready")))["log"]["error"] and found)
        assert told["status"] == "degraded"
        assert told["log"]["error"].partition(":")[0] in ("OtherStore", "StoreIncompleteError")  # whichever is seen first
        assert (data / "log.signed").read_text(encoding="utf-8") == before
        forked = kiebitz("log", "fork", "--data", data)
        assert forked.stdout.startswith("club.example/log/1 ends here, and club.example/log/2 begins.")
        told = until(lambda: (found := done(client.get("/health/ready")))["status"] == "ready" and found)
        assert told["log"]["signed"] == 2
    assert signed(data, "--data", data).origin == "club.example/log/2"
    assert len(kiebitz("log", "keys", "--data", data).stdout.split()) == 4


def test_keys_are_replaced_while_the_server_goes_on_and_proofs_are_signed_by_the_new_ones(tmp_path: Path):
    with served("--data", tmp_path, KIEBITZ_LOG_HOST="club.example") as server, server.client() as client:
        game = open_game(client)
        until(lambda: logged(server)["signed"] == 1 or None)
        said = [kiebitz("log", "rotate", key, "--data", tmp_path).stdout for key in ("log", "told", "blinding")]
        assert said == [
            *["Another key signs for club.example/log/1 from here on. Give it to everybody who has the earlier ones: kiebitz log keys\n"]
            * 2,
            "From entry 3 on another key blinds the commitments. It is in the database, and in its backups from now on.\n",
        ]
        play_on(client, game)
        file = client.get(f"/v1/games/{game}/proof?view=public&wait=30").content
        keys = kiebitz("log", "keys", "--data", tmp_path).stdout.splitlines()
    assert len(keys) == 4
    named = ((ORIGIN, "log.key"), (receipt_key_name(ORIGIN), "told.key"))
    present = [str(Signer(name, read_seed(tmp_path / lies)).key) for name, lies in named]
    assert set(present) < set(keys)
    assert verified(file, [read_key(key) for key in present])["view"] == "public"
    assert not (tmp_path / "log.key.next").exists()


def test_a_log_goes_on_where_its_store_goes_there_and_back(tmp_path: Path, migrated: str):
    first, back = tmp_path / "first", tmp_path / "back"
    with served("--data", first, KIEBITZ_LOG_HOST="club.example") as server, server.client() as client:
        token, game = server.token, open_game(client)
        until(lambda: logged(server)["signed"] == 1 or None)
    assert kiebitz("transfer", "--data", first, "--to", migrated, "--no-audit").exit_code == 0
    with served("--data", first, "--database-url", migrated) as there, there.client(token) as client:
        play_on(client, game)
        until(lambda: done(client.get("/health/ready"))["log"]["signed"] > 1 or None)
    assert kiebitz("transfer", "--data", first, "--database-url", migrated, "--to", back, "--no-audit").exit_code == 0
    assert [(back / name).read_bytes() for name in FILES] == [(first / name).read_bytes() for name in FILES]
    assert [(back / name).stat().st_mode & 0o777 for name in FILES] == [0o600] * 3
    with served("--data", back) as again, again.client(token) as client:
        file = client.get(f"/v1/games/{game}/proof?wait=30").content
    keys = [read_key(line) for line in kiebitz("log", "keys", "--data", first).stdout.split()]
    assert verified(file, keys)["origin"] == ORIGIN


def test_where_keys_of_another_log_lie_no_store_is_transferred(tmp_path: Path):
    one, other = (place_at(tmp_path / name, "sqlite:///") for name in ("one", "other"))
    for place in (one, other):
        place.begin()
    for file in [*other.settings.data.glob("*.db*")]:
        file.unlink()
    refused = one.kiebitz("transfer", "--to", other.settings.data, "--no-audit")
    assert refused.stderr.startswith(f"Error: {tmp_path / 'other' / 'log.key'} is the key of another log.")


def test_where_no_log_is_wanted_none_is_kept(tmp_path: Path):
    with served("--data", tmp_path, KIEBITZ_LOG="off") as server, server.client() as client:
        assert "log" not in done(client.get("/health/ready"))
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(("log", "told"))] == []
    assert "No log has begun here." in kiebitz("log", "status", "--data", tmp_path).stderr


@pytest.mark.parametrize(("name", "given"), [("LOG", "maybe"), ("LOG_HOST", "Two Words")])
def test_a_setting_that_means_nothing_is_refused(tmp_path: Path, name: str, given: str):
    assert f"KIEBITZ_{name}" in run("serve", "--data", tmp_path, **{f"KIEBITZ_{name}": given}).stderr
