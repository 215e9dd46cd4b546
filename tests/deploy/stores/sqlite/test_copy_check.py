"""The check of a copy before it counts as a backup."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deploy.stores.sqlite.backup import BackupIntegrityError, check_copy


def test_a_copy_that_is_no_whole_database_is_refused_with_what_is_wrong(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        copy.executescript("CREATE TABLE events (sequence); INSERT INTO events VALUES (NULL); PRAGMA writable_schema = ON")
        copy.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE events (sequence NOT NULL)'")
        copy.commit()
    with pytest.raises(BackupIntegrityError, match=r"NULL value in events\.sequence"):
        check_copy(tmp_path / "copy.db")
