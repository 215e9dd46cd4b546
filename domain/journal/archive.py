"""The read side of the journal: aggregates as they stand, histories, the feed, built on the library's Application; and the locks of the
streams in use.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain, groupby
from secrets import token_bytes
from threading import Lock
from typing import Any
from uuid import UUID

from eventsourcing.application import AggregateNotFoundError, Application, LRUCache
from eventsourcing.persistence import ApplicationRecorder, InfrastructureFactory, Mapper
from eventsourcing.utils import Environment, EnvType

from domain.errors import Exists, RefInUse, Unknown
from domain.events import A, Aggregate, AggregateType, Recorded
from domain.game import GAME, Game
from domain.journal.commits import Commit, from_stored
from domain.journal.snapshots import END, EVERY, KEY_LENGTH, EventMapper, Snapshot, Snapshots, StoreRecorder
from domain.journal.store import EventStore


class Archive(Application[UUID]):
    """The read side of the journal. Synchronous and thread-safe.

    ``alone``: no other process writes to this store, so a cached game is read without asking the store for newer events.
    """

    name = "kiebitz"
    snapshots: Snapshots  # pyrefly: ignore[bad-override]  # what construct_snapshot_store answers

    def __init__(
        self, store: EventStore, clock: Callable[[], datetime], *, alone: bool, cached_games: int = 2000, snapshot_key: bytes | None = None
    ) -> None:
        # Without a key that outlives it a journal trusts its own snapshots only.
        self._snapshot_key = snapshot_key or token_bytes(KEY_LENGTH)
        self.store = store
        self.clock = clock
        self._cached_games = cached_games
        self._epoch: str | None = None
        """The epoch in which what lies in the cache was read."""
        self._caching = Lock()
        """Held from a look into the cache to what is put there because of it."""
        self._doubtful: set[UUID] = set()
        """Streams whose last commit may or may not be stored. They are not read from the cache until the next commit succeeds."""
        super().__init__(
            {
                self.AGGREGATE_CACHE_MAXSIZE: str(cached_games),
                self.AGGREGATE_CACHE_FASTFORWARD: "n" if alone else "y",
                self.DEEPCOPY_FROM_AGGREGATE_CACHE: "n",
                InfrastructureFactory.IS_SNAPSHOTTING_ENABLED: "y",
            }
        )

    # Overrides of the library: it would read the process's environment, and import mapper and recorder by their Python paths.
    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        return Environment(name, env)

    def construct_mapper(self) -> Mapper[UUID]:
        return EventMapper()

    def construct_recorder(self) -> ApplicationRecorder:
        return StoreRecorder(self.store)

    def construct_snapshot_store(self) -> Any:
        return Snapshots(self.store, self._snapshot_key)

    def close(self) -> None:
        super().close()
        self.snapshots.close()
        self.store.close()

    def game(self, id: UUID) -> Game:
        """Return the game as it stands. Raises ``Unknown``."""
        return self.aggregate(GAME, id)

    def aggregate(self, kind: AggregateType[A], id: UUID) -> A:
        """Return an aggregate of any kind as it stands. Raises ``Unknown``, also where the stream is of another kind."""
        while True:
            epoch, cache = self._enter_epoch(), self.repository.cache
            if id in self._doubtful:
                self._evict(id)
            try:
                found = self._found(kind, id, cache)
            except AggregateNotFoundError:
                raise Unknown(kind.name, id) from None
            # If the epoch has changed meanwhile, the result may rest on events that are gone: read again.
            if epoch == self.store.epoch.id:
                break
        if not isinstance(found, kind.type):
            raise Unknown(kind.name, id)
        self._refresh_cache(found, cache)
        return found

    def _found(self, kind: AggregateType[A], id: UUID, cache: Any) -> Any:
        """Return the aggregate from the cache or the store. The library's own way is not used: it would put what it has read into the cache
        even if the loop has put a newer one there meanwhile.
        """
        known = _read_cache(cache, id)
        if known is None:
            return self.repository.get(id, version=END, projector_func=self._projector(kind))
        return self.read_on(kind, known) if self.repository.fastforward and isinstance(known, kind.type) else known

    def latest(self, kind: AggregateType[A], id: UUID) -> A:
        """Return the aggregate, read from the store even if no other process should write to it. Raises ``Unknown``."""
        if not self.repository.fastforward:
            self._evict(id)
        return self.aggregate(kind, id)

    def latest_game(self, id: UUID) -> Game:
        """Return the game, read from the store. Raises ``Unknown``."""
        return self.latest(GAME, id)

    def read_on(self, kind: AggregateType[A], known: A) -> A:
        """Return the aggregate with the later events of the store. The process that recorded them keeps the snapshots."""
        beyond = self.history(known.id, known.position)
        return (kind.project(known, beyond) if beyond else None) or known

    def history(self, id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        """Return the events of a game from position ``after`` + 1 on; empty where there is no such game."""
        return [from_stored(event) for event in self.store.select_events(id, after, limit=limit)]

    def find_imported(self, commit: Commit, *, whole: bool) -> UUID | None:
        """Return the game if it is here already: by its id, if it comes ``whole``, by the content of its record, or by its ref.

        Raises ``Exists`` if another game has its id, and ``RefInUse`` if another record has its ref.
        """
        game = commit.events[0].stream
        if whole and (stored := self.store.select_events(game, limit=len(commit.events))):
            if stored != list(commit.events):
                raise Exists(GAME.name, game)
            return game
        if commit.ref and (known := self.store.find_ref(commit.ref)):
            return known
        origin = commit.origin
        if origin is None or origin.ref is None or (found := self.store.find_by_ref(origin.ref)) is None:
            return None
        game, digest = found
        if digest != origin.digest:
            raise RefInUse(origin.ref.system, origin.ref.id, game)
        return game

    def feed(self, after: int, limit: int) -> list[tuple[int, Recorded]]:
        """Return events of all games with their sequences, in commit order, those after ``after``."""
        return [(sequence, from_stored(event)) for sequence, event in self.store.events_after(after, limit)]

    def head(self) -> int:
        """Return the newest sequence; 0 in an empty store."""
        return self.store.head()

    def _find_cached(self, kind: AggregateType[A], id: UUID) -> A | None:
        self._enter_epoch()
        found = None if self._doubtful and id in self._doubtful else _read_cache(self.repository.cache, id)
        return found if isinstance(found, kind.type) else None

    def _enter_epoch(self) -> str:
        """Drop what was read in another epoch: it may rest on events that are gone. Return the present epoch."""
        present = self.store.epoch.id
        if self._epoch != present:
            self._epoch = present
            if self.repository.cache is not None:
                self.repository.cache = LRUCache(self._cached_games)
        return present

    def _keep(self, aggregate: Aggregate) -> None:
        if self._epoch is None:  # else the first reader would drop it again
            self._enter_epoch()
        if self.repository.cache is not None:
            with self._caching:
                self.repository.cache.put(aggregate.id, aggregate)
            if self._doubtful:
                self._doubtful.discard(aggregate.id)

    def _refresh_cache(self, aggregate: Aggregate, cache: Any) -> None:
        """Put an aggregate that a thread has read into the cache of its epoch, unless the loop has put a newer one there."""
        if cache is not None:
            with self._caching:
                known = _read_cache(cache, aggregate.id)
                if known is None or known.version < aggregate.version:
                    cache.put(aggregate.id, aggregate)

    def _evict(self, id: UUID) -> None:
        if self.repository.cache is not None:
            with suppress(KeyError):
                # KeyError: it was not cached, or others have pushed it out
                self.repository.cache.get(id, evict=True)

    def _projector(self, kind: AggregateType[A]) -> Callable[[Any, Iterable[Any]], Any]:
        """Return a projector that starts from a snapshot or the beginning. A snapshot of another kind is returned as it is; ``aggregate``
        refuses it.
        """

        def project(_: None, history: Iterable[Any]) -> Any:
            begun, events = _split_snapshot(history)
            return self._fold_history(kind, begun, events) if begun is None or isinstance(begun, kind.type) else begun

        return project

    def _after(self, kind: AggregateType[A], known: A | None, recorded: Sequence[Recorded]) -> A | None:
        """Return the aggregate after events that have just been recorded, if any. Mostly no snapshot is due among them."""
        if not recorded:
            return known
        if recorded[-1].position // EVERY == (recorded[0].position - 1) // EVERY:
            return kind.project(known, recorded)
        return self._fold_history(kind, known, recorded)

    def _fold_history(self, kind: AggregateType[A], known: A | None, history: Iterable[Recorded]) -> A | None:
        """Return the aggregate after these events. Keeps a snapshot of a game at each multiple of ``EVERY``."""
        due: list[Game] = []
        for _, events in groupby(history, _since_snapshot):
            known = kind.project(known, events)
            if isinstance(known, Game) and known.position % EVERY == 0:
                due.append(known)
        self.snapshots.keep(due)
        return known


def _read_cache(cache: Any, id: UUID) -> Any:
    try:
        return None if cache is None else cache.get(id)
    except KeyError:
        return None


def _split_snapshot(history: Iterable[Any]) -> tuple[Game | None, Iterable[Recorded]]:
    """Split what the library read from the store: a snapshot, if there is one, and the events after it."""
    rows = iter(history)
    first = next(rows, None)
    if isinstance(first, Snapshot):
        return first.game, rows
    return None, () if first is None else chain((first,), rows)


def _since_snapshot(recorded: Recorded) -> int:
    """Return the same number for all events between two positions at which a snapshot is due."""
    return (recorded.position - 1) // EVERY


# Stream leases between processes: several processes that record in the same stream take turns, a short lease each.


TURN = 0.05
"""Seconds for which a process keeps its turn while commands of the stream wait in it: long compared with the cost of handing it on, and
short for those who wait elsewhere.
"""
_CONTESTED = 1.0  # seconds for which processes record by turns in a stream, after two conflicts in a row
_LONGEST = 2.0  # seconds to wait for a turn: the process that has it may be frozen
_WITHOUT = 10.0  # seconds without asking for a turn, after one did not come in time
_MANY = 1000  # streams that are remembered


class StreamLocks:
    """The turns of one process, which has one at a time. ``take`` waits for that of a stream, for at most so many seconds, and says whether
    it came; ``give`` hands it on, and waits for nothing. Used from one loop, by the holder of the lock of the stream.
    """

    def __init__(self, take: Callable[[UUID, float], Awaitable[bool]], give: Callable[[], object]) -> None:
        self._take = take
        self._give = give
        self._one = asyncio.Lock()
        self._held: UUID | None = None
        self._ends_at = 0.0
        self._at_work = False
        """True while a command of the stream that has the turn is in progress."""
        self._contested: dict[UUID, float] = {}
        """The time until which turns are taken, by stream."""
        self._without_until = 0.0

    async def begin(self, stream: UUID) -> bool:
        """Wait for the turn before a command is decided, if other processes came first lately. Return whether others may have recorded
        since.
        """
        if self._held is not None and self._held == stream:
            self._at_work = True
            return False
        return bool(self._contested) and self._contested.get(stream, 0.0) > _now() and await self._take_turn(stream)

    async def after_conflict(self, stream: UUID) -> bool:
        """Take the turn after a second or further conflict in a row. Return whether it is here; if not, the caller has to pause instead."""
        if len(self._contested) >= _MANY:
            self._contested = {one: until for one, until in self._contested.items() if until > _now()}
        self._contested[stream] = _now() + _CONTESTED
        return self._held == stream or await self._take_turn(stream)

    def end(self, stream: UUID, *, more: bool) -> None:
        """End a command; ``more`` of the stream wait here."""
        if self._held is None or self._held != stream:
            return
        self._at_work = False
        if more and self._ends_at > _now():
            # A command that waits here may also wait for other streams, or for a holder of another turn: so the turn ends by a timer.
            asyncio.get_running_loop().call_at(self._ends_at, self._hand_on, self._ends_at)
        else:
            self._hand_on(self._ends_at)

    def _hand_on(self, ends_at: float) -> None:
        if self._held is not None and self._ends_at == ends_at and not self._at_work:
            self._held = None
            self._give()
            self._one.release()

    async def _take_turn(self, stream: UUID) -> bool:
        if self._without_until > _now():
            return False
        await self._one.acquire()
        # ``_one`` stays locked while the turn is held; ``_hand_on`` releases it.
        came = False
        try:
            came = await self._take(stream, _LONGEST)
        finally:
            if not came:
                self._one.release()
        if came:
            self._held, self._ends_at, self._at_work = stream, _now() + TURN, True
        else:
            self._without_until = _now() + _WITHOUT
        return came


def _now() -> float:
    return asyncio.get_running_loop().time()


# The streams in which commands of this process are in progress: one record of each, looked up once a command.


class StreamLock:
    """A stream in use. ``lock``: held while a command of the stream is decided. ``folding``: held while it is folded again for readers, who
    may wait for a thread: no command waits for that. ``commands``: those that have the stream as their first one, the one at work included.
    ``storing``: events of it are on their way to the store, so that its cached state may be older than the stored one.
    """

    __slots__ = ("commands", "folding", "id", "lock", "storing", "users")

    def __init__(self, id: UUID) -> None:
        self.id = id
        self.lock = asyncio.Lock()
        self.folding = asyncio.Lock()
        self.users = 0
        self.commands = 0
        self.storing = False


class LockedStreams:
    """The streams in use. Used from one loop. Each holder releases a stream in any case; after the last one nothing is left of it."""

    def __init__(self) -> None:
        self._held: dict[UUID, StreamLock] = {}

    def __len__(self) -> int:
        return len(self._held)

    def __getitem__(self, id: UUID) -> StreamLock:
        """Return the held stream. Raises KeyError if it is not held."""
        return self._held[id]

    def acquire(self, id: UUID) -> StreamLock:
        held = self._held.setdefault(id, StreamLock(id))
        held.users += 1
        return held

    def release(self, held: StreamLock) -> None:
        held.users -= 1
        if not held.users:
            del self._held[held.id]

    def is_storing(self, id: UUID) -> bool:
        held = self._held.get(id)
        return held is not None and held.storing
