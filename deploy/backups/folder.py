"""The folder of periodic backups: files named by date and time, and retention, which keeps the newest of them."""

import re
from datetime import UTC, datetime
from pathlib import Path

from deploy.backups.writing import PARTIAL

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
