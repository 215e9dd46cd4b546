"""What every aggregate is, whatever it is about: a stream of events and how they fold."""

from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.events import Recorded


class Aggregate(Protocol):
    """``position`` is that of the last event, which eventsourcing calls the version; ``last`` the stored bytes of that event."""

    @property
    def id(self) -> UUID: ...

    @property
    def position(self) -> int: ...

    @property
    def version(self) -> int: ...

    @property
    def last(self) -> bytes: ...


A = TypeVar("A", bound=Aggregate)


class AggregateType(Struct, Generic[A], frozen=True):
    """A kind of aggregate: what it is called in errors, its class, and how a history folds; a stream of another kind folds to ``None``.

    ``project`` goes on from an aggregate if there is one.
    """

    name: str
    type: type[A]
    project: Callable[[A | None, Iterable[Recorded]], A | None]
