"""Periodic backups: a schedule that writes one at an interval, tries again after a failure, and logs each failure once."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from deploy.backups.folder import backup_file, newest_backup, remove_old_backups, remove_partial_backups
from deploy.backups.writing import write_backup
from deploy.clock import now
from deploy.failures import explained
from deploy.settings import Settings
from projections.engine.drive import Reached

_LOG = logging.getLogger("kiebitz.backups")
_AGAIN = timedelta(minutes=1)
"""After a failure: a folder may come back, and somebody may make room."""


class PeriodicBackups:
    """As ``Driven``: another thread steps it, and looks at the clock twice a second."""

    awaited = False
    leads = False
    newest = 0

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
        """Write one if it is due. Return whether it was written."""
        at = self._clock()
        if self._due is None:
            self._due = self._first_due(at)
        if self._due - self._every <= at < self._due:  # a clock that was set back puts nothing off
            return False
        file = backup_file(self._folder, at)
        try:
            remove_partial_backups(self._folder)
            write_backup(self._settings, file)
            remove_old_backups(self._folder, file)
        except Exception as error:
            self._due = at + min(_AGAIN, self._every)
            self._note_failure(error, file.name)
            return False
        self._due = at + self._every
        self._note_success()
        return True

    def reached(self, failure: str | None = None) -> Reached:
        return Reached(None, {}, failure or self._failure)

    def take(self, reached: Reached) -> bool:
        return False

    def _first_due(self, at: datetime) -> datetime:
        """Go on with the interval of the process before."""
        try:
            newest = newest_backup(self._folder, at)
        except OSError:  # told when one is written
            return at
        return newest + self._every if newest else at

    def _note_failure(self, error: Exception, name: str) -> None:
        failure = explained(error)
        words = str(failure or error).replace("\n", "; ").replace(name, "kiebitz-….db")  # the same whatever the time is
        if words != self._failure:
            _LOG.error("no backup was written; it is tried again: %s", words, exc_info=None if failure else error)
        self._failure = words

    def _note_success(self) -> None:
        if self._failure is not None:
            _LOG.warning("backups are written again")
        self._failure = None
