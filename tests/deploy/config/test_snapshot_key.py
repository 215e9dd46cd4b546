"""Key that seals snapshots: its location, its permissions, and operation without it."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deploy.compose import open_services
from deploy.config.failures import Failure
from deploy.config.key_files import snapshot_key, take_snapshot_key
from deploy.config.settings import Settings, read_settings
from domain.journal.snapshots import KEY_LENGTH

SERVED = "postgresql://me@host/name"


def test_the_first_start_makes_it_and_later_ones_read_it(tmp_path: Path):
    settings = Settings(tmp_path / "data")
    with open_services(settings, alone=True):
        pass
    file = tmp_path / "data" / "snapshots.key"
    key = snapshot_key(settings)
    assert (len(key) >= KEY_LENGTH, key, stat.S_IMODE(file.stat().st_mode)) == (True, file.read_bytes().strip(), 0o600)
    assert snapshot_key(Settings(tmp_path / "another")) != key


def test_it_is_in_no_database(tmp_path: Path):
    settings = Settings(tmp_path / "data")
    with open_services(settings, alone=True):
        pass
    key = snapshot_key(settings)
    for file in (tmp_path / "data").iterdir():
        assert file.name == "snapshots.key" or key not in file.read_bytes()


def test_of_several_processes_that_make_it_at_once_all_read_the_same(tmp_path: Path):
    settings = Settings(tmp_path / "data")
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: snapshot_key(settings), range(40)))) == 1
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["snapshots.key"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")
def test_a_key_that_root_made_belongs_to_whose_folder_it_is(tmp_path: Path):
    """Else the service could not start any more after root had looked at it."""
    settings = Settings(tmp_path / "data")
    settings.data.mkdir(0o700)
    os.chown(settings.data, 12345, 12346)
    snapshot_key(settings)
    found = (settings.data / "snapshots.key").stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (12345, 12346, 0o600)


def test_hosts_on_one_postgresql_share_a_file_of_their_own(tmp_path: Path):
    file = tmp_path / "shared" / "kiebitz.key"
    one, other = (
        read_settings({"KIEBITZ_DATABASE_URL": SERVED, "KIEBITZ_SNAPSHOT_KEY_FILE": str(file), "KIEBITZ_DATA": str(tmp_path / name)})
        for name in ("one", "other")
    )
    assert (snapshot_key(one), one.snapshot_key_file) == (snapshot_key(other), file)
    assert not (tmp_path / "one").exists()


def test_with_postgresql_and_no_place_for_it_a_process_trusts_its_own_snapshots_only(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / "file").touch()
    settings = Settings(tmp_path / "file" / "data", SERVED)
    assert snapshot_key(settings) != snapshot_key(settings)
    assert "this process trusts only its own snapshots" in caplog.text


def test_who_only_looks_makes_none_and_trusts_no_snapshot(tmp_path: Path):
    settings = Settings(tmp_path / "data")
    assert snapshot_key(settings, create=False) != snapshot_key(settings, create=False)
    assert list(tmp_path.iterdir()) == []
    assert snapshot_key(settings) == snapshot_key(settings, create=False)


@pytest.mark.parametrize("url", [None, SERVED])
def test_a_named_file_that_cannot_be_used_is_a_failure_in_words(tmp_path: Path, url: str | None):
    (tmp_path / "file").touch()
    with pytest.raises(Failure, match="KIEBITZ_SNAPSHOT_KEY_FILE"):
        snapshot_key(Settings(tmp_path, url, snapshot_key_file=tmp_path / "file" / "key"))
    (tmp_path / "short").write_text("abc")
    with pytest.raises(Failure, match="too short"):
        snapshot_key(Settings(tmp_path, url, snapshot_key_file=tmp_path / "short"))


def test_a_store_that_was_transferred_takes_its_key_along_and_no_other_gives_way(tmp_path: Path):
    source, target, other = (Settings(tmp_path / name) for name in ("source", "target", "other"))
    keys = [snapshot_key(source), snapshot_key(other)]
    take_snapshot_key(source, target)
    take_snapshot_key(source, other)
    assert [snapshot_key(target), snapshot_key(other)] == keys
    assert stat.S_IMODE((target.data / "snapshots.key").stat().st_mode) == 0o600
