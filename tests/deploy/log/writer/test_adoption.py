"""Adoption of a log by a moved store, once the operator confirms that the old one is gone."""

import shutil
from pathlib import Path
from uuid import UUID

import pytest

from tests.deploy.log.writer.logged_store import Place, logged, place_at
from tests.deploy.serving import done, open_game, play_on, run, served, until

KEYS = ("log.key", "told.key", "log.signed")
GAME, OTHER = UUID(int=1), UUID(int=2)


@pytest.fixture
def old(tmp_path: Path) -> Place:
    """Return a store with a log that has signed."""
    old = place_at(tmp_path / "old", "sqlite:///")
    old.begin()
    old.record(GAME)
    old.sign()
    return old


def moved(old: Place, to: Path) -> Place:
    shutil.copytree(old.settings.data, to)
    new = Place(to, "sqlite:///")
    new.settle()
    return new


def test_a_copied_folder_goes_on_with_the_same_log(old: Place, tmp_path: Path):
    new, before = moved(old, tmp_path / "new"), old.signed
    adopted = new.kiebitz("log", "adopt", "--old-one-is-gone")
    assert (adopted.exit_code, adopted.output) == (0, f"{before.origin} continues here. A running service signs within a second.\n")
    new.record(OTHER)
    new.sign()
    assert (new.signed.origin, new.signed.size) == (before.origin, 2 * before.size)
    assert new.kiebitz("audit", "--all").exit_code == 0


def test_a_backup_with_its_keys_goes_on_with_the_same_log(old: Place, tmp_path: Path):
    new = old.copied(None, tmp_path / "new")
    for name in KEYS:
        shutil.copy(old.settings.data / name, new.settings.data / name)
    new = Place(new.settings.data, "sqlite:///")
    new.settle()
    assert new.kiebitz("log", "adopt", "--old-one-is-gone").exit_code == 0
    new.record(OTHER)
    new.sign()
    assert (new.signed.origin, new.signed.size) == (old.signed.origin, 2 * old.signed.size)


def test_nothing_is_changed_until_somebody_says_that_the_old_one_is_gone(old: Place, tmp_path: Path):
    new = moved(old, tmp_path / "new")
    with new.events() as events:
        before = events.log_epochs()
    refused = new.kiebitz("log", "adopt")
    assert refused.exit_code == 1
    assert f"Nothing was changed: {old.signed.origin} may continue in one place only." in refused.output
    with new.events() as events:
        assert events.log_epochs() == before


def test_a_store_that_was_not_moved_has_nothing_to_adopt(old: Place):
    refused = old.kiebitz("log", "adopt", "--old-one-is-gone")
    assert (refused.exit_code, "already belongs to this store" in refused.output) == (1, True)


def test_where_events_are_missing_that_were_signed_nothing_is_adopted(old: Place, tmp_path: Path):
    new = old.copied(None, tmp_path / "new")
    old.record(OTHER)
    old.sign()
    new.settle()
    refused = new.kiebitz("log", "adopt", "--old-one-is-gone")
    size = old.signed.size
    assert refused.exit_code == 1
    assert f"{size} entries were signed, and {size // 2} entries here make another history." in refused.output


@pytest.mark.parametrize("missing", ["log.key", "log.signed"])
def test_without_the_key_and_what_was_signed_last_nothing_is_adopted(old: Place, tmp_path: Path, missing: str):
    new = moved(old, tmp_path / "new")
    (new.settings.data / missing).unlink()
    refused = new.kiebitz("log", "adopt", "--old-one-is-gone")
    assert (refused.exit_code, "Bring log.key, told.key and log.signed" in refused.output) == (1, True)
    assert not (new.settings.data / missing).exists()


def test_a_start_says_that_the_store_was_moved_and_signs_once_it_was_adopted(tmp_path: Path):
    old, new = tmp_path / "old", tmp_path / "new"
    with served("--data", old, KIEBITZ_LOG_HOST="club.example") as server, server.client() as client:
        token, game = server.token, open_game(client)
        until(lambda: logged(server, token)["signed"] == 1 or None)
    shutil.copytree(old, new)
    with served("--data", new) as server, server.client(token) as client:
        assert "this store lies elsewhere than club.example/log/1 did" in server.greeting
        assert f"log adopt --data {new}" in server.greeting
        play_on(client, game)
        assert run("log", "adopt", "--old-one-is-gone", "--data", new).returncode == 0
        found = until(lambda: told if (told := logged(server, token))["signed"] == told["head"] and told["error"] is None else None)
        assert (found["origin"], found["error"], found["status"]) == ("club.example/log/1", None, "ready")
        done(client.get(f"/v1/games/{game}/proof?view=public&wait=30"))


def test_a_start_makes_no_second_key_for_a_log_that_is_signed_elsewhere(tmp_path: Path):
    with served("--data", tmp_path, KIEBITZ_LOG_HOST="club.example") as server, server.client() as client:
        token = server.token
        open_game(client)
        until(lambda: logged(server, token)["signed"] == 1 or None)
    (tmp_path / "log.key").rename(tmp_path / "kept-elsewhere")
    with served("--data", tmp_path) as server:
        assert f"club.example/log/1 is signed by a key that is not in {tmp_path}" in server.greeting
        assert run("log", "rotate", "log", "--data", tmp_path).returncode == 1
    assert not (tmp_path / "log.key").exists()
