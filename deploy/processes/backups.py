"""Write a backup of the embedded store as one file: whole and checked, or not at all (write, fsync, rename)."""

import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from api.services import BackupStatus
from deploy.config.failures import Failure, system_problem
from deploy.config.settings import Settings, existing_journal
from deploy.processes.journal_file import check_journal_file
from deploy.stores.migrating import migrate, pending
from deploy.stores.sqlite.backup import Damaged, NotCopied, back_up
from deploy.system.clock import now
from deploy.system.language import say
from deploy.system.private import BESIDE, private_file
from domain.version import VERSION

PARTIAL = ".{}.partial"
"""The name of a file that is being written."""
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
        with write_whole(file) as partial:
            return back_up(journal, partial)
    except Damaged as error:
        raise Failure(say("backup_damaged", journal=journal, problem=error), say("audit_tells", command="kiebitz audit --all")) from error
    except NotCopied as error:
        raise Failure(say("backup_not_copied", journal=journal, file=file, problem=error), say("is_it_full", folder=file.parent)) from error
    except OSError as error:
        advice = "is_it_full" if error.errno in _FULL else "is_it_there"
        problem = say("backup_not_copied", journal=journal, file=file, problem=system_problem(error.errno))
        raise Failure(problem, say(advice, folder=file.parent)) from error


@contextmanager
def write_whole(file: Path) -> Iterator[Path]:
    """Give a place to write what appears as this file once it is complete and on the disk; for its owner only. Raises OSError."""
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
    """With what SQLite laid beside it, where a process was killed while it wrote."""
    for suffix in BESIDE:
        partial.with_name(partial.name + suffix).unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """A file, or a folder, so that what was renamed in it still has its name after a power cut."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


# The folder of periodic backups: files named by date and time, and retention, which keeps the newest of them.


KEPT = 24
"""Each holds everything, so older ones are of use only where a fault goes unnoticed for long."""
_NAME = "kiebitz-%Y-%m-%dT%H%M%SZ.db"
"""In UTC, so that they sort also where a clock is put back in autumn."""
_NAMED = re.compile(r"kiebitz-\d{4}-\d{2}-\d{2}T\d{6}Z\.db")


def backup_file(folder: Path, at: datetime) -> Path:
    return folder / at.astimezone(UTC).strftime(_NAME)


def list_backups(folder: Path) -> list[Path]:
    """Return the oldest first. Raises OSError."""
    return sorted(file for file in folder.iterdir() if _NAMED.fullmatch(file.name))


def newest_backup(folder: Path, now: datetime) -> datetime | None:
    """Return when it was begun. One that lies ahead of the clock does not count: the clock was wrong then. Raises OSError."""
    times = [_time_of(file) for file in list_backups(folder)]
    return max((at for at in times if at is not None and at <= now), default=None)


def remove_old_backups(folder: Path, newest: Path) -> None:
    """Keep so many, and in any case the one that was written just now. Raises OSError."""
    for file in list_backups(folder)[:-KEPT]:
        if file != newest:
            file.unlink(missing_ok=True)


def remove_partial_backups(folder: Path) -> None:
    """Remove what was left by a process that ended while it wrote. Raises OSError."""
    for file in folder.glob(f"{PARTIAL.format('kiebitz-*Z.db')}*"):
        file.unlink(missing_ok=True)


def _time_of(file: Path) -> datetime | None:
    """Return when it was begun, by its name; ``None`` for a day that no calendar has."""
    try:
        return datetime.strptime(file.name, _NAME).replace(tzinfo=UTC)
    except ValueError:
        return None


# Age of the newest backup, as the doctor and readiness tell it.


def backup_status(settings: Settings, at: datetime, *, failed: bool = False) -> BackupStatus | None:
    """Return how it stands in the folder of backups; ``None`` where none is set. ``failed``: the last attempt of the service did.

    A backup is overdue when it is older than twice the interval, or there is none.
    """
    folder, every = settings.backup_folder, settings.backup_every
    if folder is None or not settings.embedded:
        return None
    try:
        newest = newest_backup(folder, at)
    except OSError:
        return BackupStatus(None, None, every, "failed")
    age = at - newest if newest else None
    late = every is not None and (age is None or age > 2 * timedelta(minutes=every))
    return BackupStatus(
        newest, int(age.total_seconds()) if age is not None else None, every, "failed" if failed else "overdue" if late else None
    )


# Upgrade a store, with a backup of it beforehand: what was migrated, an older version cannot read any more.


class Upgraded(NamedTuple):
    """The names of the scripts that were run, and where the store is kept as it was; ``None`` where nothing was to be kept."""

    scripts: list[str]
    backup: Path | None


def upgrade(settings: Settings, *, backup: bool = True, clock: Callable[[], datetime] = now) -> Upgraded:
    """Bring the tables up to date. An embedded store that has tables is copied first; PostgreSQL is backed up by its own programs.

    Raises ``Failure`` where it cannot be copied: then nothing is changed.
    """
    kept: list[Path] = []
    due = pending(settings.journal_url)
    try:
        scripts = migrate(settings.journal_url, (lambda: kept.append(_keep(settings, clock()))) if backup and settings.embedded else None)
    except BaseException:
        # A service manager tries again and again: no copy for each time that nothing came of it.
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
