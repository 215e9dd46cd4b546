"""Event store in an SQLite file: the embedded store."""

import logging
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias
from uuid import UUID

from deploy.stores.epochs import Session
from deploy.stores.events import SqlEventStore
from deploy.stores.registers import DEALT, LIES, columns_of
from deploy.stores.sqlite.connections import BUSY, LASTING, CommitUnknownError, ReplacedError, SqliteDatabase
from deploy.stores.statements import Step
from domain.journal.commits import (
    AnyRef,
    Board,
    CommandKey,
    Commit,
    CommitOutcome,
    Conflict,
    OutcomeUnknownError,
    StoredEvent,
    StoreReplacedError,
    StoreUnavailableError,
    boards_of,
    find_conflicts,
    foreign_refs_of,
    keys_of,
    refs_of,
)
from domain.journal.registers import Duplicate
from domain.journal.store import PATIENCE, Told

_LOG = logging.getLogger("kiebitz.journal")

_EVENT = "INSERT INTO events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)"
_NEXT = (
    "INSERT INTO events (originator_id, originator_version, topic, state) SELECT ?, ?, ?, ? "
    "WHERE coalesce((SELECT max(originator_version) FROM events WHERE originator_id = ?), 0) = ?"
)
_COMMAND = "INSERT INTO commands (principal, key, fingerprint, game, first, last, sequence) VALUES (?, ?, ?, ?, ?, ?, ?)"
_TEXT = "INSERT INTO texts (id, body, salt) VALUES (?, ?, ?)"
_REF = "INSERT INTO refs (digest, copy, game) VALUES (?, ?, ?)"
_ORIGIN = "INSERT INTO origins (game, system, id, digest, meta) VALUES (?, ?, ?, ?, ?)"
_ANEW = (
    "CREATE TABLE erasing AS SELECT * FROM {table}",
    "DELETE FROM {table}",
    "INSERT INTO {table} SELECT * FROM erasing",
    "DROP TABLE erasing",
)
_LOG_GROWS = "wal_autocheckpoint = 0"
"""Disables automatic WAL checkpoints: a commit should not wait for one, which takes ten times as long as the commit itself."""
_MANY = 256  # transactions, some five pages each, between WAL checkpoints
_CHECKPOINT = "PRAGMA wal_checkpoint(PASSIVE)"
_READERS_WAIT = 0.5  # seconds for readers to end, once texts were erased
_REF_TAKEN = "SELECT 1 FROM refs WHERE digest = ? AND copy = ?"
_FOREIGN_TAKEN = "SELECT 1 FROM origins WHERE system = ? AND id = ?"
_HEAD = "SELECT max(originator_version) FROM events WHERE originator_id = ?"


class SqliteEventStore(SqlEventStore):
    """Embedded event store. One thread of this process writes at a time, so that the others need not poll the file's lock."""

    def __init__(self, path: Path, pragmas: Sequence[str] = ()) -> None:
        super().__init__()
        pragmas = (*LASTING, *pragmas, _LOG_GROWS)
        self._database = SqliteDatabase(path, _failure, "rw", pragmas)
        self._hasty = SqliteDatabase(path, _map_busy_error, "rw", pragmas, wait=0)
        self._writing = Lock()
        self._written = 0
        """Number of transactions so far."""
        self._log_keeper = ThreadPoolExecutor(1, "journal-log")
        self._traces = False  # whether erased texts are still in the log

    def close(self) -> None:
        """Bring the write-ahead log into the file first: SQLite itself does so only when the last process closes the file."""
        self._log_keeper.shutdown()
        if self._written:
            self._empty_log(_READERS_WAIT)
            self._written = 0
            if self._traces:
                _LOG.warning("another program reads %s: copy %s-wal with it, which holds the newest events", *[self._database.path] * 2)
        with self._writing:
            self._hasty.close()
            self._database.close()

    def commit_group(self, commits: Sequence[Commit], patience: float = PATIENCE) -> list[CommitOutcome]:
        # No optimistic pass: reading what a commit builds on costs a microsecond here, and there is no round trip to save.
        self.require_usable()
        line = self.line
        impatient = (f"busy_timeout = {max(1, round(patience * 1000))}",) if patience < BUSY else ()
        with self._turn(patience), self._database.transaction(*impatient) as db:
            outcomes = _store_commits(commits, db)
        self.announce(line, commits, outcomes)
        if self._traces:
            self._empty_log(0.0)
        return outcomes

    def commit_at_once(self, commits: Sequence[Commit]) -> list[CommitOutcome] | None:
        self.require_usable()
        line = self.line
        # Erased texts are still in the log: ``commit_group`` has to empty it after its commit.
        if self._traces or not self._writing.acquire(blocking=False):
            return None
        try:
            outcomes = self._hasty.run_transaction(partial(_store_commits, commits))
        except _WriterBusyError:
            return None
        finally:
            self._leave()
        self.announce(line, commits, outcomes)
        return outcomes

    def send_in_loop(self, commits: Sequence[Commit], patience: float, told: Told) -> bool:
        return False  # waiting for a disk would block the loop

    async def take_turn(self, stream: UUID, patience: float) -> bool:
        return False  # usually one process writes to a file, and another one only briefly

    def release_turn(self) -> None:
        """Do nothing: there are no turns here."""

    def erase_text(self, id: str, stream: UUID, position: int, command: CommandKey | None = None) -> bool:
        erased = super().erase_text(id, stream, position, command)
        self._remove_traces("texts")
        return erased

    def erase_person(self, player: str, stream: UUID, at: str, by: str) -> None:
        super().erase_person(player, stream, at, by)
        self._remove_traces("people")

    def erase_meta(self, game: UUID, command: CommandKey | None = None) -> bool:
        erased = super().erase_meta(game, command)
        self._remove_traces("origins")
        return erased

    def erase_looks(self, principals: Collection[str]) -> int:
        erased = super().erase_looks(principals)
        if erased:
            self._remove_traces("looks")
        return erased

    def _remove_traces(self, table: str) -> None:
        """Rewrite the table and empty the log: SQLite may leave bytes behind of a row that moved to another page."""
        with self._writing, self._database.transaction() as db:
            for statement in _ANEW:
                db.execute(statement.format(table=table))
        self._empty_log(_READERS_WAIT)

    def _empty_log(self, patience: float) -> None:
        """Empty the write-ahead log. A reader of an older state may prevent it; then the next commit tries again, and so does closing."""
        self._traces = True
        with suppress(StoreUnavailableError), self._writing, self._database.connection() as db:
            db.execute(f"PRAGMA busy_timeout = {round(patience * 1000)}")
            [(busy, *_)] = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            db.execute(f"PRAGMA busy_timeout = {round(BUSY * 1000)}")
            self._traces = bool(busy)

    def interrupt(self) -> None:
        """Do nothing: no call here blocks for longer than the disk does."""

    @contextmanager
    def session(self) -> Iterator[Session]:
        with self._database.connection() as connection:
            place = str(self._database.file[1]) if self._database.file else None  # a copy is another file
            yield Session(lambda sql, values: connection.execute(sql, values).fetchall(), lambda: _appending(connection), place)

    def to_column(self, id: UUID) -> bytes:
        return id.bytes

    def from_column(self, value: bytes) -> UUID:
        return UUID(bytes=value)

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._database.query(sql, parameters)

    def change(self, sql: str, parameters: Sequence[Any] = (), *then: Step) -> int:
        self.require_usable()
        with self._turn(), self._database.transaction() as db:
            touched = db.execute(sql, parameters).rowcount
            for step in then if touched else ():
                db.execute(*step)
            return touched

    def change_together(self, *steps: Step) -> None:
        self.require_usable()
        with self._turn(), self._database.transaction() as db:
            for sql, parameters in steps:
                db.execute(sql, parameters)

    def derive(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._turn(), self._database.transaction("synchronous = NORMAL") as db:
            db.executemany(sql, rows)

    @contextmanager
    def _turn(self, patience: float = BUSY) -> Iterator[None]:
        """Wait for the other writers of this process no longer than for other processes. Raises ``StoreUnavailableError`` when the time is
        up.
        """
        if not self._writing.acquire(timeout=patience):
            raise StoreUnavailableError("others are writing, and do not come to an end")
        try:
            yield
        finally:
            self._leave()

    def _leave(self) -> None:
        """Release the writer's lock; every ``_MANY`` transactions, start a WAL checkpoint in the background."""
        self._written += 1
        if self._written % _MANY == 0:
            with suppress(RuntimeError):  # the store is being closed
                self._log_keeper.submit(self._copy_log)
        self._writing.release()

    def _copy_log(self) -> None:
        """Bring most of the log into the file while others write, then the rest while they wait: otherwise the log would never
        start over.
        """
        with suppress(StoreUnavailableError):
            self._database.query(_CHECKPOINT)
            with self._turn():
                self._database.query(_CHECKPOINT)


@contextmanager
def _appending(connection: sqlite3.Connection) -> Iterator[None]:
    # IMMEDIATE takes the lock before the first read; a deferred transaction could fail at its first write
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.execute("COMMIT")


def _failure(error: sqlite3.Error) -> Exception:
    """Map the database's own errors: locked, full, read-only, gone. A broken constraint is the fault of the data to be written."""
    match error:
        case ReplacedError():
            return StoreReplacedError(error.path.name)
        case CommitUnknownError():
            return OutcomeUnknownError(str(error))
        case sqlite3.OperationalError():
            return StoreUnavailableError(str(error))
        case sqlite3.IntegrityError():
            return Duplicate(str(error))
    return error


def _map_busy_error(error: sqlite3.Error) -> Exception:
    """Map a busy database to ``_WriterBusyError``: without waiting, another process was found writing, and nothing was done."""
    busy = isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    return _WriterBusyError(str(error)) if busy else _failure(error)


class _WriterBusyError(Exception):
    """Raised when another process writes."""


def _store_commits(commits: Sequence[Commit], db: sqlite3.Connection) -> list[CommitOutcome]:
    if all(commit.is_plain for commit in commits):
        return [_append_next(db, *commit.events) for commit in commits]
    verdicts = find_conflicts(commits, *_read_known(db, commits))
    return [verdict or _store(db, commit) for commit, verdict in zip(commits, verdicts, strict=True)]


_Known: TypeAlias = tuple[dict[UUID, int], list[tuple[str, str]], list[str], list[AnyRef], list[Board]]


def _read_known(db: sqlite3.Connection, commits: Sequence[Commit]) -> _Known:
    """Return the stored facts that these commits build on: last positions, keys taken, text ids taken, refs taken, boards."""
    streams = {stream for commit in commits for stream in commit.bases()}
    heads = {stream: db.execute(_HEAD, (stream.bytes,)).fetchone()[0] or 0 for stream in streams}
    keys = [key for commit in commits for key in keys_of(commit)]
    texts = [text.id for commit in commits for text in commit.texts]
    taken = [key for key in keys if db.execute("SELECT 1 FROM commands WHERE principal = ? AND key = ?", key).fetchone()]
    said = [id for id in texts if db.execute("SELECT 1 FROM texts WHERE id = ?", (id,)).fetchone()]
    refs = refs_of(commits)
    there: list[AnyRef] = [ref for ref in refs if db.execute(_REF_TAKEN, (ref.digest, ref.copy)).fetchone()]
    there += [ref for ref in foreign_refs_of(commits) if db.execute(_FOREIGN_TAKEN, (ref.system, ref.id)).fetchone()]
    lying = [board for board in boards_of(commits) if db.execute(LIES, columns_of(board)).fetchone()]
    return heads, taken, said, there, lying


def _append_next(db: sqlite3.Connection, event: StoredEvent) -> CommitOutcome:
    """Store a single event; the statement itself checks that it comes next."""
    id = event.stream.bytes
    row = db.execute(_NEXT, (id, event.position, event.name, event.state, id, event.position - 1))
    return (row.lastrowid or 0,) if row.rowcount else Conflict()


def _store(db: sqlite3.Connection, commit: Commit) -> tuple[int, ...]:
    sequences = []
    for event in commit.events:
        row = db.execute(_EVENT, (event.stream.bytes, event.position, event.name, event.state))
        sequences.append(row.lastrowid or 0)
    if commit.command:
        game, first, last = commit.span()
        command = commit.command
        db.execute(_COMMAND, (command.principal, command.key, command.fingerprint, game.bytes, first, last, sequences[-1]))
    for text in commit.texts:
        db.execute(_TEXT, (text.id, text.body, text.salt))
    if commit.ref:
        db.execute(_REF, (commit.ref.digest, commit.ref.copy, commit.events[0].stream.bytes))
    if commit.origin:
        origin, ref = commit.origin, commit.origin.ref
        named = (ref.system, ref.id) if ref else (None, None)
        db.execute(_ORIGIN, (commit.events[0].stream.bytes, *named, origin.digest, origin.meta))
    if commit.board:
        db.execute(DEALT, columns_of(commit.board))
    return tuple(sequences)
