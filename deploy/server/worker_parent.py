"""Worker supervisor: the parent process that starts the workers, monitors them, restarts those that end, and shuts them down."""

import logging
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from functools import partial
from selectors import EVENT_READ, DefaultSelector
from threading import Lock
from time import monotonic

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from api.services import Services
from deploy.compose import open_event_store, start_projecting_process
from deploy.config.failures import Failure, say
from deploy.config.key_files import snapshot_key, tls_context
from deploy.config.settings import Settings
from deploy.http.listening_socket import ListeningSocket
from deploy.log.writer.compose import log_process
from deploy.log.writer.key_files import with_key_folder
from deploy.processes.line import APPENDED, HURRY
from deploy.processes.process_driver import ProcessDriver, Restarts, wait_for_end
from deploy.server.serve import open_service
from deploy.system.log_lines import start_logging
from domain.journal.store import EventStore
from projections.engine.driver import Reached

# Handle of a worker process in its parent: its task, its messages, its end.


READY, BEATS = b"r", b"b"
"""Messages besides those about projections (``deploy/processes/line.py``): the worker answers requests; its loop runs."""

_COMMAND = (sys.executable, "-P", "-m", "deploy.server.worker_process")
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


# Progress of the one process that projects, passed on to all workers.


class ProgressForwarder:
    """Passes the progress of the projections on to the workers. One thread reports it, another serves the workers.

    ``awaited``: whether a reader waits, in any worker.
    """

    def __init__(self) -> None:
        self.is_awaited = False
        self._workers: Sequence[Worker] = ()
        self._last: Reached | None = None
        self._telling = Lock()

    def serve(self, workers: Sequence[Worker]) -> None:
        """Serve these workers from now on; new ones get the last progress at once."""
        with self._telling:
            new = [worker for worker in workers if worker not in self._workers]
            self._workers = workers
            self._pass_on(new)

    def take(self, reached: Reached) -> bool:
        with self._telling:
            moved = self._last is None or reached.checkpoints != self._last.checkpoints
            self._last, self.is_awaited = reached, False  # workers with waiting readers report it again
            self._pass_on(self._workers)
        return moved

    def note(self, failure: str | None) -> None:
        """Pass on a failure of the projections that the process that projects cannot report itself."""
        with self._telling:
            if self._last is not None and self._last.failure != failure:
                self._last = replace(self._last, failure=failure)
                self._pass_on(self._workers)

    def _pass_on(self, workers: Sequence[Worker]) -> None:
        if self._last is not None:
            line = msgspec.json.encode(self._last) + b"\n"
            for worker in workers:
                worker.tell(line)


_SILENCE = 15.0  # seconds: a worker whose loop blocks that long answers no request in time
_END = 18.0  # seconds for pending requests and commits at the end
_LOOK = 0.25  # seconds

_LOG = logging.getLogger("kiebitz.serve")


class Place:
    """Position of one worker, and of its successors after restarts."""

    def __init__(self, task: Task, doors: Sequence[ListeningSocket]) -> None:
        self.task = task
        self._doors = doors
        self.worker: Worker | None = None
        self._due: float | None = monotonic()
        """Time at which to start the next one; ``None`` if none is due."""
        self._restarts = Restarts()

    @property
    def is_ready(self) -> bool:
        return self.worker is not None and self.worker.answers

    def is_pending(self) -> bool:
        return self._due is not None and self._due <= monotonic()

    def start(self) -> Worker | None:
        self._due = None
        try:
            self.worker = Worker(self.task, self._doors)
        except OSError as error:
            self._wait(f"worker {self.task.number} cannot be started ({error.strerror})", 0.0)
        return self.worker

    def clear(self, *, again: bool) -> None:
        """Note that the worker has ended; schedule a restart if ``again``."""
        worker, self.worker = self.worker, None
        assert worker is not None
        problem = f"worker {self.task.number} (process {worker.id}) ended ({worker.wait_for_end()})"
        if again:
            self._wait(problem, monotonic() - worker.since)

    def _wait(self, problem: str, lived: float) -> None:
        pause = self._restarts.pause(lived)
        self._due = monotonic() + pause
        _LOG.error("%s; it is started again in %g s", problem, pause)


class Parent:
    """Supervisor of the workers. ``answering`` is called once all workers answer."""

    def __init__(self, places: Sequence[Place], drive: ProcessDriver, answering: Callable[[], object]) -> None:
        self._places = places
        self._drive = drive
        self._answering: Callable[[], object] | None = answering
        self._relay = ProgressForwarder()
        self._selector = DefaultSelector()
        self._ends_at: float | None = None
        self._failure: Exception | None = None

    def run(self) -> None:
        """Run until SIGTERM or SIGINT.

        Raises ``Failure`` if a worker ends before all have answered, and the errors of ``answering``.
        """
        with self._selector, _signals() as asked:
            self._selector.register(asked, EVENT_READ, self._stop)
            self._drive.begin(self._relay)
            while self._ends_at is None or self._workers():
                self._fill()
                for key, _ in self._selector.select(_LOOK):
                    key.data()
                self._check_workers()
        self._drive.stop()
        if self._failure is not None:
            raise self._failure

    def _workers(self) -> list[Worker]:
        return [place.worker for place in self._places if place.worker is not None]

    def _stop(self) -> None:
        """Accept no more connections, and let the workers finish pending requests."""
        if self._ends_at is None:
            self._ends_at = monotonic() + _END
            for worker in self._workers():
                worker.end()

    def _fill(self) -> None:
        """Start the workers that are due."""
        for place in self._places:
            if self._ends_at is None and place.is_pending() and (worker := place.start()):
                self._selector.register(worker.line, EVENT_READ, partial(self._read_messages, place, worker))
                self._relay.serve(self._workers())

    def _read_messages(self, place: Place, worker: Worker) -> None:
        said = worker.read_message()
        if not said:
            self._selector.unregister(worker.line)
            self._handle_exit(place)
        if APPENDED in said:
            self._drive.notify_recorded()
        if HURRY in said:
            self._relay.is_awaited = True
            self._drive.request_update()

    def _handle_exit(self, place: Place) -> None:
        """Handle the end of a worker. If the service has not even begun, the next one would end as well, so the service stops."""
        beginning = self._answering is not None and self._ends_at is None
        place.clear(again=self._ends_at is None and not beginning)
        self._relay.serve(self._workers())
        if beginning:
            self._failure = Failure(say("worker_failed", number=str(place.task.number)))
            self._stop()

    def _check_workers(self) -> None:
        self._relay.note(self._drive.failure)
        for place in self._places:
            if place.worker is not None and self._is_blocked(place.worker):
                _LOG.error("worker %d (process %d) hangs and is killed", place.task.number, place.worker.id)
                place.worker.kill()
        if self._answering is not None and self._ends_at is None and all(place.is_ready for place in self._places):
            self._tell(self._answering)
            self._answering = None

    def _tell(self, answering: Callable[[], object]) -> None:
        try:
            answering()
        except Exception as error:  # raised once all workers have ended
            self._failure = error
            self._stop()

    def _is_blocked(self, worker: Worker) -> bool:
        if self._ends_at is not None:
            return monotonic() > self._ends_at
        # A worker that reads nothing or sends no beats is hung.
        return worker.deaf or (worker.answers and monotonic() - worker.heard_at > _SILENCE)


@contextmanager
def _signals() -> Iterator[socket.socket]:
    """Yield a socket that becomes readable as soon as a signal asks the service to end."""
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


# Service in several processes: the setup that is done once, before the workers start.


CONNECTIONS = 24
"""Database connections that a worker may have open while it makes no export."""
_BESIDE = 6
"""Database connections of the processes that project and that write the log."""


def serve_by_workers(
    settings: Settings,
    flags: Mapping[str, str | None],
    *,
    migrate_too: bool,
    accept_older_copy: bool,
    started: Callable[[EventStore, str, Sequence[str]], None],
) -> None:
    """Serve with several workers until asked to end. Raises ``Failure``, also on SQLite.

    ``flags``: the settings as they were given; each worker reads them again. ``started`` is called with the store, the common address and
    the address of each worker, once all answer.
    """
    if settings.embedded:
        raise Failure(say("workers_embedded"))
    start_logging(settings.log_format)
    scheme = "https" if tls_context(settings) else "http"
    with start_projecting_process(settings) as drive, log_process(settings) as keeping:
        with open_service(settings, migrate_too=migrate_too, accept_older_copy=accept_older_copy) as (services, _):
            services.projector.prepare()
            _check_limits(services, settings.workers)
            at = with_key_folder(settings, services.journal.store)
        with _listening_sockets(settings) as (door, own):
            key, given = snapshot_key(settings), {name: None if value is None else str(value) for name, value in flags.items()}
            tasks = [Task(given, number, key) for number in range(1, settings.workers + 1)]
            places = [Place(task, (door, *own[task.number - 1 : task.number])) for task in tasks]

            def on_ready() -> None:
                with open_event_store(settings) as store:
                    started(store, door.address(scheme), [one.address(scheme) for one in own])

            with keeping.running(at) if keeping else nullcontext():
                Parent(places, drive, on_ready).run()


def _check_limits(services: Services, workers: int) -> None:
    """Warn early about too few database connections; otherwise that shows only under load."""
    [(taken,)] = services.store.query("SELECT current_setting('max_connections')::int")
    wanted = workers * CONNECTIONS + _BESIDE
    if wanted > taken:
        _LOG.warning("PostgreSQL allows %d connections, but %d workers may need %d; see max_connections", taken, workers, wanted)


@contextmanager
def _listening_sockets(settings: Settings) -> Iterator[tuple[ListeningSocket, Sequence[ListeningSocket]]]:
    """Open the common address, and those of each worker alone, if any are configured."""
    first = settings.worker_port
    ports = () if first is None else range(first, first + settings.workers) if first else [0] * settings.workers
    with ExitStack() as stack:
        door, *own = [stack.enter_context(closing(ListeningSocket(settings.host, port))) for port in (settings.port, *ports)]
        yield door, own
