"""Age of the newest backup, as the doctor and readiness tell it."""

from datetime import datetime, timedelta

from api.services import BackupStatus
from deploy.backups.folder import newest_backup
from deploy.settings import Settings


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
