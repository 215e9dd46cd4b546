"""Safety checks of the embedded database file before it is opened: not exchanged under a running service, no foreign log beside it.

The checks do not open the file, because opening it would replay the log beside it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from deploy.config.failures import Failure
from deploy.config.settings import Settings, prepare_folder
from deploy.stores.migrating import is_sqlite
from deploy.stores.sqlite.backup import ForeignLogError, check_log, log_of
from deploy.stores.sqlite.connections import file_id, path_of
from deploy.system.language import say
from deploy.system.private import private_opener
from domain.journal.commits import StoreUnavailableError
from domain.texts import Phrase

# File lock of a data folder, for a single writer. The kernel releases it with the process that held it, also after a kill.


class Holder(Struct, frozen=True):
    """Contents of the lock file: the command ``what``, the ``address`` of a server, and device and inode of the open ``journal``."""

    what: str
    pid: int
    address: str | None = None
    journal: tuple[int, int] | None = None

    @property
    def description(self) -> Phrase:
        return say("holder_at" if self.address else "holder", what=self.what, address=self.address, pid=self.pid)


class WriterLock:
    """The lock, as its holder sees it."""

    def __init__(self, file: IO[bytes], what: str) -> None:
        self._file = file
        self._what = what

    def tell(self, address: str | None = None, journal: tuple[int, int] | None = None) -> None:
        """Publish the holder, the address of the server, and the file that is open."""
        self._file.truncate(0)
        self._file.write(msgspec.json.encode(Holder(self._what, os.getpid(), address, journal)))
        self._file.flush()


@contextmanager
def lock_data_folder(settings: Settings, what: str) -> Iterator[WriterLock | None]:
    """Lock the folder of an embedded database; it is created if necessary. PostgreSQL admits several writers and needs no lock.

    Raises ``Failure``.
    """
    if not settings.embedded:
        yield None
        return
    prepare_folder(settings.data)
    with acquire_writer_lock(settings.lock_file, what) as writer:
        yield writer


@contextmanager
def acquire_writer_lock(lock_file: Path, what: str) -> Iterator[WriterLock]:
    """Hold the lock. Raises ``Failure`` that names the holder if another process has the folder."""
    with open(lock_file, "a+b", opener=private_opener) as file:
        if not _try_lock(file):
            raise _in_use(lock_file, _holder_in(file))
        writer = WriterLock(file, what)
        writer.tell()
        try:
            yield writer
        finally:
            file.truncate(0)


def holder(lock_file: Path) -> Holder | None:
    """Return the process that writes to the folder now. A shared lock is enough to check, so two checks do not see each other."""
    if not lock_file.exists():
        return None
    with lock_file.open("rb") as file:
        return None if _try_lock(file, fcntl.LOCK_SH) else _holder_in(file)


def _try_lock(file: IO[bytes], kind: int = fcntl.LOCK_EX) -> bool:
    try:
        # without waiting: the caller names the holder instead
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder_in(file: IO[bytes]) -> Holder:
    file.seek(0)
    try:
        return msgspec.json.decode(file.read(), type=Holder)
    except msgspec.MsgspecError:
        # it holds the lock, and has not written its name yet
        return Holder("(starting)", 0)


def _in_use(lock_file: Path, holder: Holder) -> Failure:
    advice = [say("stop_it")]
    if holder.address:
        advice.append(say("through_server", address=holder.address))
    return Failure(say("folder_in_use", folder=lock_file.parent, holder=holder.description), *advice)


def journal_file_id(settings: Settings) -> tuple[int, int] | None:
    """Return the id by which other processes recognise the open file."""
    return file_id(settings.journal_file)


def check_journal_file(settings: Settings) -> None:
    """Refuse a file that replaced the one a running service has open, since the log beside it is the service's. Raises ``Failure``."""
    using = _other_holder(settings)
    if using is not None and using.journal not in (None, journal_file_id(settings)):
        raise Failure(say("journal_exchanged", journal=settings.journal_file, holder=using.description), say("journal_exchanged_advice"))


def check_journal_of(url: str) -> None:
    """Check the journal of a process of the service itself, which knows it by its URL. Raises ``StoreUnavailableError``."""
    if is_sqlite(url):
        try:
            check_journal_file(Settings(path_of(url).parent))
        except Failure as error:
            raise StoreUnavailableError(str(error)) from error


def check_journal_log(settings: Settings) -> None:
    """Refuse a write-ahead log of another file. No check while another process has the folder, because the log is in use. Raises
    ``Failure``.
    """
    if _other_holder(settings) is not None:
        return
    try:
        check_log(settings.journal_file)
    except ForeignLogError as error:
        journal, log = settings.journal_file, log_of(settings.journal_file)
        raise Failure(say("foreign_log", journal=journal, log=log, problem=error), say("foreign_log_advice", log=log)) from error


def _other_holder(settings: Settings) -> Holder | None:
    using = holder(settings.lock_file) if settings.embedded else None
    return None if using is None or using.pid == os.getpid() else using
