"""Backup of the embedded SQLite store, taken while others write, and checks of copies and write-ahead logs."""

import sqlite3
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from urllib.parse import quote

from deploy.stores.sqlite.connections import connect


class BackupIntegrityError(Exception):
    """Raised when the copy is not a sound database file, and neither is its source."""


class CopyFailedError(Exception):
    """Raised when one of the two files cannot be used, or there is no space for the copy."""


def back_up(source: Path, target: Path) -> int:
    """Copy the store to a new file as of one moment, without blocking writers. Return the newest sequence in the copy.

    The copy is on the disk when this returns, and complete without further files. Raises ``CopyFailedError``, and ``BackupIntegrityError``
    if the copy is inconsistent.
    """
    try:
        with closing(connect(source)) as store, closing(sqlite3.connect(target)) as copy:
            # In one step: copied page by page it would start over with every write.
            store.backup(copy)
        return check_copy(target)
    except sqlite3.OperationalError as error:
        raise CopyFailedError(str(error)) from error


def check_copy(file: Path) -> int:
    """Check a copy without the files that an open database has beside it. Return its newest sequence.

    Raises ``BackupIntegrityError``, also for a file that is not a store.
    """
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro&immutable=1", uri=True)) as copy:
            found = [words for (words,) in copy.execute("PRAGMA integrity_check")]
            if found != ["ok"]:
                raise BackupIntegrityError(found[0])
            return int(copy.execute("SELECT coalesce(max(sequence), 0) FROM events").fetchone()[0])
    except sqlite3.DatabaseError as error:
        raise BackupIntegrityError(str(error)) from error


# Check that a write-ahead log (`-wal`) belongs to the database file beside it.
#
# SQLite replays any log that it finds into the file. The log of a newer store beside a restored backup would destroy the backup, so the two
# are read together first, without writing anything.


_EVENTS = "SELECT sequence, originator_id, originator_version, topic, state FROM events ORDER BY sequence"


class ForeignLogError(Exception):
    """Raised when the log belongs to another file."""


def log_of(file: Path) -> Path:
    return file.with_name(f"{file.name}-wal")


def check_log(file: Path) -> None:
    """Check that file and log together are sound and that no event of the file alone changes.

    Reads both completely if there is a log. A process that was killed while it copied the log into the file leaves a file that is damaged
    alone and sound together with its log; the file of a backup is sound. Raises ``ForeignLogError``.
    """
    log = log_of(file)
    if not file.exists() or not log.exists() or not log.stat().st_size:
        return
    try:
        with closing(_open_read_only(file, "immutable=1")) as alone, closing(_open_read_only(file)) as together:
            if (found := _find_integrity_error(together)) is not None:
                raise ForeignLogError(found)
            if not _has_same_events(alone, together) and _find_integrity_error(alone) is None:
                raise ForeignLogError("events are not the same")
    except sqlite3.DatabaseError as error:
        raise ForeignLogError(str(error)) from error


def _open_read_only(file: Path, more: str = "") -> sqlite3.Connection:
    """Open a file read-only, so that closing it writes nothing. With ``immutable=1`` SQLite does not look for a log."""
    return sqlite3.connect(f"file:{quote(str(file))}?mode=ro&{more}", uri=True)


def _find_integrity_error(store: sqlite3.Connection) -> str | None:
    try:
        [found] = store.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    return None if found == "ok" else str(found)


def _has_same_events(alone: sqlite3.Connection, together: sqlite3.Connection) -> bool:
    """Return whether the file alone can be read, and has the first events of both together."""
    try:
        if not alone.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone():
            return True  # everything is still in the log
        [count] = alone.execute("SELECT count(*) FROM events").fetchone()
        return all(one == other for one, other in zip_longest(alone.execute(_EVENTS), together.execute(f"{_EVENTS} LIMIT ?", (count,))))
    except sqlite3.DatabaseError:
        return False
