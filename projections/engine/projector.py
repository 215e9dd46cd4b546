"""Brings the projections up to date: one thread, batches, and each projection's position in the transaction of its rows."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter

from projections.engine import checkpoints, comparing, rebuilding
from projections.engine.comparing import Comparison
from projections.engine.failure_log import FailureLog
from projections.engine.filling import Progress, ignore_progress
from projections.engine.projection import Projection, ReadEvents
from projections.engine.run import ProjectionRun, advance
from projections.engine.status import ProjectionStatus, status_of
from projections.engine.store import Store
from projections.engine.waiters import Waiters

_BATCH = 2000  # events of a transaction
_position = attrgetter("position")
_IDLE = 0.5  # seconds while another process projects, and after a failure
_LOOK = 0.1  # seconds to wait for events; so long a stop may take
_PEEK = 0.02  # while somebody waits for the projections
_GATHER = 0.05
"""Seconds between batches while nobody waits: one batch of many moves costs the server less than a batch for each."""


class Projector:
    """``read(after, limit)`` gives events in commit order, ``head()`` the newest sequence; ``wait(after, timeout)`` returns early
    when something newer was appended.

    Of several processes on one PostgreSQL database one projects and the others stand by; on one SQLite file they take turns.
    """

    def __init__(
        self,
        projections: Sequence[Projection],
        store: Store,
        read: ReadEvents,
        head: Callable[[], int],
        wait: Callable[[int, float], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._runs = {projection.name: ProjectionRun(projection, store, clock) for projection in projections}
        self._store = store
        self._read = read
        self._head = head
        self._wait = wait
        self._leads = False
        self._failures = FailureLog(clock)
        self._stopping = threading.Event()
        self._poked = threading.Event()
        self._waiters = Waiters(self._poked.set)
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Creates missing tables, then projects in a thread of its own. May be called again after ``stop``."""
        self.prepare()
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name="projector", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Returns when the current batch is done."""
        self._stopping.set()
        self._poked.set()
        if self._thread is not None:
            self._thread.join()

    def prepare(self) -> None:
        """Creates missing tables. Tables of other versions, or of events that are gone, are replaced by empty ones."""
        with self._store.transaction(alone=True) as tx:
            checkpoints.create_table(tx)
            for run in self._runs.values():
                run.prepare(tx, self._head, self._read)

    def follow(self) -> None:
        """Looks up how far the projections are. Changes nothing in the store, whatever it holds."""
        with self._store.snapshot() as reads:
            found = checkpoints.checkpoints(reads)
        for name, run in self._runs.items():
            run.follow(found.get(name))

    def step(self) -> bool:
        """One batch for every projection that is due. Returns whether any of them moved on."""
        self._leads = self._store.lead()
        before = self._positions()
        if not self._leads or any(run.checkpoint is None for run in self._runs.values()):
            self.follow()
        if self._leads:
            self._advance()
        moved = self._positions() != before
        if moved:
            self._waiters.wake_all()
        return moved

    def catch_up(self) -> None:
        """Steps until nothing is left to do, in the caller's thread. If another process projects, there is nothing to do."""
        while self.step():
            pass

    def rebuild(self, *names: str, progress: Progress = ignore_progress, accept_missing: bool = False) -> int:
        """Fills projections (all, if none is named) anew from the events, in the caller's thread, beside the running ones.

        Returns the sequence up to which they are rebuilt; ``progress`` is called on the way with how far it is. Raises ``Rebuilding``,
        ``NotRebuilt``, ``Unavailable``, and ``EventsMissing`` where the tables know events that are gone, unless that is accepted; then
        everything is as it was.
        """
        return rebuilding.rebuild(self._named(names), self._store, self._read, progress, accept_missing=accept_missing)

    def verify(self, *names: str, progress: Progress = ignore_progress) -> tuple[Comparison, ...]:
        """Fills projections beside the running ones as ``rebuild`` does, only to compare what the tables hold."""
        return comparing.verify(self._named(names), self._store, self._read, progress)

    def laid_aside(self, *names: str) -> tuple[str, ...]:
        """The tables of before the last rebuilding, by the names under which they are kept."""
        return rebuilding.laid_aside(self._named(names), self._store)

    def contents(self) -> Mapping[str, tuple[int, str]]:
        """By name the position of each projection that has tables, and a digest of what they hold. Changes nothing."""
        return comparing.contents(self._named(()), self._store)

    def status(self) -> tuple[ProjectionStatus, ...]:
        read, head = cache(self._read), self._head()
        return tuple(status_of(run, head, read, self._failures.error) for run in self._runs.values())

    def wait_for(self, sequence: int, timeout: float, name: str | None = None) -> bool:
        """Whether the projections (or the named one) have taken the event within so many seconds. Blocks the thread."""
        return self._waiters.wait(lambda: self._has(sequence, name), timeout)

    async def wait_for_async(self, sequence: int, timeout: float, name: str | None = None) -> bool:
        """The same for a coroutine; blocks nothing."""
        return await self._waiters.wait_for_async(lambda: self._has(sequence, name), timeout)

    # Steps

    def _advance(self) -> None:
        due = sorted((run for run in self._runs.values() if run.due()), key=_position)
        for after, runs in groupby(due, key=_position):  # they mostly stand at the same position
            if batch := self._read(after, _BATCH):
                advance(tuple(runs), self._store, after, batch)

    def _positions(self) -> list[int]:
        return [run.position for run in self._runs.values()]

    def _named(self, names: Sequence[str]) -> tuple[Projection, ...]:
        return tuple(self._runs[name].projection for name in dict.fromkeys(names or self._runs))

    def _has(self, sequence: int, name: str | None) -> bool:
        """Whether the event is in the tables. Tables that are not whole count as empty: nobody may rely on them."""
        return all(run.whole and run.position >= sequence for run in self._runs.values() if name in (None, run.projection.name))

    # The thread

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._rest(self.step())
                self._failures.clear()
            except Exception as error:  # whatever it was: a database that is away for a while, mostly
                self._failures.record(error)
                self._stopping.wait(_IDLE)

    def _rest(self, moved: bool) -> None:
        if self._leads and not moved:
            self._wait(max(self._positions(), default=0), _LOOK)
        if not (moved and self._waiters):
            self._poked.wait(_PEEK if self._waiters else _GATHER if self._leads else _IDLE)
            self._poked.clear()
