"""Scheduled backups: the backup process as the server sees it, and its schedule.

The process starts with the server and is restarted when it has ended.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta

from msgspec import Struct

from api.services import BackupStatus
from deploy.config.failures import Failure, explain_error, say
from deploy.config.settings import Settings
from deploy.processes.journal_file import (
    backup_file,
    backup_status,
    last_backup_at,
    remove_old_backup_files,
    remove_partial_backup_files,
    write_backup,
)
from deploy.processes.process_driver import ProcessDriver, Watched
from deploy.system.clock import now
from deploy.system.log_lines import LogFormat
from projections.engine.driver import Reached

WRITING = "deploy.server.backup_worker"


class BackupWork(Struct, frozen=True):
    """First message to the process: the folders of the store and of the backups, and the minutes between two backups."""

    data: str
    folder: str
    every: int
    log_format: LogFormat = "text"


def require_embedded(settings: Settings) -> None:
    """Raise ``Failure`` if scheduled backups are configured for PostgreSQL, which has its own programs for that."""
    if settings.backup_every is not None and not settings.embedded:
        raise Failure(say("backup_every_postgres", store=settings.store), "pg_dump --format=custom --file=FILE URL")


@contextmanager
def run_backup_process(settings: Settings, clock: Callable[[], datetime]) -> Iterator[Callable[[], BackupStatus | None]]:
    """Write backups as long as the context lasts, if an interval is set. Yield a function that returns their status."""
    if settings.backup_every is None or settings.backup_folder is None:
        yield lambda: backup_status(settings, clock())
        return
    work = BackupWork(str(settings.data), str(settings.backup_folder), settings.backup_every, settings.log_format)
    with closing(ProcessDriver(work, WRITING, "the process that writes backups")) as drive:
        drive.begin(Watched())
        try:
            yield lambda: backup_status(settings, clock(), failed=drive.failure is not None)
        finally:
            drive.stop()


# The schedule: it writes a backup at an interval, tries again after a failure, and logs each failure once.


_LOG = logging.getLogger("kiebitz.backups")
_AGAIN = timedelta(minutes=1)
"""Pause after a failure: the folder may come back, or space may be freed."""


class BackupSchedule:
    """Implementation of ``DriverTarget``: another thread steps it and checks the clock twice a second."""

    is_awaited = False
    leads = False
    last_sequence = 0

    def __init__(self, settings: Settings, clock: Callable[[], datetime] = now) -> None:
        """``settings`` name the interval and the folder."""
        assert settings.backup_every is not None
        assert settings.backup_folder is not None
        self._settings = settings
        self._folder = settings.backup_folder
        self._every = timedelta(minutes=settings.backup_every)
        self._clock = clock
        self._due: datetime | None = None
        self._failure: str | None = None

    def step(self) -> bool:
        """Write a backup if one is due. Return whether it was written."""
        at = self._clock()
        if self._due is None:
            self._due = self._first_time(at)
        if self._due - self._every <= at < self._due:  # a clock that was set back must not delay a backup
            return False
        file = backup_file(self._folder, at)
        try:
            remove_partial_backup_files(self._folder)
            write_backup(self._settings, file)
            remove_old_backup_files(self._folder, file)
        except Exception as error:
            self._due = at + min(_AGAIN, self._every)
            self._note_failure(error, file.name)
            return False
        self._due = at + self._every
        self._note_success()
        return True

    def report_progress(self, failure: str | None = None) -> Reached:
        return Reached(None, {}, failure or self._failure)

    def take(self, reached: Reached) -> bool:
        return False

    def _first_time(self, at: datetime) -> datetime:
        """Continue the interval of the previous process."""
        try:
            newest = last_backup_at(self._folder, at)
        except OSError:  # reported when a backup is written
            return at
        return newest + self._every if newest else at

    def _note_failure(self, error: Exception, name: str) -> None:
        failure = explain_error(error)
        words = str(failure or error).replace("\n", "; ").replace(name, "kiebitz-….db")  # equal failures are logged once
        if words != self._failure:
            _LOG.error("the backup failed and is retried: %s", words, exc_info=None if failure else error)
        self._failure = words

    def _note_success(self) -> None:
        if self._failure is not None:
            _LOG.warning("backups are written again")
        self._failure = None
