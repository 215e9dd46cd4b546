"""The recorded events: the storage format (``docs/events.md``). Names carry a version and never change.

A *position* is the number of an event in its game, from 1. Names and free texts of people never enter an event: players are
ids, a reason is kept in the register of texts and the event holds its id and digest.
"""

from datetime import datetime
from hashlib import sha256
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.cards import Seat
from domain.effects import Effects, Plain
from domain.setup import Setup
from domain.table import Table

Openness: TypeAlias = Literal["hand_over", "game_over", "never"]
"""When the hidden cards of a game may be shown to everybody: after each hand, after the game, or never."""


class _Event(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of all events: an immutable JSON object."""


class TextRef(_Event, frozen=True):
    """Points to a free text in the register; ``digest`` is the SHA-256 of the text in UTF-8, so that an erased text can still be proved."""

    id: str
    digest: str


class GameOpened(_Event, frozen=True):
    """``game.opened/1``: setup, edition of the rules, who sits where (ids or null), and where the game belongs."""

    setup: Setup
    edition: int
    players: tuple[str | None, ...]
    openness: Openness
    tournament: str | None = None
    round: int | None = None
    table: str | None = None


class HandDealt(_Event, frozen=True):
    """``hand.dealt/1``: ``how`` says whether the order of the deck was recorded at the table or shuffled by the service."""

    dealer: Seat
    edition: int
    how: Literal["recorded", "shuffled"]
    effects: Effects


class MovePlayed(_Event, frozen=True):
    """``move.played/1``: the move as it was made, and what it did to the table."""

    seat: Seat
    move: Plain
    effects: Effects


class GameRewound(_Event, frozen=True):
    """``game.rewound/1``: the events after position ``to`` are void but stay in the history.

    ``restored`` is the whole table as it stood at ``to``; every fold replaces its table by it. ``ruling`` is the number of the
    ruling that ordered it, null for the recorder's own undo.
    """

    to: int
    reason: TextRef | None
    ruling: int | None
    restored: Table


class Unreadable(_Event, frozen=True):
    """Stands where stored bytes could not be read. Never stored; it folds to nothing, so that the rest can still be read."""

    name: str
    problem: str


Event: TypeAlias = GameOpened | HandDealt | MovePlayed | GameRewound | Unreadable

NAMES: dict[type, str] = {
    GameOpened: "game.opened/1",
    HandDealt: "hand.dealt/1",
    MovePlayed: "move.played/1",
    GameRewound: "game.rewound/1",
}


class Stamp(Struct, frozen=True):
    """When an event was recorded and by whom (an opaque principal id). ``happened_at``: when it happened at the table, if told."""

    at: datetime
    by: str
    happened_at: datetime | None = None


class Recorded(Struct, frozen=True):
    """An event in its place. ``link`` is the digest of the event before it in its game (null for the first), ``state`` the stored bytes."""

    game: UUID
    position: int
    name: str
    stamp: Stamp
    link: str | None
    event: Event
    state: bytes

    # What eventsourcing calls the two; it finds stored events by these names.
    @property
    def originator_id(self) -> UUID:
        return self.game

    @property
    def originator_version(self) -> int:
        return self.position


def digest(state: bytes) -> str:
    """SHA-256 in hexadecimal of stored bytes, as an event's ``link`` holds it."""
    return sha256(state).hexdigest()
