"""Everything that can be read back: games as they stand, histories, the feed of all events. The library's application is the frame."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from eventsourcing.application import AggregateNotFoundError, Application
from eventsourcing.persistence import ApplicationRecorder, Mapper
from eventsourcing.utils import Environment, EnvType

from domain.aggregate import A, Aggregate, Kind
from domain.errors import Unknown
from domain.events import Recorded
from domain.game import GAME, Game
from domain.journal.mapper import EventMapper, read
from domain.journal.storage import Recorder


class Archive(Application[UUID]):
    """Synchronous and thread-safe.

    ``alone``: no other process writes to this store, so that a cached game needs no look at the store before it is read.
    """

    name = "kiebitz"

    def __init__(self, recorder: Recorder, clock: Callable[[], datetime], *, alone: bool, cached_games: int = 2000) -> None:
        self.store = recorder
        self.clock = clock
        self._doubtful: set[UUID] = set()
        """Games of which nobody knows whether their last command was stored: not read from the cache until the next one was."""
        super().__init__(
            {
                self.AGGREGATE_CACHE_MAXSIZE: str(cached_games),
                self.AGGREGATE_CACHE_FASTFORWARD: "n" if alone else "y",
                self.DEEPCOPY_FROM_AGGREGATE_CACHE: "n",
            }
        )

    # What the library asks for: nothing is taken from the process's environment or found by Python paths.
    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        return Environment(name, env)

    def construct_mapper(self) -> Mapper[UUID]:
        return EventMapper()

    def construct_recorder(self) -> ApplicationRecorder:
        return self.store

    def close(self) -> None:
        super().close()
        self.store.close()

    def game(self, id: UUID) -> Game:
        """The game as it stands. Raises ``Unknown``."""
        return self.aggregate(GAME, id)

    def aggregate(self, kind: Kind[A], id: UUID) -> A:
        """The same of any kind. Raises ``Unknown``, also where the stream is of another kind."""
        if id in self._doubtful:
            self._evict(id)
        try:
            found = self.repository.get(id, projector_func=_projector(kind))
        except AggregateNotFoundError:
            raise Unknown(kind.name, id) from None
        if not isinstance(found, kind.type):
            raise Unknown(kind.name, id)
        return found

    def history(self, id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        """The events of a game from position ``after`` + 1 on; empty where there is no such game."""
        return [read(event) for event in self.store.select_events(id, gt=after, limit=limit)]

    def feed(self, after: int, limit: int) -> list[tuple[int, Recorded]]:
        """Events of all games with their sequences, in commit order, those after ``after``."""
        rows = self.store.select_notifications(after, limit, inclusive_of_start=False)
        return [(row.id, read(row)) for row in rows]

    def head(self) -> int:
        """The newest sequence; 0 in an empty store."""
        return self.store.max_notification_id() or 0

    def _cached(self, kind: Kind[A], id: UUID) -> A | None:
        if id in self._doubtful or self.repository.cache is None:
            return None
        with suppress(KeyError):
            found: Any = self.repository.cache.get(id)
            return found if isinstance(found, kind.type) else None
        return None

    def _keep(self, aggregate: Aggregate) -> None:
        if self.repository.cache is not None:
            self.repository.cache.put(aggregate.id, aggregate)
            self._doubtful.discard(aggregate.id)

    def _evict(self, id: UUID) -> None:
        if self.repository.cache is not None:
            with suppress(KeyError):
                self.repository.cache.get(id, evict=True)


def _projector(kind: Kind[A]) -> Callable[[Any, Iterable[Any]], Any]:
    """Goes on from what the cache holds, if that is of this kind; else it is left for the caller to notice."""
    return lambda known, history: kind.project(known, history) if known is None or isinstance(known, kind.type) else known
