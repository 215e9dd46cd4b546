"""Group commit: all commits that queued up during the last transaction go into the next one.

The transactions run in one thread of their own, for both databases, so that neither a slow disk nor another process's lock ever blocks the
server's loop. See docs/decisions/0003-appending.md for the cost of that. If few commits wait, no other process writes and the disk has been
quick for a while, the loop stores them itself: that takes less time than waking the thread. A commit that repeatedly comes alone is not
even queued: it is stored, or sent, in the step of its own caller. So are several that wait, as soon as they are enough.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from time import monotonic, perf_counter
from types import TracebackType
from typing import Any, TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.journal.commits import Commit, CommitOutcome, OutcomeUnknownError, StoreUnavailableError
from domain.journal.store import PATIENCE, EventStore

# Deadlines: time limits of awaited answers, with one timer for all.


TICK = 0.05
"""Seconds by which an operation may exceed its deadline."""


class Deadlines:
    """Deadlines with one timer for all of them. ``asyncio.timeout`` takes a timer for each, and another one whenever the time is changed.
    Used from one loop.
    """

    def __init__(self) -> None:
        self._held = set[Deadline]()
        self._loop: asyncio.AbstractEventLoop | None = None

    def add(self, deadline: "Deadline", loop: asyncio.AbstractEventLoop) -> None:
        self._held.add(deadline)
        if self._loop is not loop:
            self._loop = loop
            loop.call_later(TICK, self._check_deadlines, loop)

    def remove(self, deadline: "Deadline") -> None:
        self._held.discard(deadline)

    def _check_deadlines(self, loop: asyncio.AbstractEventLoop) -> None:
        now = monotonic()
        # a list of its own: ``pass_by`` takes deadlines out of the set
        for deadline in [one for one in self._held if one.at is not None and one.at <= now]:
            deadline.pass_by()
        if self._held:
            loop.call_later(TICK, self._check_deadlines, loop)
        elif self._loop is loop:
            # nothing is left to watch: the next ``add`` starts the timer again
            self._loop = None


class Deadline:
    """A deadline, as a context: an await in it is cancelled once the time has come, and ``TimeoutError`` raised. ``at`` is by
    ``time.monotonic``, ``None`` while it is not known; it may be changed.
    """

    is_past = False
    _task: asyncio.Task[Any] | None = None

    def __init__(self, deadlines: Deadlines, at: float | None) -> None:
        self.at = at
        self._deadlines = deadlines

    def __enter__(self) -> "Deadline":
        loop = asyncio.get_running_loop()
        self._task = task = asyncio.current_task(loop)
        assert task is not None
        # by this a cancellation from outside is told from that of this deadline
        self._cancelled_before = task.cancelling()
        self._deadlines.add(self, loop)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        assert self._task is not None
        self._deadlines.remove(self)
        # Only a cancellation by this deadline becomes a TimeoutError. One from outside has to go on as a cancellation.
        if self.is_past and self._task.uncancel() <= self._cancelled_before and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def pass_by(self) -> None:
        assert self._task is not None
        # out of the set: the timer must not cancel the task twice
        self._deadlines.remove(self)
        self.is_past = True
        self._task.cancel()


_FEW = 16
"""The most commits that are stored in the loop. Meanwhile no other request is answered; among more commits the cost of the thread is small
for each.
"""
_QUICK = 0.002  # seconds of a transaction
_TRIALS = 20
"""The number of quick transactions in a row in the thread, before the loop waits for the disk itself."""
_TURNS = 2
"""The number of turns of the loop after which most commits that are coming in are in the queue."""
_LOOKS = 4
"""The most times that a group waits for these turns, as long as commits came in them."""
_ENOUGH = 8
"""The number of commits that set out as soon as nothing else is in progress, where only the database is waited for: meanwhile the loop
decides the next ones.
"""
_LONE = 3
"""The number of commits that have to come alone, one after the other, before one is not queued any more."""
GRACE = 2.0  # seconds: the store ends a transaction itself when its patience is over; only one that hangs is interrupted


class _QueuedCommit(Struct, eq=False):
    commit: Commit
    future: "asyncio.Future[tuple[int, ...]]"
    since: float
    until: float
    sent: bool = False


_Group: TypeAlias = Sequence[_QueuedCommit]
_Outcomes: TypeAlias = Sequence[CommitOutcome | Exception]


class GroupWriter:
    """The writer of a process, used from one loop. `group` bounds the events in a transaction, `queue` the commits that wait; the store is
    timed by `clock`.
    """

    def __init__(self, store: EventStore, *, group: int = 1000, queue: int = 10_000, clock: Callable[[], float] = perf_counter) -> None:
        self._event_store = store
        self._group = group
        self._limit = queue
        self._clock = clock
        self._queue: deque[_QueuedCommit] = deque()
        self._wake = asyncio.Event()
        self._under_way: _Group = ()
        self._returned: Sequence[Commit] = ()
        """The current commits, if they were sent by their caller and came back to be stored by the thread."""
        self._lone = 1
        """Groups of one commit since the last larger one."""
        self._sends = True
        """True if the store may send the next group; if not, it is not asked again before that group is through."""
        self._stored_for: UUID | None = None
        """The stream whose commit was stored in this turn of the loop by its caller."""
        self.groups = 0
        """Transactions so far, and the commits in them: how well moves travel together."""
        self.grouped = 0
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._watching = False
        """True while a timer checks the deadlines of waiting commits."""
        self._quick = 0
        """Quick transactions since the last slow one."""

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        # one thread: commits reach the store in the order in which they came
        self._thread = ThreadPoolExecutor(1, "journal-writer")
        self._task = self._loop.create_task(self._run())

    async def close(self) -> None:
        """Store what waits and refuse what comes. Leaves the store open."""
        # The task ends by itself once the queue is empty: what was accepted is stored before the service stops.
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
            self._thread.shutdown()

    async def append(self, commit: Commit, *, deadline: float = PATIENCE) -> tuple[int, ...]:
        """Return the sequences of the events, once they are durable.

        Raises ``Conflict``, ``DuplicateKeyError`` or ``StoreUnavailableError``: nothing was stored. ``OutcomeUnknownError``: ``deadline``
        seconds passed while it was being stored. If the caller is cancelled, a commit that still waits is dropped, and one that is being
        stored is stored.
        """
        if self._task is None or self._closing:
            raise StoreUnavailableError("the journal is not open for writing")
        if len(self._queue) >= self._limit:
            raise StoreUnavailableError("too many commands are waiting")
        alone = self._is_only_writer(commit)
        if alone and (outcomes := self._at_once((commit,))) is not None:
            self._note_single_commit(commit)
            if isinstance(outcomes[0], Exception):
                raise outcomes[0]
            return outcomes[0]
        now = self._loop.time()
        waiting = _QueuedCommit(commit, self._loop.create_future(), now, now + deadline)
        if not (alone and self._send([waiting])):
            self._queue.append(waiting)
            if not self._under_way and not self._send_batch():
                self._wake.set()
        self._watch()
        return await waiting.future

    @property
    def queue_length(self) -> int:
        """Commits that wait for the next transaction."""
        return len(self._queue)

    @property
    def in_progress(self) -> int:
        """Commits in the present transaction."""
        return len(self._under_way)

    @property
    def age(self) -> float:
        """Seconds since the oldest queued or current commit came; 0 where there is none."""
        oldest = next(iter((*self._under_way, *islice(self._queue, 1))), None)
        return 0.0 if oldest is None else self._loop.time() - oldest.since

    def _is_only_writer(self, commit: Commit) -> bool:
        """Return whether no other commit is about: then there is nothing to wait for, and nothing to overtake.

        Only one commit in a turn of the loop counts as alone: the loop has to continue even if a caller brings one after the other. A
        commit of another stream in the same turn was on its way at the same time.
        """
        if self._stored_for is not None:
            if self._stored_for != commit.events[0].stream:
                self._lone = 1
            return False
        return self._lone >= _LONE and not self._queue and not self._under_way

    def _note_single_commit(self, commit: Commit) -> None:
        self._count(1)
        self._stored_for = commit.events[0].stream
        # at the end of this turn of the loop: until then no other commit counts as alone
        self._loop.call_soon(self._end_turn)

    def _end_turn(self) -> None:
        self._stored_for = None

    def _send(self, group: _Group) -> bool:
        """Return whether the group is on its way by itself, with no task that would have to be woken."""
        commits = [waiting.commit for waiting in group]
        try:
            self._sends = self._event_store.send_in_loop(commits, self._time_left(group), partial(self._receive_results, group, commits))
        except Exception:  # a commit holds a value that cannot be sent: storing finds out which
            self._sends = False
        if self._sends:
            self._set_out(group)
        return self._sends

    def _send_batch(self) -> bool:
        """Send the queue if enough commits wait. Return whether they are on their way."""
        if len(self._queue) < _ENOUGH or not self._sends:
            return False
        group = self._take()
        sent = bool(group) and self._send(group)
        if not sent:
            self._queue.extendleft(reversed(group))
        return sent

    def _receive_results(self, group: _Group, commits: Sequence[Commit], outcomes: _Outcomes | Exception | None) -> None:
        if outcomes is None:
            # No outcome yet: the thread has to store these very commits, which the database may have stored already.
            self._returned = commits
            self._wake.set()
            return
        self._under_way = ()
        _resolve_all(group, [outcomes] * len(group) if isinstance(outcomes, Exception) else outcomes)
        if (self._queue and not self._send_batch()) or self._closing:
            self._wake.set()

    async def _run(self) -> None:
        while True:
            if self._returned:
                group, commits = self._under_way, self._returned
                await self._store(group, self._by_thread(group, commits))
                self._returned = self._under_way = ()
            if not self._under_way:
                await self._gather()
                if self._under_way:  # enough set out meanwhile
                    continue
                group = self._take()
                if group and not self._send(group):
                    self._set_out(group)
                    await self._store(group, self._commit(group))
                    self._under_way = ()
                    continue
                if self._closing and not group:
                    return
            self._wake.clear()
            await self._wake.wait()

    def _set_out(self, group: _Group) -> None:
        for waiting in group:
            waiting.sent = True
        self._under_way = group
        self._sends = True
        self._lone = self._lone + 1 if len(group) == 1 else 0
        self._count(len(group))

    def _count(self, commits: int) -> None:
        self.groups += 1
        self.grouped += commits

    def _watch(self) -> None:
        if not self._watching:
            self._watching = True
            self._loop.call_later(TICK, self._check_deadlines)

    def _check_deadlines(self) -> None:
        """Fail the commits whose time has run out. A commit that was already sent may still be stored."""
        now = self._loop.time()
        for waiting in (*self._under_way, *self._queue):
            if waiting.until <= now and not waiting.future.done():
                waiting.future.set_exception((OutcomeUnknownError if waiting.sent else StoreUnavailableError)("the time ran out"))
        self._watching = False
        if self._under_way or self._queue:
            self._watch()

    async def _gather(self) -> None:
        """Wait until no more commits come: a transaction costs as much as several commits. After a commit that came alone this hardly
        waits.
        """
        turns = 1 if self._lone else _TURNS
        counted = 0
        for _ in range(_LOOKS):
            if counted == len(self._queue):
                return
            counted = len(self._queue)
            for _ in range(turns):
                await asyncio.sleep(0)

    def _take(self) -> list[_QueuedCommit]:
        """Return the oldest that wait, without those that were given up. One large commit makes a group of its own."""
        group: list[_QueuedCommit] = []
        events = 0
        while self._queue and (not group or events + len(self._queue[0].commit.events) <= self._group):
            waiting = self._queue.popleft()
            if not waiting.future.done():
                group.append(waiting)
                events += len(waiting.commit.events)
        return group

    async def _store(self, group: _Group, committed: Awaitable[_Outcomes]) -> None:
        try:
            outcomes = await committed
        except (StoreUnavailableError, OutcomeUnknownError) as error:
            outcomes = [_copy_error(error) for _ in group]  # one each: every catcher adds a traceback to it
        except Exception as error:
            if len(group) > 1:  # a commit holds a value that the database refuses: store each alone, so that the others succeed
                for waiting in group:
                    self._count(1)
                    await self._store([waiting], self._commit([waiting]))
                return
            outcomes = [error]
        _resolve_all(group, outcomes)

    async def _commit(self, group: _Group) -> _Outcomes:
        commits = [waiting.commit for waiting in group]
        outcomes = self._at_once(commits) if len(commits) <= _FEW else None
        return await self._by_thread(group, commits) if outcomes is None else outcomes

    def _at_once(self, commits: Sequence[Commit]) -> list[CommitOutcome] | None:
        if self._quick < _TRIALS:
            return None
        begun = self._clock()
        try:
            return self._event_store.commit_at_once(commits)
        finally:
            self._note(self._clock() - begun)

    async def _by_thread(self, group: _Group, commits: Sequence[Commit]) -> list[CommitOutcome]:
        patience = self._time_left(group)
        # the store keeps the time limit; if it hangs beyond it, the thread would be lost without this
        watch = self._loop.call_later(max(0.0, patience) + GRACE, self._event_store.interrupt)
        try:
            outcomes, seconds = await self._loop.run_in_executor(self._thread, self._time_commit, commits, patience)
        finally:
            watch.cancel()
        self._note(seconds)
        return outcomes

    def _time_left(self, group: _Group) -> float:
        return max(waiting.until for waiting in group) - self._loop.time()

    def _time_commit(self, commits: Sequence[Commit], patience: float) -> tuple[list[CommitOutcome], float]:
        begun = self._clock()
        outcomes = self._event_store.commit_group(commits, patience)
        return outcomes, self._clock() - begun

    def _note(self, seconds: float) -> None:
        self._quick = self._quick + 1 if seconds < _QUICK else 0


def _copy_error(error: Exception) -> Exception:
    """Return a copy of the error with all its attributes; its class may take other arguments than its ``args``."""
    copied = type(error).__new__(type(error), *error.args)
    copied.__dict__.update(error.__dict__)
    return copied


def _resolve_all(group: _Group, outcomes: _Outcomes) -> None:
    for waiting, outcome in zip(group, outcomes, strict=True):
        if waiting.future.done():  # the caller has given up
            continue
        if isinstance(outcome, Exception):
            waiting.future.set_exception(outcome)
        else:
            waiting.future.set_result(outcome)
