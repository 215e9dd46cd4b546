"""Frozen processes, stopped as if their machine were suspended."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.forking import forks


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    """The kernel keeps connections open and takes new ones, but neither this process runs nor any that comes from it."""
    stopped = list(_stopped(pid))
    try:
        yield
    finally:
        for one in reversed(stopped):
            send(one, signal.SIGCONT)


def _stopped(pid: int) -> Iterator[int]:
    send(pid, signal.SIGSTOP)  # before its children are looked for, so that it starts no more
    yield pid
    for child in children(pid):
        yield from _stopped(child)


def children(pid: int) -> list[int]:
    """Of whichever of its threads; without the one that forks for it (``tests/forking.py``)."""
    found: list[int] = []
    for thread in threads_of(pid):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            found += map(int, (thread / "children").read_text().split())
    return [child for child in found if not forks(child)]


def threads_of(pid: int) -> list[Path]:
    """Return the kernel's status of each thread; empty if the process has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return list(Path(f"/proc/{pid}/task").iterdir())
    return []


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal; do nothing if the process has ended meanwhile."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
