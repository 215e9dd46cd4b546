"""Process drive: starts a process that follows the events, notifies it of new ones, and restarts it when it has ended.

One such process projects, another writes the log.
"""

import logging
import threading
import time
from contextlib import suppress

from msgspec import Struct

from deploy.processes.line import APPENDED, HURRY
from deploy.processes.projecting import PROJECTING, ChildProcess
from projections.engine.driver import ProgressReceiver, Reached

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
