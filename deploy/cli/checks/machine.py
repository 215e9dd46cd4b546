"""Checks of the machine: Python, data folder, disk space, port, age of backups, witnesses."""

import os
import shutil
import socket
import sys
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from api.services import BackupStatus
from deploy.config.failures import say, system_problem
from deploy.config.settings import Settings
from deploy.log.writer.compose import read_standings
from deploy.processes.journal_file import backup_status, holder
from deploy.system.clock import now
from deploy.system.private import OURS, list_readable_by_others
from domain.texts import Phrase, Saying
from domain.version import VERSION
from replay.proof.witnesses import Standing

# Result of a check.


State: TypeAlias = Literal["ok", "look", "wrong"]


class Found(Struct, frozen=True):
    """Result of a check. ``look``: it works, but needs attention. ``advice`` is what to do."""

    state: State
    text: Saying
    advice: Saying = ""


_OLDEST, _NEWEST = (3, 11), (3, 13)
_ROOM, _SCARCE = 200_000_000, 2_000_000_000


def check_version(_: Settings) -> Found:
    return Found("ok", VERSION)


def check_python(_: Settings) -> Found:
    version = ".".join(map(str, sys.version_info[:3]))
    if _OLDEST <= sys.version_info[:2] <= _NEWEST:
        return Found("ok", version)
    return Found("wrong", version, say("python_versions", oldest=_OLDEST[1], newest=_NEWEST[1]))


def check_folder(settings: Settings) -> Found:
    if not settings.embedded:
        return Found("ok", say("no_folder_needed"))
    data, there = settings.data, find_data_folder(settings)
    if not there.is_dir() or not os.access(there, os.R_OK | os.W_OK | os.X_OK):
        return Found("wrong", say("not_writable", folder=there), say("other_folder"))
    if there != data:
        return Found("ok", say("folder_made", folder=data))
    if list_readable_by_others([data]):
        return Found("look", say("folder_readable", folder=data), f"chmod 700 {data}")
    if seen := list_readable_by_others(file for file in sorted(data.iterdir()) if file.name.startswith(OURS)):
        return Found("look", say("files_readable", files=tuple(seen)), f"chmod 600 {' '.join(map(str, seen))}")
    return Found("ok", str(data))


def find_data_folder(settings: Settings) -> Path:
    """Return the data folder, or its nearest existing parent."""
    return next(path for path in (settings.data, *settings.data.parents) if path.exists())


def check_disk_space(settings: Settings) -> Found:
    if not settings.embedded:
        return Found("ok", say("no_disk_visible"))
    free = shutil.disk_usage(find_data_folder(settings)).free
    found = say("room_free", size=f"{free / 1e9:.1f}")
    if free >= _SCARCE:
        return Found("ok", found)
    return Found("wrong" if free < _ROOM else "look", found, say("make_room"))


def check_port(settings: Settings) -> Found:
    running = holder(settings.lock_file) if settings.embedded else None
    if running is not None:
        return Found("ok", say("running_here", holder=running.description))
    try:
        socket.create_server((settings.host, settings.port)).close()
    except OSError as error:
        problem = say("port_taken", host=settings.host, port=settings.port, problem=system_problem(error.errno))
        return Found("wrong", problem, say("other_port_or_host"))
    return Found("ok", say("port_free", host=settings.host, port=settings.port))


# Backups: the age of the newest one in their folder.


_TIME = "%Y-%m-%d %H:%M:%S"
_HOUR = 3_600


def check_backup_folder(settings: Settings) -> Found:
    """Check the folder of backups: an unwritable one is wrong, an overdue backup needs attention."""
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
        return Found("look", say("backup_overdue", at=at, age=_format_age(status), every=status.every), say("backup_overdue_advice"))
    return Found("ok", say("backup_newest", at=at, age=_format_age(status)))


def _format_age(status: BackupStatus) -> Phrase:
    age = status.age or 0
    return say("minutes_ago", minutes=age // 60) if age < 2 * _HOUR else say("hours_ago", hours=age // _HOUR)


# The witnesses of the log: whether they cosign it.


def check_witnesses(settings: Settings) -> Found:
    """Check each witness. One that has never signed is a fault, too, because somebody relies on it."""
    if settings.log == "off" or not settings.witnesses:
        return Found("ok", say("witnesses_none"))
    signed, standings = read_standings(settings)
    told = say("list", some=tuple(_describe_witness(one) for one in standings))
    if any(one.stops for one in standings):
        return Found("wrong", told, say("witness_stops_advice"))
    if signed and any(one.trouble or one.at is None for one in standings):
        return Found("look", told, say("witness_trouble_advice"))
    return Found("ok", told)


def _describe_witness(one: Standing) -> Phrase:
    if one.trouble is not None:
        return say(f"witness.{one.trouble}", name=one.name, size=one.named)
    return say("witness_signed", name=one.name, size=one.size) if one.at is not None else say("witness_unasked", name=one.name)
