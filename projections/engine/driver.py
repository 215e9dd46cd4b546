"""The projector's thread: it drives the projections while the service runs. For another process: ``deploy/processes/process_driver.py``."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from domain.errors import Worded
from projections.engine.checkpoints import Checkpoint

# The log of failures of the projector, such as a database that is away: they are tried again often and reported seldom.


_LOG = logging.getLogger("kiebitz.projections")
_REMIND = 60.0  # seconds between two lines about the same failure


class FailureLog:
    """Reports failures without flooding the log. Not for several threads at once. Each kind of error is logged once, then a line a minute,
    and one at the end. The first time with its traceback, unless the error explains itself in words.
    """

    def __init__(self, clock: Callable[[], float], who: str = "the projector") -> None:
        self._who = who
        self.error: str | None = None
        self._clock = clock
        self._known: set[str] = set()
        self._reported_at = 0.0

    def record(self, error: Exception) -> None:
        # Kinds are told apart by class name: when a database is away, journal and projections raise different errors in turn.
        kind, now = type(error).__name__, self._clock()
        self.error = f"{kind}: {error}"
        if kind not in self._known:
            self._begin(error)
        elif now - self._reported_at >= _REMIND:
            _LOG.error("%s still cannot continue: %s", self._who, self.error.partition("\n")[0])
        else:
            return
        self._known.add(kind)
        self._reported_at = now

    def _begin(self, error: Exception) -> None:
        if isinstance(error, Worded):
            _LOG.error("%s cannot continue for now, and retries: %s", self._who, self.error)
        else:
            _LOG.error("%s cannot continue for now, and retries", self._who, exc_info=error)

    def clear(self) -> None:
        if self.error is not None:
            _LOG.warning("%s continues", self._who)
        self.error = None
        self._known.clear()


_IDLE = 0.5  # seconds while another process projects, and after a failure
_LOOK = 0.1  # seconds to wait for events; a stop may take as long
_GATHER = 0.1
"""Seconds between batches while nobody waits: one batch of many moves costs less than a batch for each."""
PEEK = 0.02
"""Seconds between two looks while somebody waits for the projections."""


class Reached(Struct, frozen=True):
    """The progress of the projections, as one process reports it to another. ``epoch``: the epoch whose events the tables were compared
    with; ``checkpoints``: those of the store by their names, of any version; ``failure``: what keeps all of them from continuing.
    """

    epoch: str | None
    checkpoints: dict[str, Checkpoint | None]
    failure: str | None = None


class ProgressReceiver(Protocol):
    """Receives the progress of another process."""

    @property
    def is_awaited(self) -> bool:
        """Return whether a reader waits."""

    def take(self, reached: Reached) -> bool:
        """Take the progress over, and wake readers. Return whether any projection moved on."""


class DriverTarget(ProgressReceiver, Protocol):
    """The projector, as its driver sees it."""

    @property
    def leads(self) -> bool:
        """Return whether this process is the one that projects."""

    @property
    def last_sequence(self) -> int:
        """The sequence of the projection that is farthest."""

    def step(self) -> bool:
        """Take one batch for every projection that is due. Return whether any of them moved on."""

    def report_progress(self, failure: str | None = None) -> Reached: ...


class ProjectorDriver(Protocol):
    """Drives a projector. ``failure`` keeps all projections from continuing."""

    @property
    def failure(self) -> str | None: ...

    def start(self, projector: DriverTarget) -> None:
        """Start. May be called again after ``stop``."""

    def stop(self) -> None:
        """Stop. Returns when the current batch is done."""

    def request_update(self) -> None:
        """Note that a reader begins to wait. From any thread; waits for nothing."""


class ThreadDriver:
    """Drives the projector in a thread. ``wait(after, timeout)`` returns early when something newer was appended. ``report`` receives the
    progress after each step.
    """

    def __init__(
        self,
        wait: Callable[[int, float], bool],
        clock: Callable[[], float] = time.monotonic,
        report: Callable[[Reached], object] | None = None,
        who: str = "the projector",
    ) -> None:
        self._wait = wait
        self._report = report
        self._failures = FailureLog(clock, who)
        self._stopping = threading.Event()
        self._poked = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def failure(self) -> str | None:
        return self._failures.error

    def start(self, projector: DriverTarget) -> None:
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, args=(projector,), name="projector", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._poked.set()
        if self._thread is not None:
            self._thread.join()

    def request_update(self) -> None:
        self._poked.set()

    def _run(self, projector: DriverTarget) -> None:
        while not self._stopping.is_set():
            try:
                moved = projector.step()
                self._tell(projector)
                self._rest(projector, moved)
                self._failures.clear()
            except Exception as error:  # any error: mostly a database that is away for a while
                self._failures.record(error)
                self._tell(projector)
                self._stopping.wait(_IDLE)

    def _tell(self, projector: DriverTarget) -> None:
        if self._report is not None:
            self._report(projector.report_progress(self.failure))

    def _rest(self, projector: DriverTarget, moved: bool) -> None:
        if projector.leads and not moved:
            self._wait(projector.last_sequence, _LOOK)
        if not (moved and projector.is_awaited):
            self._poked.wait(PEEK if projector.is_awaited else _GATHER if projector.leads else _IDLE)
            self._poked.clear()
