"""Upgrade a store, with a backup of it beforehand: what was migrated, an older version cannot read any more."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from deploy.backups.writing import write_backup
from deploy.clock import now
from deploy.failures import Failure
from deploy.language import say
from deploy.settings import Settings
from deploy.stores.migrating import migrate, pending
from domain.version import VERSION


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
