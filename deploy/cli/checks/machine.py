"""The machine: Python, the data folder, room on its disk, the port."""

import os
import shutil
import socket
import sys
from pathlib import Path

from deploy.cli.checks.found import Found
from deploy.failures import system_problem
from deploy.language import say
from deploy.private import OURS, seen_by_others
from deploy.serve_lock import holder
from deploy.settings import Settings
from domain.version import VERSION

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
    data, there = settings.data, nearest_folder(settings)
    if not there.is_dir() or not os.access(there, os.R_OK | os.W_OK | os.X_OK):
        return Found("wrong", say("not_writable", folder=there), say("other_folder"))
    if there != data:
        return Found("ok", say("folder_made", folder=data))
    if seen_by_others([data]):
        return Found("look", say("folder_readable", folder=data), f"chmod 700 {data}")
    if seen := seen_by_others(file for file in sorted(data.iterdir()) if file.name.startswith(OURS)):
        return Found("look", say("files_readable", files=tuple(seen)), f"chmod 600 {' '.join(map(str, seen))}")
    return Found("ok", str(data))


def nearest_folder(settings: Settings) -> Path:
    """The data folder, or what is there on the way to it."""
    return next(path for path in (settings.data, *settings.data.parents) if path.exists())


def check_room(settings: Settings) -> Found:
    if not settings.embedded:
        return Found("ok", say("no_disk_visible"))
    free = shutil.disk_usage(nearest_folder(settings)).free
    found = say("room_free", size=f"{free / 1e9:.1f}")
    if free >= _SCARCE:
        return Found("ok", found)
    return Found("wrong" if free < _ROOM else "look", found, say("make_room"))


def check_port(settings: Settings) -> Found:
    running = holder(settings.lock_file) if settings.embedded else None
    if running is not None:
        return Found("ok", say("running_here", holder=running.says))
    try:
        socket.create_server((settings.host, settings.port)).close()
    except OSError as error:
        problem = say("port_taken", host=settings.host, port=settings.port, problem=system_problem(error.errno))
        return Found("wrong", problem, say("other_port_or_host"))
    return Found("ok", say("port_free", host=settings.host, port=settings.port))
