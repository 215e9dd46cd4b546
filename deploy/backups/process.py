"""The process that writes periodic backups, as the server sees it: started with it, and started anew when it has ended."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime

from msgspec import Struct

from api.services import BackupStatus
from deploy.backups.status import backup_status
from deploy.failures import Failure
from deploy.language import say
from deploy.logs.lines import LogFormat
from deploy.projecting.drive import ProcessDrive, Watched
from deploy.settings import Settings

WRITING = "deploy.backup_worker"


class BackupWork(Struct, frozen=True):
    """What the process is told first: the folders of the store and of the backups, and the minutes between two."""

    data: str
    folder: str
    every: int
    log_format: LogFormat = "text"


def require_embedded(settings: Settings) -> None:
    """Raise ``Failure`` where backups are to be written of PostgreSQL, which has its own programs for that."""
    if settings.backup_every is not None and not settings.embedded:
        raise Failure(say("backup_every_postgres", store=settings.store), "pg_dump --format=custom --file=FILE URL")


@contextmanager
def writing_backups(settings: Settings, clock: Callable[[], datetime]) -> Iterator[Callable[[], BackupStatus | None]]:
    """Write backups as long as the context lasts, where an interval is set. Give what tells how they stand."""
    if settings.backup_every is None or settings.backup_folder is None:
        yield lambda: backup_status(settings, clock())
        return
    work = BackupWork(str(settings.data), str(settings.backup_folder), settings.backup_every, settings.log_format)
    with closing(ProcessDrive(work, WRITING, "the process that writes backups")) as drive:
        drive.begin(Watched())
        try:
            yield lambda: backup_status(settings, clock(), failed=drive.failure is not None)
        finally:
            drive.stop()
