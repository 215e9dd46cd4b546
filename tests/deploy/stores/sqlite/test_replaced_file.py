"""Replacement of an open database file: no commit is acknowledged into the old file, and the new one stays unchanged."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from deploy.stores.sqlite.backup import check_log
from deploy.stores.sqlite.journal import SqliteEventStore
from deploy.stores.sqlite.projections import SqliteProjections
from domain.errors import Unavailable
from domain.journal.commits import OutcomeUnknownError, StoreBlockedError
from tests.deploy.stores.stores import commit
from tests.migrated import migrated_file

GAME = uuid4()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "journal.db"
    migrated_file(file)
    shutil.copy(file, tmp_path / "backup.db")
    return file


@pytest.fixture
def store(file: Path) -> Iterator[SqliteEventStore]:
    with closing(SqliteEventStore(file)) as store:
        store.check_epoch()
        store.commit_group([commit(GAME, 1), commit(GAME, 2)])
        yield store


def lay(file: Path) -> bytes:
    """Put the backup in the place of the file, as ``mv`` does."""
    backup = file.with_name("backup.db")
    content = backup.read_bytes()
    backup.replace(file)
    return content


def test_every_way_to_write_is_refused_and_says_what_to_do(store: SqliteEventStore, file: Path):
    lay(file)
    ways = [
        lambda: store.commit_group([commit(GAME, 3)]),
        lambda: store.commit_at_once([commit(GAME, 3)]),
        lambda: store.change("DELETE FROM commands"),
        store.try_writing,
    ]
    for write in ways:
        with pytest.raises(StoreBlockedError, match=r"journal\.db.*Stop the service and start it again"):
            write()
    assert [len(store.select_events(GAME)), len(store.epochs())] == [2, 1]


def test_a_file_that_is_taken_away_is_missed(store: SqliteEventStore, file: Path):
    file.unlink()
    with pytest.raises(StoreBlockedError):
        store.commit_group([commit(GAME, 3)])


def test_no_epoch_begins_for_the_file_that_is_gone(store: SqliteEventStore, file: Path):
    lay(file)
    store.read_epoch()
    assert len(store.epochs()) == 1


def test_what_was_laid_stays_as_it_is_and_no_log_is_left_that_could_change_it(file: Path):
    with closing(SqliteEventStore(file)) as store:
        store.commit_group([commit(GAME, 1)])
        laid = lay(file)
        with pytest.raises(StoreBlockedError):
            store.commit_group([commit(GAME, 2)])
        assert file.with_name("journal.db-wal").stat().st_size == 0
    check_log(file)
    assert file.read_bytes() == laid
    with closing(SqliteEventStore(file)) as again:
        assert again.commit_group([commit(GAME, 1)]) == [(1,)]


def test_where_nobody_writes_any_more_the_log_is_emptied_at_the_end(file: Path):
    kept = file.with_name("kept.db")
    with closing(SqliteEventStore(file)) as store:
        store.commit_group([commit(GAME, 1)])
        file.rename(kept)
        laid = lay(file)
    assert (file.read_bytes(), file.with_name("journal.db-wal").stat().st_size) == (laid, 0)
    with closing(SqliteEventStore(kept)) as moved:
        assert len(moved.select_events(GAME)) == 1


def test_what_is_committed_while_the_file_is_exchanged_is_not_acknowledged(store: SqliteEventStore, file: Path):
    def exchange(db: sqlite3.Connection) -> None:
        db.execute("DELETE FROM commands")
        lay(file)

    with pytest.raises(OutcomeUnknownError, match=r"journal\.db"):
        store._database.run_transaction(exchange)


def test_projections_are_not_written_into_a_file_that_is_gone(tmp_path: Path):
    file = tmp_path / "projections.db"
    with closing(SqliteProjections(tmp_path / "backup.db")) as other, other.transaction() as tx:
        tx.run("CREATE TABLE rows (id INTEGER)")
    with closing(SqliteProjections(file)) as store:
        with store.transaction() as tx:
            tx.run("CREATE TABLE rows (id INTEGER)")
            tx.run("INSERT INTO rows VALUES (1)")
        laid = lay(file)
        with pytest.raises(Unavailable, match=r"projections\.db.*Stop the service and start it again"), store.transaction() as tx:
            tx.run("INSERT INTO rows VALUES (2)")
        assert store.query("SELECT id FROM rows") == [(1,)]
    assert file.read_bytes() == laid
