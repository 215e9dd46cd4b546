"""Group commit: whatever has queued up during the last transaction goes into the next one.

The transactions run in one thread of their own, for both databases, so that neither a slow disk nor another process's lock ever holds
up the server's loop. See docs/decisions/0003-appending.md for what that costs. Where one or two commits wait, nobody else writes and the
disk has been quick for a while, the loop stores them itself: that is sooner done than the thread is woken.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from time import perf_counter

from domain.journal.commits import Commit, CommitOutcome, StoreAway, Unclear
from domain.journal.store import PATIENCE, EventStore
from domain.journal.waiting import Deadlines

_FEW = 2
"""So many commits are stored in the loop; of more each bears little of what the thread costs."""
_QUICK = 0.002  # seconds of a transaction
_TRIALS = 20
"""So many quick ones in a row there have to be in the thread before the loop waits for the disk."""
_TURNS = 4
"""So many turns of the loop it takes at most from a move that has come in to the queue."""
_LOOKS = 4
"""So often a group waits for these turns, as long as somebody came in them."""
GRACE = 2.0  # seconds: the store ends a transaction itself when its patience is over; only one that hangs is interrupted


@dataclass(slots=True, eq=False)
class _QueuedCommit:
    commit: Commit
    future: "asyncio.Future[tuple[int, ...]]"
    since: float
    until: float
    sent: bool = False


class GroupWriter:
    """One for each process, used from one loop. `group` bounds the events in a transaction, `queue` the commits that wait; the store is
    timed by `clock`."""

    def __init__(self, store: EventStore, *, group: int = 1000, queue: int = 10_000, clock: Callable[[], float] = perf_counter) -> None:
        self._event_store = store
        self._group = group
        self._limit = queue
        self._clock = clock
        self._queue: deque[_QueuedCommit] = deque()
        self._wake = asyncio.Event()
        self._under_way: Sequence[_QueuedCommit] = ()
        self._together = 0
        """Commits in the last group."""
        self.groups = 0
        """Transactions so far, and the commits in them: how well moves travel together."""
        self.grouped = 0
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._deadlines = Deadlines()
        self._quick = 0
        """Quick transactions since the last slow one."""

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(1, "journal-writer")
        self._task = self._loop.create_task(self._run())

    async def close(self) -> None:
        """Stores what waits and refuses what comes. Leaves the store open."""
        # The task ends by itself once the queue is empty: what was accepted is stored before the service stops.
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
            self._thread.shutdown()

    async def append(self, commit: Commit, *, deadline: float = PATIENCE) -> tuple[int, ...]:
        """The sequences of the events, once they are durable.

        Raises Conflict, KeyTaken or StoreAway: nothing was stored; Unclear: `deadline` seconds passed while it was being stored.
        If the caller is cancelled, a commit that still waits is dropped, and one that is being stored is stored.
        """
        if self._task is None or self._closing:
            raise StoreAway("the journal is not open for writing")
        if len(self._queue) >= self._limit:
            raise StoreAway("too many commands are waiting")
        now = self._loop.time()
        waiting = _QueuedCommit(commit, self._loop.create_future(), now, now + deadline)
        self._queue.append(waiting)
        self._wake.set()
        try:
            with self._deadlines.until(waiting.until):
                return await waiting.future
        except TimeoutError:
            if waiting.future.done() and not waiting.future.cancelled():
                return waiting.future.result()  # both came at once
            raise (Unclear if waiting.sent else StoreAway)("the time ran out") from None

    @property
    def queued(self) -> int:
        """Commits that wait for the next transaction."""
        return len(self._queue)

    @property
    def under_way(self) -> int:
        """Commits in the present one."""
        return len(self._under_way)

    @property
    def age(self) -> float:
        """Seconds since the oldest of both came; 0 where there is none."""
        oldest = next(iter((*self._under_way, *islice(self._queue, 1))), None)
        return 0.0 if oldest is None else self._loop.time() - oldest.since

    async def _run(self) -> None:
        while True:
            await self._gather()
            if group := self._take():
                self._under_way, self._together = group, len(group)
                await self._store(group)
                self._under_way = ()
            elif self._closing:
                return
            else:
                self._wake.clear()
                await self._wake.wait()

    async def _gather(self) -> None:
        """Until nobody comes any more: a transaction costs as much as several commits. Who came alone last time hardly waits for others."""
        turns = _TURNS if self._together > 1 else 1
        counted = 0
        for _ in range(_LOOKS):
            if counted == len(self._queue):
                return
            counted = len(self._queue)
            for _ in range(turns):
                await asyncio.sleep(0)

    def _take(self) -> list[_QueuedCommit]:
        """The oldest that wait, without those who gave up. One large commit makes a group of its own."""
        group: list[_QueuedCommit] = []
        events = 0
        while self._queue and (not group or events + len(self._queue[0].commit.events) <= self._group):
            waiting = self._queue.popleft()
            if not waiting.future.done():
                waiting.sent = True
                group.append(waiting)
                events += len(waiting.commit.events)
        return group

    async def _store(self, group: Sequence[_QueuedCommit]) -> None:
        self.groups += 1
        self.grouped += len(group)
        try:
            outcomes: Sequence[CommitOutcome | Exception] = await self._commit(group)
        except (StoreAway, Unclear) as error:
            outcomes = [type(error)(*error.args) for _ in group]  # one each: who catches it adds his traceback
        except Exception as error:
            if len(group) > 1:  # one of them holds a value that the database refuses: the others shall not suffer
                for waiting in group:
                    await self._store([waiting])
                return
            outcomes = [error]
        for waiting, outcome in zip(group, outcomes, strict=True):
            _resolve(waiting.future, outcome)

    async def _commit(self, group: Sequence[_QueuedCommit]) -> list[CommitOutcome]:
        commits = [waiting.commit for waiting in group]
        outcomes = self._at_once(commits) if len(commits) <= _FEW else None
        if outcomes is None:
            outcomes = await self._event_store.commit_in_loop(commits, self._patience(group))
        return await self._by_thread(group, commits) if outcomes is None else outcomes

    def _at_once(self, commits: Sequence[Commit]) -> list[CommitOutcome] | None:
        if self._quick < _TRIALS:
            return None
        begun = self._clock()
        try:
            return self._event_store.commit_at_once(commits)
        finally:
            self._note(self._clock() - begun)

    async def _by_thread(self, group: Sequence[_QueuedCommit], commits: Sequence[Commit]) -> list[CommitOutcome]:
        patience = self._patience(group)
        watch = self._loop.call_later(max(0.0, patience) + GRACE, self._event_store.interrupt)
        try:
            outcomes, seconds = await self._loop.run_in_executor(self._thread, self._timed, commits, patience)
        finally:
            watch.cancel()
        self._note(seconds)
        return outcomes

    def _patience(self, group: Sequence[_QueuedCommit]) -> float:
        return max(waiting.until for waiting in group) - self._loop.time()

    def _timed(self, commits: Sequence[Commit], patience: float) -> tuple[list[CommitOutcome], float]:
        begun = self._clock()
        outcomes = self._event_store.commit_group(commits, patience)
        return outcomes, self._clock() - begun

    def _note(self, seconds: float) -> None:
        self._quick = self._quick + 1 if seconds < _QUICK else 0


def _resolve(future: "asyncio.Future[tuple[int, ...]]", outcome: CommitOutcome | Exception) -> None:
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
