"""The embedded store: one file, one writing connection a process, as many reading ones as there are readers at a time."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import quote
from uuid import UUID

from eventsourcing.persistence import IntegrityError
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from domain.journal.commits import Commit, Outcome, Unavailable, identity, judge, key_of
from domain.journal.store import PATIENCE, Store

BUSY = 5.0  # seconds to wait for another process's transaction

_EVENT = "INSERT INTO events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)"
_COMMAND = "INSERT INTO commands (principal, key, fingerprint, game, first, last, sequence) VALUES (?, ?, ?, ?, ?, ?, ?)"
_TEXT = "INSERT INTO texts (id, body) VALUES (?, ?)"
_HEAD = "SELECT max(originator_version) FROM events WHERE originator_id = ?"


def path_of(url: str) -> Path:
    """The file of sqlite:///absolute/path.db, taken as it stands: nothing in it is decoded."""
    return Path("/" + url.removeprefix("sqlite:").lstrip("/"))


def connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """WAL, so that readers and the writer never wait for each other; FULL, so that what was acknowledged survives a power cut.

    The file must exist, unless the mode is "rwc".
    """
    uri = f"file:{quote(str(path))}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")  # what is erased is overwritten, whatever this library's default is
    except BaseException:
        connection.close()
        raise
    return connection


class SqliteRecorder(Store, SQLiteApplicationRecorder):  # type: ignore[misc]  # its max_notification_id says int
    """Events and registers in an SQLite file."""

    def __init__(self, path: Path) -> None:
        Store.__init__(self)
        SQLiteApplicationRecorder.__init__(self, SQLiteDatastore(db_name=str(path)))  # never opened: the library wants to see one
        self._path = path
        self._writer = connect(path)
        self._writing = Lock()
        self._readers: list[sqlite3.Connection] = []
        self._closed = False

    def close(self) -> None:
        with self._writing:
            self._closed = True
            self._writer.close()
        self._close_readers()

    def commit_group(self, commits: Sequence[Commit], patience: float = PATIENCE) -> list[Outcome]:
        # No optimistic pass: to read what a commit builds on costs a microsecond here, and there is no way to a server to save.
        with self._transaction(patience) as db:
            verdicts = judge(commits, *_known(db, commits))
            outcomes: list[Outcome] = [verdict or _store(db, commit) for commit, verdict in zip(commits, verdicts, strict=True)]
        self.announce(outcomes)
        return outcomes

    def interrupt(self) -> None:
        """Nothing to do: nothing hangs here for longer than the disk does."""

    def to_column(self, id: UUID) -> bytes:
        return id.bytes

    def from_column(self, value: bytes) -> UUID:
        return UUID(bytes=value)

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with _failures():
            reader = self._reader()
            try:
                rows = reader.execute(sql, parameters).fetchall()
            except BaseException:
                reader.close()
                raise
        self._give_back(reader)
        return rows

    def change(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        with self._transaction() as db:
            return db.execute(sql, parameters).rowcount

    def derive(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._transaction(synchronous="NORMAL") as db:
            db.executemany(sql, rows)

    def _reader(self) -> sqlite3.Connection:
        if self._closed:
            raise Unavailable("the store is closed")
        try:
            return self._readers.pop()
        except IndexError:
            return connect(self._path)

    def _give_back(self, reader: sqlite3.Connection) -> None:
        self._readers.append(reader)
        if self._closed:  # meanwhile, perhaps after the others were closed
            self._close_readers()

    def _close_readers(self) -> None:
        with suppress(IndexError):
            while True:
                self._readers.pop().close()

    @contextmanager
    def _transaction(self, patience: float = PATIENCE, synchronous: str = "FULL") -> Iterator[sqlite3.Connection]:
        with self._writing, _failures():
            if self._closed:
                raise Unavailable("the store is closed")
            db = self._writer
            db.execute(f"PRAGMA busy_timeout = {max(1, round(min(patience, BUSY) * 1000))}")
            db.execute(f"PRAGMA synchronous = {synchronous}")
            db.execute("BEGIN IMMEDIATE")  # a transaction that reads first could find out later that it may not write
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:  # a full disk has rolled back already
                    db.execute("ROLLBACK")
                raise


@contextmanager
def _failures() -> Iterator[None]:
    """The database's own troubles (locked, full, read-only, gone) become Unavailable, a broken constraint the library's error."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise Unavailable(str(error)) from error
    except sqlite3.IntegrityError as error:
        raise IntegrityError(str(error)) from error


def _known(db: sqlite3.Connection, commits: Sequence[Commit]) -> tuple[dict[UUID, int], list[tuple[str, str]], list[str]]:
    """What the store holds of what these commits build on: last versions, keys taken, text ids taken."""
    originators = {originator for commit in commits for originator in commit.bases()}
    heads = {originator: db.execute(_HEAD, (originator.bytes,)).fetchone()[0] or 0 for originator in originators}
    keys = [key for commit in commits for key in key_of(commit)]
    texts = [text.id for commit in commits for text in commit.texts]
    taken = [key for key in keys if db.execute("SELECT 1 FROM commands WHERE principal = ? AND key = ?", key).fetchone()]
    return heads, taken, [id for id in texts if db.execute("SELECT 1 FROM texts WHERE id = ?", (id,)).fetchone()]


def _store(db: sqlite3.Connection, commit: Commit) -> tuple[int, ...]:
    sequences = []
    for event in commit.events:
        row = db.execute(_EVENT, (identity(event).bytes, event.originator_version, event.topic, event.state))
        sequences.append(row.lastrowid or 0)
    if commit.command:
        game, first, last = commit.span()
        command = commit.command
        db.execute(_COMMAND, (command.principal, command.key, command.fingerprint, game.bytes, first, last, sequences[-1]))
    for text in commit.texts:
        db.execute(_TEXT, (text.id, text.body))
    return tuple(sequences)
