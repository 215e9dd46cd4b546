"""Processes of a cluster: each ends with whoever started it, and all of a folder are found again by a mark in their environment."""

import os
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

_MARK = "KIEBITZ_HA_FOLDER"
_LOOK = 0.1  # seconds between two looks


def marked(folder: Path) -> dict[str, str]:
    """The environment of all that belongs to the cluster in this folder; children have it, too."""
    usual = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR") if name in os.environ}
    return {**usual, _MARK: str(folder.resolve())}


def start(command: Sequence[object], log: Path, environment: Mapping[str, str], within: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    """In a session of its own, so that Ctrl-C does not reach it. ``within``: what enters the place and takes the account."""
    with log.open("ab") as said:
        return subprocess.Popen(
            [*within, *map(str, command)],
            cwd="/",
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def of(folder: Path) -> list[int]:
    """The ids of all processes of a cluster that are there, whoever started them."""
    mark = f"{_MARK}={folder.resolve()}".encode()
    own = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and mark in _environment(entry)]
    return sorted({one for pid in own for one in family(pid)} - {os.getpid()})


def end(pids: Iterable[int], patience: float, number: signal.Signals = signal.SIGTERM) -> None:
    """Asks them to end, and the kernel when the time is up."""
    alive = [pid for pid in pids if send(pid, number)]
    deadline = time.monotonic() + patience
    while (alive := [pid for pid in alive if is_alive(pid)]) and time.monotonic() < deadline:
        time.sleep(_LOOK)
    for pid in alive:
        send(pid, signal.SIGKILL)


def end_all(folder: Path) -> int:
    """Those that are left of a cluster, at once: a machine that loses its power ends likewise. How many there were."""
    ended = 0
    while left := of(folder):
        ended += len(left)
        end(left, 0, signal.SIGKILL)
        time.sleep(_LOOK)
    return ended


def send(pid: int, number: signal.Signals) -> bool:
    """False where it has ended meanwhile."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


def family(pid: int) -> Iterator[int]:
    """The process and all that come from it. PostgreSQL's write over their environment, but they have a parent.

    Children are looked for when their parent has been taken: one that was stopped by then starts no more.
    """
    yield pid
    for thread in Path(f"/proc/{pid}/task").glob("*"):
        with suppress(OSError):  # it has ended
            for child in (thread / "children").read_text().split():
                yield from family(int(child))


def is_alive(pid: int) -> bool:
    """Not one that has ended and waits for its parent to notice."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def _environment(entry: Path) -> list[bytes]:
    try:
        return (entry / "environ").read_bytes().split(b"\0")
    except OSError:
        return []  # somebody else's, or it has ended
