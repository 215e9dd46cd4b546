"""The aggregate protocol of games, tournaments and players: a stream of events, and a fold that makes an aggregate of it."""

from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.events import Recorded


class Aggregate(Protocol):
    """The common interface of aggregates. ``position`` is that of the last event, which eventsourcing calls the version; ``last`` the
    stored bytes of that event.

    ``bound``: the links of its events cover id, position and name; in a stream that an older version began they do not.
    """

    @property
    def id(self) -> UUID: ...

    @property
    def position(self) -> int: ...

    @property
    def version(self) -> int: ...

    @property
    def last(self) -> bytes: ...

    @property
    def bound(self) -> bool: ...


A = TypeVar("A", bound=Aggregate)


class AggregateType(Struct, Generic[A], frozen=True):
    """A kind of aggregate: its name in errors, its class, and the fold of its history.

    ``project`` continues from a known aggregate, or starts with ``None``. Events of another kind fold to ``None``.
    """

    name: str
    type: type[A]
    project: Callable[[A | None, Iterable[Recorded]], A | None]
