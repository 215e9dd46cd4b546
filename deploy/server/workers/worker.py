"""One process that serves, as its parent sees it: what it is told first, and what it says."""

import socket
import subprocess
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from time import monotonic

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from deploy.http.doors import Door
from deploy.processes.projecting import ended

READY, BEATS = b"r", b"b"
"""What it says beside what it says of projections (``deploy/processes/line.py``): it answers; its loop goes on."""

_COMMAND = (sys.executable, "-P", "-m", "deploy.server.workers.process")
"""-P: nothing is imported from the folder that somebody happens to be in."""


class Task(Struct, frozen=True):
    """What it is told first, and not by its command line, which others can read. ``flags`` are those of the command; the environment it has
    by itself. ``key``: by which snapshots are sealed. ``sockets``: the numbers of those on which it listens, once they are there.
    """

    flags: dict[str, str | None]
    number: int
    key: bytes
    sockets: tuple[int, ...] = ()


class Worker:
    """Its standard input is one end of a line: it is gone as soon as its parent is, whatever became of that.

    ``deaf``: so much waits to be heard that no more fits. Raises OSError where none can be started.
    """

    def __init__(self, task: Task, doors: Iterable[Door]) -> None:
        with ExitStack() as inherited:
            sockets = tuple(inherited.enter_context(door.another()).fileno() for door in doors)
            self.line, theirs = socket.socketpair()
            inherited.enter_context(theirs)
            try:
                self._process = subprocess.Popen(_COMMAND, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, pass_fds=sockets)
            except OSError:
                self.line.close()
                raise
        self.since = self.heard_at = monotonic()
        self.answers = self.deaf = False
        self.tell(msgspec.json.encode(replace(task, sockets=sockets)) + b"\n")

    @property
    def id(self) -> int:
        return self._process.pid

    def tell(self, what: bytes) -> None:
        """From any thread; waits for nothing."""
        try:
            self.deaf = self.deaf or self.line.send(what, socket.MSG_DONTWAIT) < len(what)
        except BlockingIOError:
            self.deaf = True
        except OSError:  # it has ended, as will be heard
            return

    def hear(self) -> bytes:
        """What it has said; nothing once it has ended."""
        try:
            said = self.line.recv(1 << 12)
        except OSError:
            said = b""
        self.heard_at = monotonic()
        self.answers = self.answers or READY in said
        return said

    def end(self) -> None:
        """It lets requests end and stores what waits."""
        self._process.terminate()

    def kill(self) -> None:
        self.answers = self.deaf = False
        self._process.kill()

    def ended(self) -> str:
        """How, once it says nothing more."""
        self.line.close()
        return ended(self._process)
