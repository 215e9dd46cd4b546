"""Handle of a worker process in its parent: its task, its messages, its end."""

import socket
import subprocess
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from time import monotonic

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from deploy.http.listening_socket import ListeningSocket
from deploy.processes.projecting import wait_for_end

READY, BEATS = b"r", b"b"
"""Messages besides those about projections (``deploy/processes/line.py``): the worker answers requests; its loop runs."""

_COMMAND = (sys.executable, "-P", "-m", "deploy.server.workers.process")
"""-P: import nothing from the current folder."""


class Task(Struct, frozen=True):
    """First message to a worker. It is not on the command line, which other accounts can read.

    ``flags`` are those of the command; the worker inherits the environment. ``key``: the key that seals snapshots. ``sockets``: the
    descriptors on which it listens, once they are open.
    """

    flags: dict[str, str | None]
    number: int
    key: bytes
    sockets: tuple[int, ...] = ()


class Worker:
    """Handle of a worker. Its standard input is one end of a line, so it ends as soon as its parent is gone, for whatever reason.

    ``deaf``: its buffer is full, because it reads nothing. Raises OSError if it cannot be started.
    """

    def __init__(self, task: Task, doors: Iterable[ListeningSocket]) -> None:
        with ExitStack() as inherited:
            sockets = tuple(inherited.enter_context(door.duplicate()).fileno() for door in doors)
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
        """Send a message; callable from any thread, does not block."""
        try:
            self.deaf = self.deaf or self.line.send(what, socket.MSG_DONTWAIT) < len(what)
        except BlockingIOError:
            self.deaf = True
        except OSError:  # it has ended, which reading will show
            return

    def read_message(self) -> bytes:
        """Return the bytes that were received; empty once it has ended."""
        try:
            said = self.line.recv(1 << 12)
        except OSError:
            said = b""
        self.heard_at = monotonic()
        self.answers = self.answers or READY in said
        return said

    def end(self) -> None:
        """Ask the worker to end: it lets requests end and stores pending commits."""
        self._process.terminate()

    def kill(self) -> None:
        self.answers = self.deaf = False
        self._process.kill()

    def wait_for_end(self) -> str:
        """Wait for the end after the last message; return how it ended."""
        self.line.close()
        return wait_for_end(self._process)
