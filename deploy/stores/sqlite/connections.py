"""Connections to an SQLite file: one pool for all in this process who read and write it."""

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
"""What was acknowledged survives a power cut, and what is erased is overwritten, whatever this library's default is."""
DERIVED = ("synchronous = NORMAL",)
"""What a power cut takes can be made anew."""
_LOG_ENDS_AT = "journal_size_limit = 4194304"
"""Bytes to which the -wal file shrinks once it begins anew. While a reader keeps it from that it grows, and would stay as long as it was."""
READING = ("query_only = ON",)
"""Nothing can be written. The file is opened like any other: beside a writer, a reader needs the index of its log."""


def path_of(url: str) -> Path:
    """The file of sqlite:///absolute/path.db, taken as it stands: nothing in it is decoded."""
    return Path("/" + url.removeprefix("sqlite:").lstrip("/"))


def connect(path: Path, mode: str = "rw", pragmas: Sequence[str] = LASTING, wait: float = BUSY) -> sqlite3.Connection:
    """WAL, so that readers and the writer never wait for each other. The file must exist, unless the mode is "rwc": then it is made.

    "memory" is a database without a file.
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
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR:  # the low byte is the kind of error, the others tell more of it
            raise Undecided(str(error)) from error
        raise


def _give_up(connection: sqlite3.Connection) -> None:
    with closing(connection), suppress(sqlite3.Error):  # what went wrong first is what there is to tell
        connection.rollback()


def _set(connection: sqlite3.Connection, pragmas: Sequence[str]) -> None:
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}")


class Undecided(sqlite3.OperationalError):
    """The disk failed while a transaction was being committed: after a crash it may turn out to be stored."""


class ReplacedError(sqlite3.OperationalError):
    """Another file, or none, lies where the one that is open was opened."""

    sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED

    def __init__(self, path: Path) -> None:
        super().__init__(f"another file lies in the place of {path}, which is open here. Stop the service and start it again")
        self.path = path


def file_id(path: Path) -> tuple[int, int] | None:
    """Return the device and the inode of a file; ``None`` where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


class SqliteDatabase:
    """Safe to use from many threads. ``failure`` is what an error of the driver means to its users; it may be the error itself.

    A pool rather than a connection a thread: the server's threads come and go. Any connection of it may write; SQLite lets one at a time.

    The open file is compared with its path before a new connection is made, before each transaction that writes and after its commit:
    SQLite itself writes on into a file that was removed, and lays its log beside the new one.
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
        """As ``file_id`` tells it, once the file is open."""
        self._log_emptied = False
        with self.translated():
            opened = self._connect(wait=BUSY)  # what opens it has time, even if those who use it have none
            _set(opened, self._usual)
        self.file = file_id(path)
        self._take_back(opened)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """One that nobody else uses meanwhile. Given up, and what it had begun rolled back, if anything goes wrong."""
        with self.translated():
            connection = self._lent()
            try:
                yield connection
            except BaseException:
                _give_up(connection)
                raise
        self._take_back(connection)

    @contextmanager
    def transaction(self, *pragmas: str) -> Iterator[sqlite3.Connection]:
        """One that writes: IMMEDIATE, because one that reads first could find out later that it may not. The pragmas hold for this one."""
        with self.translated():
            self.require_in_place()
        with self.connection() as connection:
            _set(connection, pragmas)
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            self._commit(connection)
            _set(connection, self._usual if pragmas else ())

    def transact(self, work: Callable[[sqlite3.Connection], Done]) -> Done:
        """The same for what is done at every move, without a generator for each of its layers: those took as long as the move's row."""
        try:
            self.require_in_place()
            connection = self._lent()
            try:
                connection.execute("BEGIN IMMEDIATE")
                done = work(connection)
                self._commit(connection)
            except BaseException:
                _give_up(connection)
                raise
        except sqlite3.Error as error:
            self._tell(error)
        self._take_back(connection)
        return done

    def _commit(self, connection: sqlite3.Connection) -> None:
        _commit(connection)
        if self._is_replaced():
            raise Undecided(str(ReplacedError(self.path)))

    def require_in_place(self) -> None:
        """Raise ``ReplacedError`` if the open file lies at its path no more. What its log holds is brought into it once: the log keeps its
        name, and would be taken for that of the other file.
        """
        if self._is_replaced():
            if not self._log_emptied:
                self._log_emptied = self._empty_log()
            raise ReplacedError(self.path)

    def _is_replaced(self) -> bool:
        return self.file is not None and file_id(self.path) != self.file

    def _empty_log(self) -> bool:
        """Return whether that was done: somebody who reads may prevent it. By a connection that is open already."""
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
    def translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            self._tell(error)

    def _tell(self, error: sqlite3.Error) -> NoReturn:
        """Raises what it means to the users."""
        found = self._failure(error)
        if found is error:
            raise error
        raise found from error

    def _lent(self) -> sqlite3.Connection:
        if self._closed:
            raise sqlite3.OperationalError("the store is closed")
        try:
            return self._idle.pop()
        except IndexError:
            self.require_in_place()
            return self._connect()

    def _take_back(self, connection: sqlite3.Connection) -> None:
        self._idle.append(connection)
        if self._closed:  # meanwhile, perhaps after the others were closed
            self.close()

    def close(self) -> None:
        self._closed = True
        with suppress(ReplacedError):
            self.require_in_place()
        with suppress(IndexError):
            while True:
                self._idle.pop().close()


# SQLite files of programs that have no store: of a witness, of a monitor.


def laid_out(file: Path, tables: Iterable[str]) -> SqliteDatabase:
    """The file with these tables, which are made where they are not there. It raises ``Unavailable`` where it cannot be used."""
    database = SqliteDatabase(file, _unavailable, "rwc", LASTING)
    with database.transaction() as connection:
        for table in tables:
            connection.execute(table)
    return database


def _unavailable(error: Error) -> Exception:
    return Unavailable(str(error), unclear=False)
