"""Process drive: starts a process that follows the events, notifies it of new ones, and restarts it when it has ended.

One such process projects, another writes the log.
"""

import logging
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import msgspec
from msgspec import Struct

from deploy.processes.line import APPENDED, END, HURRY, Line
from deploy.system.log_lines import LogFormat
from projections.engine.driver import ProgressReceiver, Reached

# Child process that follows the events: starting, messaging and ending one process.


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


# Backoff: the pause before a process that has ended unexpectedly is started again.


_PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)  # seconds; the last for all further ones
_LONG = 60.0  # seconds: after a process that ran as long the pauses begin again


class Restarts:
    """Backoff over the successive restarts of a process."""

    def __init__(self) -> None:
        self._in_a_row = 0

    def pause(self, lived: float) -> float:
        """Return the seconds to wait after a process that ran for ``lived`` seconds."""
        self._in_a_row = 1 if lived > _LONG else self._in_a_row + 1
        return _PAUSES[min(self._in_a_row, len(_PAUSES)) - 1]


PATIENCE = 30.0
"""Seconds to wait for its first answer, before the service begins without it."""
_LOG = logging.getLogger("kiebitz.projections")


class Watched:
    """Follower for a process that the server only watches and never waits for."""

    is_awaited = False

    def take(self, reached: Reached) -> bool:
        return False


class ProcessDriver:
    """Drive of a process. Waiting readers and writers notify it at once; its answers wake those who wait.

    ``work`` is the first message to each process that is started.
    """

    def __init__(self, work: Struct, module: str = PROJECTING, what: str = "the process that projects") -> None:
        self._module = module
        self._what = what
        self.work = work
        self._process: ChildProcess | None = None
        self._stopping = threading.Event()
        self._answered = threading.Event()
        """Set once it has answered, or ended, since the start."""
        self._thread: threading.Thread | None = None
        self._failure: str | None = None

    @property
    def failure(self) -> str | None:
        process = self._process
        return f"Silent: {self._what} does not answer" if process and process.is_timed_out else self._failure

    def start_early(self) -> None:
        """Start the process early, still without work: it takes as long to come up as the server does."""
        with suppress(OSError):  # then the watching thread tries again and reports it
            self._process = ChildProcess(self._module)

    def start(self, projector: ProgressReceiver) -> None:
        """Begin, and return when the process has answered or ``PATIENCE`` is over: then projections lag, and everything else continues."""
        self.begin(projector)
        self._answered.wait(PATIENCE)

    def begin(self, follower: ProgressReceiver) -> None:
        """Begin without waiting for an answer."""
        self._stopping.clear()
        self._answered.clear()
        self._thread = threading.Thread(target=self._watch, args=(follower,), name=self._module, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        process = self._process  # the watching thread may replace it meanwhile
        if process is not None:
            process.end()
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """Kill the process, also one that was warmed up and never started, or not stopped."""
        self._stopping.set()
        self._stop_process()

    def request_update(self) -> None:
        self._tell(HURRY)

    def notify_recorded(self) -> None:
        """Notify the process of new events. Callable from any thread; does not block."""
        self._tell(APPENDED)

    def _tell(self, what: bytes) -> None:
        process = self._process
        if process is not None:
            process.tell(what)

    def _watch(self, follower: ProgressReceiver) -> None:
        restarts = Restarts()
        while not self._stopping.is_set():
            since = time.monotonic()
            try:
                problem = self._run_process(follower)
            except Exception:  # an error of our own counts as the end of the process
                _LOG.exception("an unreadable message of %s", self._what)
                self._stop_process()
                problem = f"{self._what} was given up"
            self._answered.set()
            if not self._stopping.is_set():
                pause = restarts.pause(time.monotonic() - since)
                self._failure = f"Ended: {problem}"
                _LOG.error("%s; it is started again in %g s", problem, pause)
                self._stopping.wait(pause)

    def _stop_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    def _run_process(self, follower: ProgressReceiver) -> str:
        """Run the process once, until its end; return how it ended."""
        try:
            process = self._process = self._process or ChildProcess(self._module)
        except OSError as error:
            return f"{self._what} cannot be started ({error.strerror})"
        process.begin(self.work)
        if self._stopping.is_set():  # stopped before the process could be notified
            process.end()
        for reached in process.receive_progress(follower):
            self._failure = reached.failure
            moved = follower.take(reached)
            self._answered.set()
            if moved and follower.is_awaited:
                process.tell(HURRY)
        self._process = None
        return f"{self._what} ended ({process.wait_for_end()})"
