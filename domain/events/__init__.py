"""Recorded events, the storage format (``docs/events.md``). Names carry a version and never change.

Every event belongs to one *stream*: a game, a tournament, a player, a series or the rating lists of a ruleset. A *position* is its number
in its stream, from 1. Names and free texts of people never enter an event: players are ids, a reason is kept in the register of texts and
the event holds its id and digest.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Generic, Protocol, TypeAlias, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.effects import Effects
from domain.events import game, player, ratings, series, tournament
from domain.events.base import Unreadable
from domain.events.game import GameEvent
from domain.events.player import PlayerEvent
from domain.events.ratings import RatingsPublished
from domain.events.series import SeriesEvent
from domain.events.tournament import TournamentEvent

Event: TypeAlias = GameEvent | TournamentEvent | PlayerEvent | SeriesEvent | RatingsPublished | Unreadable

NAMES: dict[type, str] = {**game.NAMES, **tournament.NAMES, **player.NAMES, **series.NAMES, **ratings.NAMES}


class Stamp(Struct, frozen=True, gc=False):
    """The time and the principal (an opaque id) of a recorded event. ``happened_at``: the time at the table, if it was given."""

    at: datetime
    by: str
    happened_at: datetime | None = None


class Recorded(Struct, frozen=True, gc=False):
    """An event in its place. ``state`` are its stored bytes, ``link`` binds it to its place and to the event before (``domain/codec.py``).

    In a stream of an older version ``link`` is only the digest of the event before, null for the first.
    """

    stream: UUID
    position: int
    name: str
    stamp: Stamp
    link: str | None
    event: Event
    state: bytes

    # The names that eventsourcing uses for the two; it finds stored events by them.
    @property
    def originator_id(self) -> UUID:
        return self.stream

    @property
    def originator_version(self) -> int:
        return self.position


def digest(state: bytes) -> str:
    """Return the SHA-256 of stored bytes in hexadecimal."""
    return sha256(state).hexdigest()


def effects_of(event: Event) -> Effects:
    """Return the effects of the event on the table; none for one that only states something."""
    effects: Effects = getattr(event, "effects", ())
    return effects or ()  # UNSET where an act may have effects and has none


# Upcasts of events of older versions: `name -> (newer name, function of the decoded JSON object)`.


PlainBody: TypeAlias = dict[str, Any]
Upcast: TypeAlias = tuple[str, Callable[[PlainBody], PlainBody]]

UPCASTS: Mapping[str, Upcast] = {}
"""For example ``{"move.played/1": ("move.played/2", lambda body: {**body, "clock": None})}``."""


def upgrade_event(name: str, body: PlainBody, upcasts: Mapping[str, Upcast]) -> tuple[str, PlainBody]:
    """Return the newest name and body of an event that was stored as ``name``."""
    while name in upcasts:
        name, newer = upcasts[name]
        body = newer(body)
    return name, body


# The aggregate protocol of games, tournaments and players: a stream of events, and a fold that makes an aggregate of it.


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
