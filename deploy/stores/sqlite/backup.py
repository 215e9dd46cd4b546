"""A copy of the embedded store, taken while others write to it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from deploy.stores.sqlite.connections import connect


class Damaged(Exception):
    """The copy is not a sound database file, and neither is what it was taken from."""


class NotCopied(Exception):
    """One of the two files cannot be used, or there is no room for the copy."""


def back_up(source: Path, target: Path) -> int:
    """Copies the store to a new file as it stands at one moment; nobody who writes waits for it. Answers the newest sequence in the copy.

    The copy is on the disk when this returns, and complete by itself. Raises ``NotCopied``, and ``Damaged`` if it
    does not hold together.
    """
    try:
        with closing(connect(source)) as store, closing(sqlite3.connect(target)) as copy:
            # In one step: copied page by page it would begin anew whenever somebody writes.
            store.backup(copy)
        return check_copy(target)
    except sqlite3.OperationalError as error:
        raise NotCopied(str(error)) from error


def check_copy(file: Path) -> int:
    """Check a copy as it will lie elsewhere, without the files that an open database has beside it. Return its newest sequence.

    Raises ``Damaged``, also for a file that is no store.
    """
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro&immutable=1", uri=True)) as copy:
            found = [words for (words,) in copy.execute("PRAGMA integrity_check")]
            if found != ["ok"]:
                raise Damaged(found[0])
            return int(copy.execute("SELECT coalesce(max(sequence), 0) FROM events").fetchone()[0])
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from error
