"""Durability checks of `kiebitz doctor`: settings of a server, its standbys, and the disk."""

from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from deploy.cli.checks.machine import Found
from deploy.cli.checks.persistence import (
    check_persistence,
    check_server_copies,
    check_write_time,
    file_system,
    judge_folder,
    judge_server,
    judge_server_copies,
    judge_write_time,
)
from deploy.cli.diagnostics import run_checks
from deploy.config.failures import render
from deploy.config.settings import Settings
from deploy.stores.postgres.connections import PersistenceSettings

LASTING = PersistenceSettings(True, True, "on", "", False, ())
WAITED_FOR = replace(LASTING, synchronous_standby_names="ANY 1 (a, b)", standbys=("quorum", "quorum"))


@pytest.mark.parametrize(
    ("changed", "state", "advice"),
    [
        ({}, "ok", ""),
        ({"synchronous_commit": "remote_apply"}, "ok", ""),
        ({"fsync": False}, "wrong", "fsync = on"),
        ({"synchronous_commit": "off"}, "wrong", "synchronous_commit = on"),
        ({"full_page_writes": False}, "look", "full_page_writes = on"),
        ({"standby": True}, "wrong", "primary"),
    ],
)
def test_a_server_that_could_lose_what_was_acknowledged_is_found_with_what_to_set(changed: dict, state: str, advice: str):
    found = judge_server(replace(LASTING, **changed))
    assert (found.state, advice in render(found.advice)) == (state, True)


@pytest.mark.parametrize(
    ("found", "state", "text"),
    [
        (LASTING, "ok", "none; after the loss of the server only the last backup remains"),
        (WAITED_FOR, "ok", "2 connected; commits wait for ANY 1 (a, b)"),
        (replace(WAITED_FOR, standbys=(None,)), "ok", "1 connected; commits wait for ANY 1 (a, b)"),  # more the account may not see
        (replace(WAITED_FOR, standbys=()), "wrong", "synchronous_standby_names is ANY 1 (a, b), and no such standby is connected"),
        (replace(WAITED_FOR, standbys=("async",)), "wrong", "synchronous_standby_names is ANY 1 (a, b), and no such standby is connected"),
        (replace(WAITED_FOR, synchronous_commit="local"), "look", "2 connected, and no commit waits for one"),
        (replace(LASTING, standbys=("async",)), "look", "1 connected, and no commit waits for one"),
    ],
)
def test_standbys_are_told_of_with_whether_commits_wait_for_them(found: PersistenceSettings, state: str, text: str):
    standbys = judge_server_copies(found)
    assert (standbys.state, render(standbys.text)) == (state, text)


def test_a_real_server_is_asked(migrated: str):
    settings = Settings(Path(), migrated)
    assert [check(settings).state for check in (check_persistence, check_server_copies)] == ["ok", "ok"]
    assert "a commit takes" in render(check_write_time(settings).text)
    with psycopg.connect(migrated, autocommit=True) as server:
        server.execute(f"ALTER DATABASE {server.info.dbname} SET synchronous_commit = off".encode())
    found = {name: one.state for name, one in run_checks(settings)}
    assert (found["Durability"], "Standbys" in found) == ("wrong", False)
    assert found["Clock"] == "ok"


MOUNTS = """\
/dev/vda / ext4 rw 0 0
overlay /in\\040a\\040box overlay rw 0 0
server:/games /mnt/games nfs4 rw 0 0
tmpfs /mnt/games/now tmpfs rw 0 0
tmpfs /mnt/games/later tmpfs rw 0 0
/dev/vdb /mnt/games/later ext4 rw 0 0
"""


def test_the_file_system_of_a_folder_is_that_of_the_nearest_place_and_the_last_one_there(tmp_path: Path):
    (tmp_path / "mounts").write_text(MOUNTS)
    folders = ("/var/lib/kiebitz", "/in a box", "/mnt/games/2026", "/mnt/games/now/data", "/mnt/games/later")
    assert [file_system(Path(folder), tmp_path / "mounts") for folder in folders] == ["ext4", "overlay", "nfs4", "tmpfs", "ext4"]
    assert file_system(Path("/var"), tmp_path / "none") is None


@pytest.mark.parametrize(
    ("kind", "state", "text"),
    [
        ("ext4", "ok", "each commit is written through to the disk (ext4)"),
        (None, "ok", "each commit is written through to the disk"),
        ("nfs4", "look", "the folder is on a network share (nfs4)"),
        ("tmpfs", "look", "the folder is in memory (tmpfs): everything is lost when the machine stops"),
        ("overlay", "look", "the folder is inside the container (overlay): everything is lost when that is replaced"),
    ],
)
def test_a_folder_that_does_not_last_is_found(kind: str | None, state: str, text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "mounts").write_text(f"any / {kind} rw 0 0\n" if kind else "")
    found = judge_folder(tmp_path, tmp_path / "mounts")
    assert (found.state, render(found.text), bool(found.advice)) == (state, text, state == "look")


def test_the_disk_is_timed_and_left_as_it_was(tmp_path: Path):
    found = check_write_time(Settings(tmp_path))
    assert render(found.text).startswith("a commit reaches the disk in ")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_slow_more_often_than_not_is_found():
    def judged(slow: int) -> Found:
        """By a clock that says of so many of ten writes that they took 50 ms, of the others 1."""
        told = [second for number in range(10) for second in (0.0, 0.05 if number < slow else 0.001)]
        return judge_write_time(lambda: None, "fsync_takes", iter(told).__next__)

    assert (judged(4).state, judged(6).state) == ("ok", "look")
    assert render(judged(6).text) == "a commit reaches the disk in 50.0 ms, the slowest of 10 in 50.0"


def test_the_first_write_opens_files_and_is_not_timed():
    now, taken = [0.0], iter([0.05, *10 * [0.001]])

    def write() -> None:
        now[0] += next(taken)

    found = judge_write_time(write, "fsync_takes", lambda: now[0])
    assert render(found.text) == "a commit reaches the disk in 1.0 ms, the slowest of 10 in 1.0"
