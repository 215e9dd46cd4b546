"""The read side of the journal: aggregates as they stand, histories, the feed. Built on the library's ``Application``."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain, groupby
from secrets import token_bytes
from threading import Lock
from typing import Any
from uuid import UUID

from eventsourcing import persistence
from eventsourcing.application import AggregateNotFoundError, Application, LRUCache
from eventsourcing.persistence import (
    ApplicationRecorder,
    InfrastructureFactory,
    IntegrityError,
    JSONTranscoder,
    Mapper,
    Notification,
    Subscription,
)
from eventsourcing.utils import Environment, EnvType

from domain import codec
from domain.aggregate import A, Aggregate, AggregateType
from domain.errors import Exists, RefInUse, Unknown
from domain.events import Recorded
from domain.game import GAME, Game
from domain.journal.commits import Commit, Conflict, StoredEvent
from domain.journal.snapshots import END, EVERY, KEY_LENGTH, Snapshot, Snapshots
from domain.journal.store import EventStore

# Between recorded events and stored ones. Names are the events' own, never Python paths.


def to_stored(recorded: Recorded) -> StoredEvent:
    return StoredEvent(recorded.stream, recorded.position, recorded.name, recorded.state)


def from_stored(event: StoredEvent) -> Recorded:
    """Return the stored event, decoded. Raises nothing: unreadable bytes become an ``Unreadable`` event."""
    return codec.decode_event(event.stream, event.position, event.name, event.state)


# Adapters for the eventsourcing library: its mapper and recorder, on top of the journal's codec and store.


class EventMapper(Mapper[UUID]):
    """Replaces the library's mapper: msgspec reads and writes the bytes, upcasts run before a Struct is built."""

    def __init__(self) -> None:
        super().__init__(JSONTranscoder())

    def to_stored_event(self, domain_event: Any) -> persistence.StoredEvent:
        recorded: Recorded = domain_event
        return persistence.StoredEvent(recorded.stream, recorded.position, recorded.name, recorded.state)

    def to_domain_event(self, stored_event: persistence.StoredEvent) -> Any:
        return from_stored(_convert_event(stored_event))


class StoreRecorder(ApplicationRecorder):
    """The library's recorder on top of a store."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    def insert_events(self, stored_events: Sequence[persistence.StoredEvent], **_: Any) -> Sequence[int]:
        try:
            return self._store.insert_events([_convert_event(event) for event in stored_events])
        except Conflict as error:
            # the error that the library expects for a position that is taken
            raise IntegrityError(*error.args) from error

    def select_events(
        self, originator_id: UUID | str, *, gt: int | None = None, lte: int | None = None, desc: bool = False, limit: int | None = None
    ) -> list[persistence.StoredEvent]:
        found = self._store.select_events(_id(originator_id), gt or 0, lte, None if desc else limit)
        events = [persistence.StoredEvent(event.stream, event.position, event.name, event.state) for event in found]
        return events[::-1][:limit] if desc else events

    def select_notifications(
        self, start: int | None, limit: int, stop: int | None = None, topics: Sequence[str] = (), *, inclusive_of_start: bool = True
    ) -> list[Notification]:
        # The library counts from ``start`` on, the store after a sequence.
        after = (start or 0) - (1 if inclusive_of_start and start else 0)
        rows = self._store.events_after(after, limit, upto=stop, names=topics or None)
        return [Notification(event.stream, event.position, event.name, event.state, sequence) for sequence, event in rows]

    def max_notification_id(self) -> int | None:
        return self._store.head() or None

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        raise NotImplementedError("followers wait with the store's wait_for")


def _convert_event(event: persistence.StoredEvent) -> StoredEvent:
    return StoredEvent(_id(event.originator_id), event.originator_version, event.topic, event.state)


def _id(given: UUID | str) -> UUID:
    return given if isinstance(given, UUID) else UUID(given)


class Archive(Application[UUID]):
    """The read side of the journal. Synchronous and thread-safe.

    ``alone``: no other process writes to this store, so a cached game is read without asking the store for newer events.
    """

    name = "kiebitz"
    snapshots: Snapshots  # type: ignore[assignment]  # what construct_snapshot_store answers

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

    def check_not_stored(self, commit: Commit, *, whole: bool) -> None:
        """Raise ``Exists`` if the game of this commit is here already: by its id, if it comes ``whole``, by the content of its record, or
        by its ref; and ``RefInUse`` if another record has this ref.
        """
        if whole:
            self._check_not_recorded(commit.events)
        game = self.store.find_ref(commit.ref) if commit.ref else None
        if game is not None:
            raise Exists(GAME.name, game, same=True)
        origin = commit.origin
        if origin is None or origin.ref is None or (found := self.store.find_by_ref(origin.ref)) is None:
            return
        game, digest = found
        if digest != origin.digest:
            raise RefInUse(origin.ref.system, origin.ref.id, game)
        raise Exists(GAME.name, game, same=True)

    def _check_not_recorded(self, history: Sequence[StoredEvent]) -> None:
        """Raise ``Exists`` if the game is here, with ``same`` if the stored history begins with this one."""
        game = history[0].stream
        if found := self.store.select_events(game, limit=len(history)):
            raise Exists(GAME.name, game, same=found == list(history))

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
