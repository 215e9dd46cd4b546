"""Files of the embedded database: safety checks before it is opened, and backup files (atomic writing, checking, retention).

The checks do not open the file, because opening it would replay the log beside it.
"""

import errno
import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shlex import quote
from typing import IO, NamedTuple

import msgspec
from msgspec import Struct

from api.services import BackupStatus
from deploy.config.failures import Failure, say, system_problem
from deploy.config.settings import Settings, existing_journal, prepare_folder
from deploy.stores.migrating import is_sqlite, migrate, pending
from deploy.stores.sqlite.backup import BackupIntegrityError, CopyFailedError, ForeignLogError, back_up, check_log, log_of
from deploy.stores.sqlite.connections import file_id, path_of
from deploy.system.clock import now
from deploy.system.private import BESIDE, private_file, private_opener
from domain.journal.commits import StoreUnavailableError
from domain.texts import Phrase
from domain.version import VERSION

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


# Backup files of the embedded store: atomic writing (write, fsync, rename), checking, retention, and a copy before an upgrade.


PARTIAL = ".{}.partial"
"""Name of a file that is being written."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_backup(settings: Settings, file: Path) -> int:
    """Copy the store to a new file, also while a service writes to it. Return the newest sequence in the copy.

    Raises ``Failure``; then there is no such file.
    """
    check_journal_file(settings)
    journal = existing_journal(settings)
    if file.exists():  # never over another file: it may be the last good backup
        raise Failure(say("backup_there", file=file), say("backup_new_name"))
    try:
        with write_atomic(file) as partial:
            return back_up(journal, partial)
    except BackupIntegrityError as error:
        raise Failure(say("backup_damaged", journal=journal, problem=error), say("audit_tells", command="kiebitz audit --all")) from error
    except CopyFailedError as error:
        raise Failure(say("backup_not_copied", journal=journal, file=file, problem=error), say("is_it_full", folder=file.parent)) from error
    except OSError as error:
        advice = "is_it_full" if error.errno in _FULL else "is_it_there"
        problem = say("backup_not_copied", journal=journal, file=file, problem=system_problem(error.errno))
        raise Failure(problem, say(advice, folder=file.parent)) from error


@contextmanager
def write_atomic(file: Path) -> Iterator[Path]:
    """Yield a temporary path; its file appears as ``file`` once it is complete and on the disk. Private to its owner. Raises OSError."""
    partial = file.with_name(PARTIAL.format(file.name))
    try:
        _remove(partial)
        private_file(partial)
        yield partial
        _sync(partial)
        partial.replace(file)
        _sync(file.parent)
    finally:
        _remove(partial)


def _remove(partial: Path) -> None:
    """Remove the partial file and SQLite's files beside it, which a killed process may have left."""
    for suffix in BESIDE:
        partial.with_name(partial.name + suffix).unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Sync a file, or a folder, so that a rename in it survives a power cut."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


# The folder of periodic backups: files named by date and time, and retention, which keeps the newest of them.


KEPT = 24
"""Number of backups that are kept. Each is complete, so older ones are of use only if a fault goes unnoticed for long."""
_NAME = "kiebitz-%Y-%m-%dT%H%M%SZ.db"
"""File name in UTC, so that names sort correctly when a clock is put back in autumn."""
_NAMED = re.compile(r"kiebitz-\d{4}-\d{2}-\d{2}T\d{6}Z\.db")


def backup_file(folder: Path, at: datetime) -> Path:
    return folder / at.astimezone(UTC).strftime(_NAME)


def list_backup_files(folder: Path) -> list[Path]:
    """Return the backups, oldest first. Raises OSError."""
    return sorted(file for file in folder.iterdir() if _NAMED.fullmatch(file.name))


def last_backup_at(folder: Path, now: datetime) -> datetime | None:
    """Return the time at which the newest backup was begun. Times ahead of the clock do not count: the clock was wrong then. Raises
    OSError.
    """
    times = [_time_of(file) for file in list_backup_files(folder)]
    return max((at for at in times if at is not None and at <= now), default=None)


def remove_old_backup_files(folder: Path, newest: Path) -> None:
    """Keep the newest ``KEPT`` backups, and in any case the one written just now. Raises OSError."""
    for file in list_backup_files(folder)[:-KEPT]:
        if file != newest:
            file.unlink(missing_ok=True)


def remove_partial_backup_files(folder: Path) -> None:
    """Remove partial files left by a process that ended while it wrote. Raises OSError."""
    for file in folder.glob(f"{PARTIAL.format('kiebitz-*Z.db')}*"):
        file.unlink(missing_ok=True)


def _time_of(file: Path) -> datetime | None:
    """Return the time at which a backup was begun, by its name; ``None`` for an invalid date."""
    try:
        return datetime.strptime(file.name, _NAME).replace(tzinfo=UTC)
    except ValueError:
        return None


# Age of the newest backup, for the doctor and readiness.


def backup_status(settings: Settings, at: datetime, *, failed: bool = False) -> BackupStatus | None:
    """Return the status of the folder of backups; ``None`` if none is set. ``failed``: the last attempt of the service failed.

    A backup is overdue when it is older than twice the interval, or there is none.
    """
    folder, every = settings.backup_folder, settings.backup_every
    if folder is None or not settings.embedded:
        return None
    try:
        newest = last_backup_at(folder, at)
    except OSError:
        return BackupStatus(None, None, every, "failed")
    age = at - newest if newest else None
    late = every is not None and (age is None or age > 2 * timedelta(minutes=every))
    return BackupStatus(
        newest, int(age.total_seconds()) if age is not None else None, every, "failed" if failed else "overdue" if late else None
    )


# Upgrade of a store, with a backup beforehand: older versions cannot read a migrated store any more.


class Upgraded(NamedTuple):
    """Names of the scripts that were run, and the file that keeps the store as it was; ``None`` where nothing had to be kept."""

    scripts: list[str]
    backup: Path | None


def upgrade(settings: Settings, *, backup: bool = True, clock: Callable[[], datetime] = now) -> Upgraded:
    """Bring the tables up to date. An embedded store that has tables is copied first; PostgreSQL is backed up by its own programs.

    Raises ``Failure`` if it cannot be copied: then nothing is changed.
    """
    kept: list[Path] = []
    due = pending(settings.journal_url)
    try:
        scripts = migrate(settings.journal_url, (lambda: kept.append(_keep(settings, clock()))) if backup and settings.embedded else None)
    except BaseException:
        # A service manager restarts again and again: do not leave a copy for each attempt that changed nothing.
        if kept and pending(settings.journal_url) == due:
            kept[0].unlink()
        raise
    return Upgraded(scripts, kept[0] if kept else None)


def _keep(settings: Settings, at: datetime) -> Path:
    file = settings.journal_file.with_name(f"{settings.journal_file.name}.before-{VERSION}-{at:%Y-%m-%dT%H%M%SZ}")
    try:
        write_backup(settings, file)
    except Failure as failure:
        without = say("upgrade_without", data=quote(str(settings.data)))
        raise Failure(say("upgrade_not_kept", problem=failure.problem), *failure.advice, without) from failure
    return file
