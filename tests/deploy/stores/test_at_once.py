"""Immediate commits in a server's loop that wait only for the disk; only the embedded database supports them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Timer
from uuid import uuid4

import pytest

from deploy.stores.opening import OpenedEvents, open_events
from deploy.stores.sqlite.connections import SqliteDatabase, connect
from deploy.stores.sqlite.journal import SqliteEventStore
from domain.journal.commits import Commit
from tests.deploy.stores.stores import commit, stored, told, writing_stopped
from tests.migrated import migrated_file

A, B, C = uuid4(), uuid4(), uuid4()
GROUPS = [
    [commit(A, 1, 2), commit(B, 1, key="k", text="t")],
    [commit(A, 3), commit(A, 3), commit(B, 2, key="k"), commit(C, 2)],
    [commit(A, 4, text="t"), commit(A, 4), commit(C, 1, key="l")],
]


def at_once(store: OpenedEvents, commits: list[Commit]) -> list[tuple[int, ...] | str] | None:
    outcomes = store.commit_at_once(commits)
    return None if outcomes is None else told(outcomes)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], SqliteEventStore]]:
    stores: list[SqliteEventStore] = []

    def open_one(name: str) -> SqliteEventStore:
        migrated_file(tmp_path / name)
        stores.append(SqliteEventStore(tmp_path / name))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


def test_what_is_stored_at_once_is_what_would_be_stored_otherwise(opened: Callable[[str], SqliteEventStore]):
    one, other = opened("one.db"), opened("other.db")
    assert [at_once(one, group) for group in GROUPS] == [told(other.commit_group(group)) for group in GROUPS]
    assert stored(one) == stored(other)


def test_while_another_process_writes_nothing_is_stored_and_nobody_waits(opened: Callable[[str], SqliteEventStore], tmp_path: Path):
    store = opened("one.db")
    with writing_stopped(f"sqlite://{tmp_path / 'one.db'}"):
        assert at_once(store, [commit(A, 1)]) is None
    assert at_once(store, [commit(A, 1)]) == [(1,)]
    assert stored(store) == [(1, A, 1)]


def test_a_file_that_another_program_locks_for_a_moment_is_opened_by_those_who_will_not_wait_later(tmp_path: Path):
    migrated_file(tmp_path / "one.db")
    other = connect(tmp_path / "one.db", pragmas=("locking_mode = EXCLUSIVE",))
    other.executescript("BEGIN IMMEDIATE; COMMIT")
    freed = Timer(0.2, other.close)
    freed.start()
    with closing(SqliteDatabase(tmp_path / "one.db", lambda error: error, "rw", (), wait=0)) as opened:
        assert opened.query("PRAGMA busy_timeout") == [(0,)]
    freed.join()


@pytest.mark.parametrize("way", ["commit_at_once", "commit_group"])
def test_the_log_is_brought_into_the_file_by_a_thread_of_its_own_and_begins_anew(
    opened: Callable[[str], SqliteEventStore], tmp_path: Path, way: str
):
    store, file, log = opened("one.db"), tmp_path / "one.db", tmp_path / "one.db-wal"
    before, position = file.stat().st_size, 0
    # A commit takes three pages of the log at least.
    while file.stat().st_size == before or log.stat().st_size > position * 2 * 4096:
        position += 1
        while getattr(store, way)([commit(A, position)]) is None:
            pass  # for a moment the log is being brought in
        assert position < 20_000


def test_on_a_server_there_is_always_somebody_to_wait_for(migrated: str):
    with closing(open_events(migrated)) as events:
        assert at_once(events, [commit(A, 1)]) is None
        assert stored(events) == []


def test_when_the_store_is_closed_nothing_is_left_open(tmp_path: Path):
    migrated_file(tmp_path / "one.db")
    with closing(SqliteEventStore(tmp_path / "one.db")) as store:
        store.commit_at_once([commit(A, 1)])
    assert [path.name for path in tmp_path.iterdir()] == ["one.db"]  # the last one who leaves takes the log with him


def test_a_store_that_is_closed_beside_another_process_holds_everything_in_its_file(tmp_path: Path):
    migrated_file(tmp_path / "one.db")
    with closing(SqliteEventStore(tmp_path / "one.db")) as store, closing(sqlite3.connect(tmp_path / "one.db")) as other:
        other.execute("SELECT count(*) FROM events").fetchone()  # it has the file open from here on
        store.commit_at_once([commit(A, 1)])
        store.close()
        assert (tmp_path / "one.db-wal").stat().st_size == 0
