"""Check of a write-ahead log, which is replayed into the file beside it and therefore has to belong to it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from deploy.compose import prepare_database
from deploy.config.failures import Failure
from deploy.config.settings import Settings
from deploy.stores.sqlite.backup import ForeignLogError, back_up, check_log
from deploy.stores.sqlite.journal import SqliteEventStore
from tests.deploy.stores.stores import commit
from tests.migrated import migrated_file

GAME = uuid4()


def append(store: SqliteEventStore, first: int, last: int) -> None:
    store.commit_group([commit(GAME, position) for position in range(first, last + 1)])


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A file and its log as a process leaves them that was killed: 800 events before the last checkpoint, 40 after it."""
    file, lies = tmp_path / "journal.db", tmp_path / "killed"
    migrated_file(file)
    lies.mkdir()
    with closing(SqliteEventStore(file)) as store:
        append(store, 1, 400)
        back_up(file, tmp_path / "backup.db")
        append(store, 401, 800)
        store.query("PRAGMA wal_checkpoint(TRUNCATE)")
        append(store, 801, 840)
        for name in ("journal.db", "journal.db-wal"):
            shutil.copy(tmp_path / name, lies / name)
    return lies / "journal.db"


def test_the_log_of_the_file_itself_is_taken(left: Path):
    before = left.read_bytes()
    check_log(left)
    assert left.read_bytes() == before


def test_the_log_of_a_file_that_was_killed_while_a_part_of_it_was_copied_into_the_file_is_taken(left: Path, tmp_path: Path):
    """A checkpoint writes page after page into the file; the log is kept until all are there."""
    half = tmp_path / "half" / "journal.db"
    half.parent.mkdir()
    shutil.copy(left.with_name("journal.db-wal"), half.with_name("journal.db-wal"))
    before = left.read_bytes()
    with closing(sqlite3.connect(left)) as whole:
        whole.execute("PRAGMA wal_checkpoint(PASSIVE)")
        after = left.read_bytes()
        [page] = whole.execute("PRAGMA page_size").fetchone()
    changed = [at for at in range(0, len(after), page) if before[at : at + page] != after[at : at + page]]
    assert len(changed) > 5
    for cut in changed[1:]:
        half.write_bytes(after[:cut] + before[cut:])
        check_log(half)


def test_a_log_beside_an_older_backup_is_refused_and_neither_file_is_changed(left: Path, tmp_path: Path):
    shutil.copy(tmp_path / "backup.db", left)
    before = [left.read_bytes(), left.with_name("journal.db-wal").read_bytes()]
    with pytest.raises(Failure) as refused:
        prepare_database(Settings(data=left.parent))
    assert str(refused.value).startswith(f"{left}-wal does not belong to {left}: ")
    assert [left.read_bytes(), left.with_name("journal.db-wal").read_bytes()] == before


def test_a_log_of_another_store_is_refused(left: Path, tmp_path: Path):
    other = tmp_path / "other.db"
    migrated_file(other)
    with closing(SqliteEventStore(other)) as store:
        store.commit_group([commit(uuid4(), 1) for _ in range(500)])
        append(store, 1, 300)
    shutil.copy(other, left)
    with pytest.raises(ForeignLogError):
        check_log(left)
