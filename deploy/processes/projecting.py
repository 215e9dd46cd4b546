"""One process that follows the events: how it is started, and how it ends."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from deploy.processes.line import END, Line
from deploy.system.log_lines import LogFormat
from projections.engine.drive import Follower, Reached

PROJECTING = "deploy.server.projecting_worker"
_END = 10.0  # seconds for its last batch


class Work(Struct, frozen=True):
    """What the one that projects is told first, and not by its command line, which others can read. ``holder``: the name under which it
    leads, the same for all that follow each other in one server, so that the next one need not wait for it.
    """

    journal_url: str
    projections_url: str
    holder: str
    log_format: LogFormat = "text"


class DrivenProcess:
    """Its standard input is one end of the line, and all that it inherits. It is gone when the other end is, whatever became of the server.

    Raises OSError where none can be started.
    """

    def __init__(self, module: str) -> None:
        command = (sys.executable, "-P", "-m", module)  # -P: nothing is imported from the folder that somebody happens to be in
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = subprocess.Popen(command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL)
        except OSError:
            ours.close()
            raise
        self._line = Line(ours)

    @property
    def silent(self) -> bool:
        return self._line.silent

    def begin(self, work: Struct) -> None:
        self._line.say(msgspec.json.encode(work) + b"\n")

    def tell(self, what: bytes) -> None:
        """From any thread; waits for nothing. What it has not answered yet it is not told a second time."""
        self._line.tell(what)

    def answers(self, follower: Follower) -> Iterator[Reached]:
        """The newest of what it answers, until it has ended."""
        return self._line.answers(follower)

    def end(self) -> None:
        """It does the batch at hand to its end, and gives back what it holds."""
        self._line.say(END)
        ended(self._process)

    def abandon(self) -> None:
        with self._process:
            self._line.close()
            self._process.kill()

    def ended(self) -> str:
        """How, once it has said the last."""
        self._line.close()
        return ended(self._process)


def ended(process: "subprocess.Popen[bytes]") -> str:
    """How it ended, if need be because it was killed when the time was up."""
    try:
        code = process.wait(_END)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
