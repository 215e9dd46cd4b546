"""A process that follows the events, as the server sees it: started with it, told what is recorded, and started anew when it has ended.

One projects, another keeps the log.
"""

import logging
import threading
import time
from contextlib import suppress

from msgspec import Struct

from deploy.processes.line import APPENDED, HURRY
from deploy.processes.projecting import PROJECTING, DrivenProcess
from projections.engine.drive import Follower, Reached

# How long is waited before a process that has ended by itself is started again.


_PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)  # seconds; the last for all further ones
_LONG = 60.0  # seconds: after one that lived as long the pauses begin anew


class Restarts:
    """Of processes that follow each other."""

    def __init__(self) -> None:
        self._in_a_row = 0

    def pause(self, lived: float) -> float:
        """Seconds, after one that lived so long."""
        self._in_a_row = 1 if lived > _LONG else self._in_a_row + 1
        return _PAUSES[min(self._in_a_row, len(_PAUSES)) - 1]


PATIENCE = 30.0
"""Seconds for its first answer, until the service begins without it."""
_LOG = logging.getLogger("kiebitz.projections")


class Watched:
    """A process that the server only watches: it waits for nothing of it. As ``Follower``."""

    awaited = False

    def take(self, reached: Reached) -> bool:
        return False


class ProcessDrive:
    """Whoever waits, and whoever recorded something, tells the process at once; its answers wake those who wait.

    ``work`` is told to each process that is started.
    """

    def __init__(self, work: Struct, module: str = PROJECTING, what: str = "the process that projects") -> None:
        self._module = module
        self._what = what
        self.work = work
        self._process: DrivenProcess | None = None
        self._stopping = threading.Event()
        self._answered = threading.Event()
        """Whether it has answered, or ended, since the start."""
        self._thread: threading.Thread | None = None
        self._failure: str | None = None

    @property
    def failure(self) -> str | None:
        process = self._process
        return f"Silent: {self._what} does not answer" if process and process.silent else self._failure

    def warm_up(self) -> None:
        """Starts the process, which does nothing yet: it takes as long to come up as the server does."""
        with suppress(OSError):  # then it is tried again, and told
            self._process = DrivenProcess(self._module)

    def start(self, projector: Follower) -> None:
        """Returns when it has answered, or when that takes long: then the projections are behind, and all else goes on."""
        self.begin(projector)
        self._answered.wait(PATIENCE)

    def begin(self, follower: Follower) -> None:
        """The same, and waits for nothing."""
        self._stopping.clear()
        self._answered.clear()
        self._thread = threading.Thread(target=self._watch, args=(follower,), name=self._module, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        process = self._process  # the thread below may take it away meanwhile
        if process is not None:
            process.end()
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """Also of one that was warmed up and never started, or not stopped: nothing is left of it."""
        self._stopping.set()
        self._abandon()

    def hurry(self) -> None:
        self._tell(HURRY)

    def recorded(self) -> None:
        """Something was recorded. From any thread; waits for nothing."""
        self._tell(APPENDED)

    def _tell(self, what: bytes) -> None:
        process = self._process
        if process is not None:
            process.tell(what)

    def _watch(self, follower: Follower) -> None:
        restarts = Restarts()
        while not self._stopping.is_set():
            since = time.monotonic()
            try:
                problem = self._lived(follower)
            except Exception:  # a fault of our own: it is as if the process had ended
                _LOG.exception("what %s says is not understood", self._what)
                self._abandon()
                problem = f"{self._what} was given up"
            self._answered.set()
            if not self._stopping.is_set():
                pause = restarts.pause(time.monotonic() - since)
                self._failure = f"Ended: {problem}"
                _LOG.error("%s; it is started again in %g s", problem, pause)
                self._stopping.wait(pause)

    def _abandon(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.abandon()

    def _lived(self, follower: Follower) -> str:
        """One life of the process: how it ended."""
        try:
            process = self._process = self._process or DrivenProcess(self._module)
        except OSError as error:
            return f"{self._what} cannot be started ({error.strerror})"
        process.begin(self.work)
        if self._stopping.is_set():  # before it could be told
            process.end()
        for reached in process.answers(follower):
            self._failure = reached.failure
            moved = follower.take(reached)
            self._answered.set()
            if moved and follower.awaited:
                process.tell(HURRY)
        self._process = None
        return f"{self._what} ended ({process.ended()})"
