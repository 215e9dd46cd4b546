"""The recorded events: the storage format (``docs/events.md``). Names carry a version and never change.

Every event belongs to one *stream*: a game, a tournament or a player. A *position* is its number in its stream, from 1. Names and
free texts of people never enter an event: players are ids, a reason is kept in the register of texts and the event holds its id and
digest.
"""

from datetime import datetime
from hashlib import sha256
from typing import TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.effects import Effects
from domain.events import game, player, tournament
from domain.events.base import Unreadable
from domain.events.game import GameEvent
from domain.events.player import PlayerEvent
from domain.events.tournament import TournamentEvent

Event: TypeAlias = GameEvent | TournamentEvent | PlayerEvent | Unreadable

NAMES: dict[type, str] = {**game.NAMES, **tournament.NAMES, **player.NAMES}


class Stamp(Struct, frozen=True):
    """When an event was recorded and by whom (an opaque principal id). ``happened_at``: when it happened at the table, if told."""

    at: datetime
    by: str
    happened_at: datetime | None = None


class Recorded(Struct, frozen=True):
    """An event in its place. ``state`` are its stored bytes, ``link`` is the digest of the event before it in its stream, if any."""

    stream: UUID
    position: int
    name: str
    stamp: Stamp
    link: str | None
    event: Event
    state: bytes

    # What eventsourcing calls the two; it finds stored events by these names.
    @property
    def originator_id(self) -> UUID:
        return self.stream

    @property
    def originator_version(self) -> int:
        return self.position


def digest(state: bytes) -> str:
    """SHA-256 in hexadecimal of stored bytes, as an event's ``link`` holds it."""
    return sha256(state).hexdigest()


def effects_of(event: Event) -> Effects:
    """What the event did to the table; nothing for one that only says something."""
    effects: Effects = getattr(event, "effects", ())
    return effects
