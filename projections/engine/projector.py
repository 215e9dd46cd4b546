"""The projector: brings the projections up to date in batches, each position in the transaction of its rows, and lets readers wait for
them.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import groupby
from operator import attrgetter

from projections.engine import checkpoints, rebuilding
from projections.engine.checkpoints import is_set_back
from projections.engine.driver import ProjectorDriver, Reached, ThreadDriver
from projections.engine.rebuilding import Comparison, Progress, ignore_progress
from projections.engine.run import ProjectionRun, advance
from projections.engine.status import ProjectionStatus, status_of
from projections.engine.store import Busy, Projection, ReadEvents, Store

# Readers that wait until the projections have come far enough.


class Waiters:
    """Wakes waiting readers from the projector's thread. ``hurry`` is called when a reader begins to wait."""

    def __init__(self, hurry: Callable[[], object]) -> None:
        self._hurry = hurry
        self._lock = threading.Lock()
        self._entries: dict[object, tuple[Callable[[], bool], Callable[[], object]]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def wait(self, holds: Callable[[], bool], timeout: float) -> bool:
        """Return whether the condition holds within ``timeout`` seconds. Blocks the thread."""
        done = threading.Event()
        with self._until(holds, done.set):
            done.wait(timeout)
        return holds()

    async def wait_for_async(self, holds: Callable[[], bool], timeout: float) -> bool:
        """Return whether the condition holds within ``timeout`` seconds. For a coroutine; blocks nothing."""
        if holds():
            return True
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        with self._until(holds, lambda: loop.call_soon_threadsafe(done.set)), suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), timeout)
        return holds()

    def notify_all(self) -> None:
        """Wake the readers whose condition holds by now."""
        with self._lock:
            entries = tuple(self._entries.values())
        # Outside of the lock: a condition may take its time, and a reader that wakes takes the lock to leave.
        for holds, wake in entries:
            if holds():
                with suppress(RuntimeError):  # the waiter's event loop has closed
                    wake()

    @contextmanager
    def _until(self, holds: Callable[[], bool], wake: Callable[[], object]) -> Iterator[None]:
        """Call ``wake`` when ``holds`` is found true, at once if it is true already; perhaps more than once."""
        key = object()
        with self._lock:
            self._entries[key] = (holds, wake)
        try:
            if holds():
                wake()
            self._hurry()
            yield
        finally:
            with self._lock:
                del self._entries[key]


_ATTEMPTS = 20  # of a second each, while another process keeps the tables that are to be made
_BATCH = 2000  # events of a transaction
_position = attrgetter("position")


class Projector:
    """Brings projections up to date. ``read(after, limit)`` gives events in commit order, ``head()`` the newest sequence; ``wait(after,
    timeout)`` returns early when something newer was appended; ``epoch()`` is the present epoch of the journal, as far as it is known
    without asking the store. ``drive`` runs it between ``start`` and ``stop``: a thread by default. If it is another process, this one only
    knows the progress of the projections, and ``wait`` is not used.

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
        epoch: Callable[[], str] = lambda: "",
        drive: ProjectorDriver | None = None,
    ) -> None:
        self._runs = {projection.name: ProjectionRun(projection, store, clock) for projection in projections}
        self._store = store
        self._read = read
        self._head = head
        self._epoch = epoch
        self._prepared: str | None = None
        """The epoch whose events the tables were compared with."""
        self._leads = False
        self._drive = drive or ThreadDriver(wait, clock)
        self._waiters = Waiters(self._drive.request_update)

    def start(self) -> None:
        """Create missing tables, then project beside the caller. May be called again after ``stop``."""
        self.prepare()
        self._drive.start(self)

    def stop(self) -> None:
        """Stop. Returns when the current batch is done."""
        self._drive.stop()

    def prepare(self) -> None:
        """Create missing tables. Tables of other versions, or of events that are gone, are replaced by empty ones. Raises ``Busy``."""
        for _ in range(_ATTEMPTS):
            with suppress(Busy):
                return self._prepare()
            self._store.lead()  # the process that keeps the tables may be frozen: then it is replaced
        return self._prepare()

    def _prepare(self) -> None:
        epoch = self._epoch()
        with self._store.transaction(alone=True) as tx:
            checkpoints.create_table(tx)
            for run in self._runs.values():
                run.prepare(tx, self._head, self._read)
        self._prepared = epoch

    def refresh(self) -> None:
        """Look up the progress of the projections. Changes nothing in the store."""
        with self._store.snapshot() as reads:
            found = checkpoints.checkpoints(reads)
        for name, run in self._runs.items():
            run.refresh(found.get(name))

    def last_lost(self) -> int:
        """Return the newest sequence up to which tables were filled with events that are gone; 0 if all are there. Changes nothing."""
        with self._store.snapshot() as reads:
            found = checkpoints.checkpoints(reads)
        read = cache(self._read)
        return max((checkpoint.position for checkpoint in found.values() if is_set_back(checkpoint, read)), default=0)

    def step(self) -> bool:
        """Take one batch for every projection that is due. Return whether any of them moved on."""
        if not self._is_prepared():
            self.prepare()
            self._waiters.notify_all()
        self._leads = self._store.lead()
        before = self._positions()
        if not self._leads or any(run.checkpoint is None for run in self._runs.values()):
            self.refresh()
        if self._leads:
            self._advance()
        moved = self._positions() != before
        if moved:
            self._waiters.notify_all()
        return moved or (self._leads and self._update())

    def catch_up(self) -> None:
        """Step until nothing is left to do, in the caller's thread. If another process projects, there is nothing to do."""
        while self.step():
            pass

    def rebuild(self, *names: str, progress: Progress = ignore_progress, accept_missing: bool = False) -> int:
        """Fill projections (all, if none is named) again from the events, in the caller's thread, beside the running ones.

        Return the sequence up to which they are rebuilt; ``progress`` is called repeatedly with the sequence reached. Raises
        ``Rebuilding``, ``RebuildFailedError``, ``Unavailable``, and ``EventsMissing`` where the tables know events that are gone, unless
        that is accepted; then everything is as it was.
        """
        return rebuilding.rebuild(self._choose_projections(names), self._store, self._read, progress, accept_missing=accept_missing)

    def verify(self, *names: str, progress: Progress = ignore_progress) -> tuple[Comparison, ...]:
        """Fill projections beside the running ones as ``rebuild`` does, only to compare the content of the tables."""
        return rebuilding.verify(self._choose_projections(names), self._store, self._read, progress)

    def list_old_tables(self, *names: str) -> tuple[str, ...]:
        """Return the tables from before the last rebuilding, by the names under which they are kept."""
        return rebuilding.list_old_tables(self._choose_projections(names), self._store)

    def contents(self) -> Mapping[str, tuple[int, str]]:
        """Return by name the position of each projection that has tables, and a digest of their content. Changes nothing."""
        return rebuilding.contents(self._choose_projections(()), self._store)

    def status(self) -> tuple[ProjectionStatus, ...]:
        read, head = cache(self._read), self._head()
        return tuple(status_of(run, head, read, self._drive.failure) for run in self._runs.values())

    def readable(self, name: str) -> bool:
        """Return whether the tables of the projection are whole and of the present epoch, at any position."""
        return self._has(0, name)

    def wait_for(self, sequence: int, timeout: float, name: str | None = None) -> bool:
        """Return whether the projections (or the named one) have taken the event within ``timeout`` seconds. Blocks the thread."""
        self._waiters.wait(self._until(sequence, name), timeout)
        return self._has(sequence, name)

    @property
    def waiting(self) -> int:
        """Readers of this process who wait for an event."""
        return len(self._waiters)

    async def wait_for_async(self, sequence: int, timeout: float, name: str | None = None) -> bool:
        """Return whether the projections (or the named one) have taken the event within ``timeout`` seconds. For a coroutine; blocks
        nothing.
        """
        await self._waiters.wait_for_async(self._until(sequence, name), timeout)
        return self._has(sequence, name)

    # The interface for its drive

    @property
    def leads(self) -> bool:
        return self._leads

    @property
    def last_sequence(self) -> int:
        return max(self._positions(), default=0)

    @property
    def is_awaited(self) -> bool:
        return bool(self._waiters)

    def report_progress(self, failure: str | None = None) -> Reached:
        return Reached(self._prepared, {name: run.checkpoint or run.other for name, run in self._runs.items()}, failure)

    def take(self, reached: Reached) -> bool:
        before = self._positions()
        for name, run in self._runs.items():
            run.refresh(reached.checkpoints.get(name))
        self._prepared = reached.epoch  # after the positions: those of another epoch must not be taken for some of this one
        self._waiters.notify_all()
        return self._positions() != before

    # Steps

    def _advance(self) -> None:
        due = sorted((run for run in self._runs.values() if run.is_pending()), key=_position)
        for after, runs in groupby(due, key=_position):  # they mostly stand at the same position
            batch = self._read(after, _BATCH)
            if batch and self._is_prepared():  # else another epoch began while they were read
                advance(tuple(runs), self._store, after, batch, newest=len(batch) < _BATCH)

    def _update(self) -> bool:
        """Compute a portion of what follows from the events, while no event is due. Return whether there was any."""
        return any(run.update() for run in self._runs.values() if run.unfinished and run.checkpoint is not None)

    def _is_prepared(self) -> bool:
        """Return whether the tables were compared with the events of the present epoch."""
        return self._prepared in (None, self._epoch())

    def _positions(self) -> list[int]:
        return [run.position for run in self._runs.values()]

    def _choose_projections(self, names: Sequence[str]) -> tuple[Projection, ...]:
        return tuple(self._runs[name].projection for name in dict.fromkeys(names or self._runs))

    def _has(self, sequence: int, name: str | None) -> bool:
        """Return whether the event is in the tables. Tables that are not whole, or of another epoch, count as empty: no reader may rely on
        them.
        """
        runs = [run for run in self._runs.values() if name in (None, run.projection.name)]
        return self._is_prepared() and all(run.is_complete and run.position >= sequence for run in runs)

    def _until(self, sequence: int, name: str | None) -> Callable[[], bool]:
        """Return the condition of a waiting reader. In another epoch the event may never come."""
        epoch = self._epoch()
        return lambda: self._has(sequence, name) or self._epoch() != epoch
