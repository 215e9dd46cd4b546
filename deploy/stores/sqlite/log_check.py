"""Whether a write-ahead log (`-wal`) belongs to the database file beside it.

SQLite replays whatever lies there into the file. The log of a newer store beside a restored backup would destroy the backup, so the two are
read together first, without writing anything.
"""

import sqlite3
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from urllib.parse import quote

_EVENTS = "SELECT sequence, originator_id, originator_version, topic, state FROM events ORDER BY sequence"


class ForeignLogError(Exception):
    """The log belongs to another file."""


def log_of(file: Path) -> Path:
    return file.with_name(f"{file.name}-wal")


def check_log(file: Path) -> None:
    """Check that file and log together are sound and that no event of the file alone changes. Read both whole if there is a log.

    Raises ``ForeignLogError``.
    """
    log = log_of(file)
    if not file.exists() or not log.exists() or not log.stat().st_size:
        return
    try:
        with closing(_opened(file, "immutable=1")) as alone, closing(_opened(file)) as together:
            [found] = together.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise ForeignLogError(found)
            _compare_events(alone, together)
    except sqlite3.DatabaseError as error:
        raise ForeignLogError(str(error)) from error


def _opened(file: Path, more: str = "") -> sqlite3.Connection:
    """Read-only, so that closing it writes nothing into the file. With ``immutable=1`` SQLite does not look for a log."""
    return sqlite3.connect(f"file:{quote(str(file))}?mode=ro&{more}", uri=True)


def _compare_events(alone: sqlite3.Connection, together: sqlite3.Connection) -> None:
    if not alone.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone():
        return  # everything is still in the log
    [count] = alone.execute("SELECT count(*) FROM events").fetchone()
    ours, theirs = alone.execute(_EVENTS), together.execute(f"{_EVENTS} LIMIT ?", (count,))
    for one, other in zip_longest(ours, theirs):
        if one != other:
            raise ForeignLogError(f"event {(one or other)[0]} is not the same")
