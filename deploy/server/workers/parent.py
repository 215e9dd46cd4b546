"""The parent of processes that serve: starts them, starts them anew when they have ended, and ends them in order."""

import logging
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from selectors import EVENT_READ, DefaultSelector
from threading import Lock
from time import monotonic

import msgspec
from msgspec.structs import replace

from deploy.config.failures import Failure
from deploy.http.doors import Door
from deploy.processes.drive import ProcessDrive, Restarts
from deploy.processes.line import APPENDED, HURRY
from deploy.server.workers.worker import Task, Worker
from deploy.system.language import say
from projections.engine.drive import Reached

# What the one process that projects says, passed on to all that serve.


class Relay:
    """``awaited``: whether a reader waits, in whichever worker. Told by one thread, asked by another."""

    def __init__(self) -> None:
        self.awaited = False
        self._workers: Sequence[Worker] = ()
        self._last: Reached | None = None
        self._telling = Lock()

    def serve(self, workers: Sequence[Worker]) -> None:
        """From now on these; who is new is told at once."""
        with self._telling:
            new = [worker for worker in workers if worker not in self._workers]
            self._workers = workers
            self._pass_on(new)

    def take(self, reached: Reached) -> bool:
        with self._telling:
            moved = self._last is None or reached.checkpoints != self._last.checkpoints
            self._last, self.awaited = reached, False  # who still waits says so again
            self._pass_on(self._workers)
        return moved

    def note(self, failure: str | None) -> None:
        """What keeps the projections from going on, where the process that projects cannot say it itself."""
        with self._telling:
            if self._last is not None and self._last.failure != failure:
                self._last = replace(self._last, failure=failure)
                self._pass_on(self._workers)

    def _pass_on(self, workers: Sequence[Worker]) -> None:
        if self._last is not None:
            line = msgspec.json.encode(self._last) + b"\n"
            for worker in workers:
                worker.tell(line)


_SILENCE = 15.0  # seconds: whose loop stands still for so long answers nobody in time
_END = 18.0  # seconds for requests at hand, and for what is to be stored
_LOOK = 0.25  # seconds

_LOG = logging.getLogger("kiebitz.serve")


class Place:
    """Of one worker, and of those that follow it."""

    def __init__(self, task: Task, doors: Sequence[Door]) -> None:
        self.task = task
        self._doors = doors
        self.worker: Worker | None = None
        self._due: float | None = monotonic()
        """When the next one is to be started, if one is."""
        self._restarts = Restarts()

    @property
    def answers(self) -> bool:
        return self.worker is not None and self.worker.answers

    def is_due(self) -> bool:
        return self._due is not None and self._due <= monotonic()

    def start(self) -> Worker | None:
        self._due = None
        try:
            self.worker = Worker(self.task, self._doors)
        except OSError as error:
            self._wait(f"worker {self.task.number} cannot be started ({error.strerror})", 0.0)
        return self.worker

    def clear(self, *, again: bool) -> None:
        """The worker has ended."""
        worker, self.worker = self.worker, None
        assert worker is not None
        problem = f"worker {self.task.number} (process {worker.id}) ended ({worker.ended()})"
        if again:
            self._wait(problem, monotonic() - worker.since)

    def _wait(self, problem: str, lived: float) -> None:
        pause = self._restarts.pause(lived)
        self._due = monotonic() + pause
        _LOG.error("%s; it is started again in %g s", problem, pause)


class Parent:
    """``answering`` is called once all workers answer."""

    def __init__(self, places: Sequence[Place], drive: ProcessDrive, answering: Callable[[], object]) -> None:
        self._places = places
        self._drive = drive
        self._answering: Callable[[], object] | None = answering
        self._relay = Relay()
        self._selector = DefaultSelector()
        self._ends_at: float | None = None
        self._failure: Exception | None = None

    def run(self) -> None:
        """Until SIGTERM or SIGINT. Raises ``Failure`` where a worker ends before all have answered, and what ``answering`` raises."""
        with self._selector, _signals() as asked:
            self._selector.register(asked, EVENT_READ, self._stop)
            self._drive.begin(self._relay)
            while self._ends_at is None or self._workers():
                self._fill()
                for key, _ in self._selector.select(_LOOK):
                    key.data()
                self._look()
        self._drive.stop()
        if self._failure is not None:
            raise self._failure

    def _workers(self) -> list[Worker]:
        return [place.worker for place in self._places if place.worker is not None]

    def _stop(self) -> None:
        """Nobody comes in any more, and what is at hand is ended."""
        if self._ends_at is None:
            self._ends_at = monotonic() + _END
            for worker in self._workers():
                worker.end()

    def _fill(self) -> None:
        """Starts those who are due."""
        for place in self._places:
            if self._ends_at is None and place.is_due() and (worker := place.start()):
                self._selector.register(worker.line, EVENT_READ, partial(self._hear, place, worker))
                self._relay.serve(self._workers())

    def _hear(self, place: Place, worker: Worker) -> None:
        said = worker.hear()
        if not said:
            self._selector.unregister(worker.line)
            self._lose(place)
        if APPENDED in said:
            self._drive.recorded()
        if HURRY in said:
            self._relay.awaited = True
            self._drive.hurry()

    def _lose(self, place: Place) -> None:
        """Its worker has ended. Where the service has not even begun, the next one would end as well."""
        beginning = self._answering is not None and self._ends_at is None
        place.clear(again=self._ends_at is None and not beginning)
        self._relay.serve(self._workers())
        if beginning:
            self._failure = Failure(say("worker_failed", number=str(place.task.number)))
            self._stop()

    def _look(self) -> None:
        self._relay.note(self._drive.failure)
        for place in self._places:
            if place.worker is not None and self._is_hung(place.worker):
                _LOG.error("worker %d (process %d) does not go on, and is killed", place.task.number, place.worker.id)
                place.worker.kill()
        if self._answering is not None and self._ends_at is None and all(place.answers for place in self._places):
            self._tell(self._answering)
            self._answering = None

    def _tell(self, answering: Callable[[], object]) -> None:
        try:
            answering()
        except Exception as error:  # told when all has ended in order
            self._failure = error
            self._stop()

    def _is_hung(self, worker: Worker) -> bool:
        if self._ends_at is not None:
            return monotonic() > self._ends_at
        return worker.deaf or (worker.answers and monotonic() - worker.heard_at > _SILENCE)


@contextmanager
def _signals() -> Iterator[socket.socket]:
    """What can be read as soon as somebody asks the service to end."""
    asked, asks = socket.socketpair()
    with asked, asks:
        asks.setblocking(False)
        signal.set_wakeup_fd(asks.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)
        try:
            yield asked
        finally:
            signal.set_wakeup_fd(-1)
