"""Write a backup of the embedded store as one file: whole and checked, or not at all (write, fsync, rename)."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.failures import Failure, system_problem
from deploy.journal_file import check_journal_file
from deploy.language import say
from deploy.private import BESIDE, private_file
from deploy.settings import Settings, existing_journal
from deploy.stores.sqlite.backup import Damaged, NotCopied, back_up

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
