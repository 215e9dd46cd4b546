"""Backups: the age of the newest one in the folder that is set for them."""

import os

from api.services import BackupStatus
from deploy.backups.status import backup_status
from deploy.cli.checks.found import Found
from deploy.clock import now
from deploy.language import say
from deploy.settings import Settings
from domain.texts import Phrase

_TIME = "%Y-%m-%d %H:%M:%S"
_HOUR = 3_600


def check_backups(settings: Settings) -> Found:
    """Wrong is a folder into which none can be written, and worth a look what is overdue."""
    folder = settings.backup_folder
    status = backup_status(settings, now())
    if folder is None or status is None:
        return Found("ok", say("backups_unset" if settings.embedded else "backups_of_postgres"))
    if status.error == "failed" or (status.every is not None and not os.access(folder, os.W_OK | os.X_OK)):
        return Found("wrong", say("not_writable", folder=folder), say("is_it_there", folder=folder))
    if status.newest is None:
        return Found("look", say("backups_none", folder=folder), say("backups_none_advice"))
    at = f"{status.newest:{_TIME}}"
    if status.error is not None:
        return Found("look", say("backup_overdue", at=at, age=_ago(status), every=status.every), say("backup_overdue_advice"))
    return Found("ok", say("backup_newest", at=at, age=_ago(status)))


def _ago(status: BackupStatus) -> Phrase:
    age = status.age or 0
    return say("minutes_ago", minutes=age // 60) if age < 2 * _HOUR else say("hours_ago", hours=age // _HOUR)
