"""Connections to an SQLite file, shared by all threads of a process that read and write it."""

import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from sqlite3 import Error
from typing import Any, NoReturn, TypeVar
from urllib.parse import quote

from deploy.system.private import private_file
from domain.errors import Unavailable

Done = TypeVar("Done")

BUSY = 5.0  # seconds to wait for another process's transaction
LASTING = ("synchronous = FULL", "secure_delete = ON")
"""Pragmas with which acknowledged commits survive a power cut and erased data is overwritten, whatever the library's defaults are."""
DERIVED = ("synchronous = NORMAL",)
"""Pragmas for data that can be rebuilt after a power cut."""
_LOG_ENDS_AT = "journal_size_limit = 4194304"
"""Bytes to which the -wal file shrinks when it starts over. A reader with an old snapshot lets it grow, and it would keep that size."""
READING = ("query_only = ON",)
"""Pragmas that refuse writes. The file is not opened read-only: beside a writer, a reader needs the index of its log."""


def path_of(url: str) -> Path:
    """Return the file of sqlite:///absolute/path.db, taken literally: nothing in it is decoded."""
    return Path("/" + url.removeprefix("sqlite:").lstrip("/"))


def connect(path: Path, mode: str = "rw", pragmas: Sequence[str] = LASTING, wait: float = BUSY) -> sqlite3.Connection:
    """Open a connection in WAL mode, in which readers and the writer do not block each other.

    The file must exist, unless the mode is "rwc", which creates it. "memory" is a database without a file.
    """
    if mode == "rwc":
        private_file(path)
    uri = f"file:{quote(str(path))}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=wait)
    try:
        _set(connection, ("journal_mode = WAL", _LOG_ENDS_AT, *pragmas))
    except BaseException:
        connection.close()
        raise
    return connection


def _commit(connection: sqlite3.Connection) -> None:
    try:
        connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR:  # the low byte is the primary code, the others refine it
            raise CommitUnknownError(str(error)) from error
        raise


def _discard(connection: sqlite3.Connection) -> None:
    with closing(connection), suppress(sqlite3.Error):  # the first error is the one to report
        connection.rollback()


def _set(connection: sqlite3.Connection, pragmas: Sequence[str]) -> None:
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}")


class CommitUnknownError(sqlite3.OperationalError):
    """Raised when the disk failed during a commit: after a crash the transaction may turn out to be stored."""


class ReplacedError(sqlite3.OperationalError):
    """Raised when another file, or none, is at the path of the open file."""

    sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED

    def __init__(self, path: Path) -> None:
        super().__init__(f"another file lies in the place of {path}, which is open here. Stop the service and start it again")
        self.path = path


def file_id(path: Path) -> tuple[int, int] | None:
    """Return the device and the inode of a file; ``None`` if it does not exist."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


class SqliteDatabase:
    """Pool of connections, safe to use from many threads.

    ``failure`` maps an error of the driver to one for the callers; it may return the error itself. A pool is used rather than a connection
    per thread, because the server's threads come and go. Any connection may write; SQLite admits one writer at a time.

    The open file is compared with its path before a new connection is made, before each writing transaction and after its commit: SQLite
    itself continues to write into a removed file, and puts its log beside the new one.
    """

    def __init__(
        self, path: Path, failure: Callable[[sqlite3.Error], Exception], mode: str, pragmas: Sequence[str], wait: float = BUSY
    ) -> None:
        self.path = path
        self._failure = failure
        self._usual = (*pragmas, f"busy_timeout = {round(wait * 1000)}")
        self._connect = partial(connect, path, mode, pragmas, wait=wait)
        self._idle: deque[sqlite3.Connection] = deque()
        self._closed = False
        self.file: tuple[int, int] | None = None
        """Result of ``file_id``, once the file is open."""
        self._log_emptied = False
        with self.translate_errors():
            opened = self._connect(wait=BUSY)  # opening may wait, even if later uses may not
            _set(opened, self._usual)
        self.file = file_id(path)
        self._take_back(opened)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection to one caller. On an error it is closed and its transaction rolled back."""
        with self.translate_errors():
            connection = self._acquire_connection()
            try:
                yield connection
            except BaseException:
                _discard(connection)
                raise
        self._take_back(connection)

    @contextmanager
    def transaction(self, *pragmas: str) -> Iterator[sqlite3.Connection]:
        """Open a writing transaction. The pragmas apply to this transaction only.

        It is IMMEDIATE, because a transaction that reads first may fail later when it tries to write.
        """
        with self.translate_errors():
            self.require_in_place()
        with self.connection() as connection:
            _set(connection, pragmas)
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            self._commit(connection)
            _set(connection, self._usual if pragmas else ())

    def run_transaction(self, work: Callable[[sqlite3.Connection], Done]) -> Done:
        """Run ``work`` in a writing transaction, like ``transaction`` but without a generator per layer, since it runs at every move.

        The generators took as long as storing the row.
        """
        try:
            self.require_in_place()
            connection = self._acquire_connection()
            try:
                connection.execute("BEGIN IMMEDIATE")
                done = work(connection)
                self._commit(connection)
            except BaseException:
                _discard(connection)
                raise
        except sqlite3.Error as error:
            self._tell(error)
        self._take_back(connection)
        return done

    def _commit(self, connection: sqlite3.Connection) -> None:
        _commit(connection)
        if self._is_replaced():
            raise CommitUnknownError(str(ReplacedError(self.path)))

    def require_in_place(self) -> None:
        """Raise ``ReplacedError`` if the open file is no longer at its path.

        The contents of its log are brought into it once: the log keeps its name, and would be taken for that of the new file.
        """
        if self._is_replaced():
            if not self._log_emptied:
                self._log_emptied = self._empty_log()
            raise ReplacedError(self.path)

    def _is_replaced(self) -> bool:
        return self.file is not None and file_id(self.path) != self.file

    def _empty_log(self) -> bool:
        """Bring the log into the file over a connection that is already open; return whether that was done. A reader may prevent it."""
        with suppress(IndexError, sqlite3.Error):
            connection = self._idle.pop()
            [(busy, *_)] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._idle.append(connection)
            return not busy
        return False

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self.connection() as connection:
            return connection.execute(sql, parameters).fetchall()

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            self._tell(error)

    def _tell(self, error: sqlite3.Error) -> NoReturn:
        """Raise the error that this one means to the callers."""
        found = self._failure(error)
        if found is error:
            raise error
        raise found from error

    def _acquire_connection(self) -> sqlite3.Connection:
        if self._closed:
            raise sqlite3.OperationalError("the store is closed")
        try:
            # atomic, so two threads never get the same connection, and no lock is needed
            return self._idle.pop()
        except IndexError:
            # a new connection opens whatever file lies there now
            self.require_in_place()
            return self._connect()

    def _take_back(self, connection: sqlite3.Connection) -> None:
        self._idle.append(connection)
        if self._closed:  # closed in the meantime, perhaps after the other connections
            self.close()

    def close(self) -> None:
        self._closed = True
        with suppress(ReplacedError):
            self.require_in_place()
        with suppress(IndexError):
            while True:
                self._idle.pop().close()


# SQLite files of programs that have no store: of a witness, of a monitor.


def open_tables(file: Path, tables: Iterable[str]) -> SqliteDatabase:
    """Open the file and create those of these tables that do not exist. The database raises ``Unavailable`` if the file cannot be used."""
    database = SqliteDatabase(file, _unavailable, "rwc", LASTING)
    with database.transaction() as connection:
        for table in tables:
            connection.execute(table)
    return database


def _unavailable(error: Error) -> Exception:
    return Unavailable(str(error), unclear=False)
