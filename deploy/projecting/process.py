"""One process that projects, and the line to it: what it is told, what it answers."""

import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

import msgspec
from msgspec import Struct

from projections.engine.drive import PEEK, Driven, Reached

APPENDED, HURRY, END = b"a", b"h", b"e"
"""What it is told: something was recorded; somebody waits; it is to end. Each is answered by a line, how far it is, the last by its end."""

# -P: nothing is imported from the folder that somebody happens to be in
_COMMAND = (sys.executable, "-P", "-m", "deploy.projecting_worker")
_SILENCE = 10.0  # seconds without an answer, until that is told
_END = 10.0  # seconds for its last batch
_REACHED = msgspec.json.Decoder(Reached)


class Work(Struct, frozen=True):
    """What it is told first, and not by its command line, which others can read. ``holder``: the name under which it leads, the same
    for all that follow each other in one server, so that the next one need not wait for it.
    """

    journal_url: str
    projections_url: str
    holder: str


class ProjectingProcess:
    """Its standard input is one end of the line, and all that it inherits. It is gone when the other end is, whatever became of the server.

    Raises OSError where none can be started.
    """

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = subprocess.Popen(_COMMAND, stdin=theirs.fileno(), stdout=subprocess.DEVNULL)
        except OSError:
            self._line.close()
            raise
        self._asked: bytes | None = None
        """What it was told and has not answered."""
        self._asked_at = 0.0

    @property
    def silent(self) -> bool:
        return self._asked is not None and time.monotonic() - self._asked_at > _SILENCE

    def begin(self, work: Work) -> None:
        with suppress(OSError):  # it has ended, as its answers will say
            self._line.sendall(msgspec.json.encode(work) + b"\n")

    def tell(self, what: bytes, *, again: bool = False) -> None:
        """From any thread; waits for nothing. What it has not answered yet it is not told a second time."""
        asked = self._asked
        if not again and asked in (what, HURRY):
            return
        if asked is None:
            self._asked_at = time.monotonic()
        self._asked = what
        with suppress(OSError):  # it has ended, or stands still and has more to hear than fits
            self._line.send(what, socket.MSG_DONTWAIT)

    def answers(self, projector: Driven) -> Iterator[Reached]:
        """The newest of what it answers, until it has ended. While readers wait it is asked again and again."""
        poll, rest = select.poll(), b""
        poll.register(self._line, select.POLLIN)
        while True:
            if not poll.poll(1000 * PEEK if projector.awaited else None):
                self.tell(HURRY, again=True)
                continue
            some = self._read()
            *lines, rest = (rest + some).split(b"\n")
            if lines:
                self._asked = None
                yield _REACHED.decode(lines[-1])
            if not some:
                return

    def end(self) -> None:
        """It does the batch at hand to its end, and gives back what it holds."""
        with suppress(OSError):
            self._line.sendall(END)
        self._wait()

    def abandon(self) -> None:
        with self._line, self._process:
            self._process.kill()

    def ended(self) -> str:
        """How, once it has said the last."""
        self._line.close()
        self._wait()
        code = self._process.returncode
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"

    def _wait(self) -> None:
        try:
            self._process.wait(_END)
        except subprocess.TimeoutExpired:
            with self._process:
                self._process.kill()

    def _read(self) -> bytes:
        try:
            return self._line.recv(1 << 16)
        except OSError:
            return b""
