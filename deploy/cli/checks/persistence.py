"""Durability checks: power cuts, loss of the database server, and how long a commit takes."""

import os
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from time import perf_counter

from deploy.cli.checks.machine import Found, find_data_folder
from deploy.compose import open_event_store
from deploy.config.failures import say
from deploy.config.settings import Settings
from deploy.stores.postgres.connections import PersistenceSettings, read_persistence_settings

_MOUNTS = Path("/proc/self/mounts")
_SHARES = ("nfs", "nfs4", "cifs", "smb3", "9p", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs")
_PASSING = {"tmpfs": "in_memory", "ramfs": "in_memory", "overlay": "in_container"}
"""Temporary file systems, which disappear with the machine or container, and the key of the text about them."""
_TRIALS = 10
_BLOCK = 4096  # bytes
_SLOW = 10.0  # milliseconds
_WAITING = ("sync", "quorum")


def check_persistence(settings: Settings) -> Found:
    return judge_folder(find_data_folder(settings)) if settings.embedded else judge_server(read_persistence_settings(settings.journal_url))


def judge_server(found: PersistenceSettings) -> Found:
    if found.standby:
        return Found("wrong", say("is_standby"), say("name_primary"))
    if not found.fsync:
        return Found("wrong", say("setting_is", name="fsync", value="off"), say("fsync_on"))
    if found.synchronous_commit == "off":
        return Found("wrong", say("setting_is", name="synchronous_commit", value="off"), say("synchronous_commit_on"))
    if not found.full_page_writes:
        return Found("look", say("setting_is", name="full_page_writes", value="off"), say("full_page_writes_on"))
    return Found("ok", say("server_durable", value=found.synchronous_commit))


def judge_folder(folder: Path, mounts: Path = _MOUNTS) -> Found:
    """Judge the file system under the folder. SQLite itself is configured to write through; the file system may not allow it."""
    kind = file_system(folder, mounts)
    if kind in _SHARES:
        return Found("look", say("on_share", kind=kind), say("local_disk"))
    if kind in _PASSING:
        return Found("look", say(_PASSING[kind], kind=kind), say("lasting_disk"))
    return Found("ok", say("folder_durable", kind=kind) if kind else say("folder_durable_somewhere"))


def file_system(folder: Path, mounts: Path) -> str | None:
    """Return the type of the folder's file system; ``None`` if the system does not tell."""
    if not mounts.exists():
        return None
    lines = (line.split() for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines())
    # Of several mounts at one place the last one counts.
    found = {place.encode().decode("unicode_escape"): kind for _, place, kind, *_ in lines}
    return next((found[str(place)] for place in (folder.resolve(), *folder.resolve().parents) if str(place) in found), None)


def check_server_copies(settings: Settings) -> Found:
    """Check that standbys are waited for. An embedded database has none."""
    if settings.embedded:
        return Found("ok", say("backups_instead"))
    return judge_server_copies(read_persistence_settings(settings.journal_url))


def judge_server_copies(found: PersistenceSettings) -> Found:
    number, waited = len(found.standbys), sum(state in _WAITING for state in found.standbys)
    if found.synchronous_standby_names:
        if not number or (None not in found.standbys and not waited):
            return Found("wrong", say("no_synchronous_standby", names=found.synchronous_standby_names), say("bring_standby"))
        if found.synchronous_commit == "local":
            return Found("look", say("standbys_not_waited_for", number=number), say("synchronous_commit_on"))
        return Found("ok", say("standbys_waited_for", number=number, names=found.synchronous_standby_names))
    if number:
        return Found("look", say("standbys_not_waited_for", number=number), say("set_standby_names"))
    return Found("ok", say("no_standbys"))


def check_write_time(settings: Settings) -> Found:
    """Measure how long a move waits for the disk at least: the data folder's, or the database's with the network."""
    if settings.embedded:
        with TemporaryFile(dir=find_data_folder(settings), buffering=0) as file:

            def write() -> None:
                file.write(bytes(_BLOCK))
                os.fsync(file.fileno())

            return judge_write_time(write, "fsync_takes")
    with open_event_store(settings) as store:
        return judge_write_time(store.try_writing, "commit_takes")


def judge_write_time(write: Callable[[], object], told: str, clock: Callable[[], float] = perf_counter) -> Found:
    write()  # the first write opens files and connections

    def measure_write() -> float:
        begun = clock()
        write()
        return 1e3 * (clock() - begun)

    taken = sorted(measure_write() for _ in range(_TRIALS))
    found = say(told, middle=f"{median(taken):.1f}", slowest=f"{taken[-1]:.1f}", trials=_TRIALS)
    return Found("look", found, say("quicker_disk")) if median(taken) > _SLOW else Found("ok", found)
