"""Child process that follows the events: starting, messaging and ending one process."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from deploy.processes.line import END, Line
from deploy.system.log_lines import LogFormat
from projections.engine.driver import ProgressReceiver, Reached

PROJECTING = "deploy.server.projecting_worker"
_END = 10.0  # seconds for its last batch


class Work(Struct, frozen=True):
    """First message to the process that projects. It is not on the command line, which other accounts can read.

    ``holder``: the name under which it leads. It is the same for all successive processes of one server, so that the next one need not wait
    for the lease of the last.
    """

    journal_url: str
    projections_url: str
    holder: str
    log_format: LogFormat = "text"


class ChildProcess:
    """Handle of a child process whose standard input is one end of the line and all that it inherits.

    It ends when the other end is gone, whatever happened to the server. Raises OSError if it cannot be started.
    """

    def __init__(self, module: str) -> None:
        command = (sys.executable, "-P", "-m", module)  # -P: import nothing from the current folder
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = subprocess.Popen(command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL)
        except OSError:
            ours.close()
            raise
        self._line = Line(ours)

    @property
    def is_timed_out(self) -> bool:
        return self._line.is_timed_out

    def begin(self, work: Struct) -> None:
        self._line.say(msgspec.json.encode(work) + b"\n")

    def tell(self, what: bytes) -> None:
        """Notify the process; callable from any thread, does not block. A notification that is not answered yet is not repeated."""
        self._line.tell(what)

    def receive_progress(self, follower: ProgressReceiver) -> Iterator[Reached]:
        """Yield the newest answer each time, until the process has ended."""
        return self._line.receive_progress(follower)

    def end(self) -> None:
        """Let the process finish its batch and release its lease, and wait for its end."""
        self._line.say(END)
        wait_for_end(self._process)

    def stop(self) -> None:
        with self._process:
            self._line.close()
            self._process.kill()

    def wait_for_end(self) -> str:
        """Wait for the end after the last answer; return how it ended."""
        self._line.close()
        return wait_for_end(self._process)


def wait_for_end(process: "subprocess.Popen[bytes]") -> str:
    """Wait for the end of a process and return how it ended; kill it after ``_END`` seconds."""
    try:
        code = process.wait(_END)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
