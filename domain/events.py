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

Instance: TypeAlias = Literal["arbiter", "committee"]
Decision: TypeAlias = Literal["stands", "rewind", "rectify", "adjust", "penalty", "annul"]


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


class MoveStood(_Event, frozen=True):
    """``move.stood/1``: an illegal move that nobody noticed in time, or that was let stand.

    ``code`` and ``rules`` are the refusal that it would have got, ``effects`` what it really did to the table.
    """

    seat: Seat
    move: Plain
    code: str
    rules: tuple[str, ...]
    effects: Effects
    reason: TextRef | None = None
    ruling: int | None = None


class TableRectified(_Event, frozen=True):
    """``table.rectified/1``: an official put right what lies on the table. No rule was asked; no card is gained or lost."""

    effects: Effects
    reason: TextRef | None
    ruling: int | None = None


class PointsAdjusted(_Event, frozen=True):
    """``points.adjusted/1``: points given or taken, for a hand or for none. ``places`` are the new ones where the game was over."""

    hand: int | None
    party: int
    points: int
    reason: TextRef | None
    ruling: int | None = None
    places: tuple[int | None, ...] | None = None


class DisputeRaised(_Event, frozen=True):
    """``dispute.raised/1``: ``position`` is the one that is disputed, ``seat`` who disputes it, null for an official.

    Disputes are numbered from 1 in their game. ``suspends``: no move is made until it is decided.
    """

    number: int
    position: int
    seat: Seat | None
    claim: TextRef | None
    suspends: bool


class DisputeRuled(_Event, frozen=True):
    """``dispute.ruled/1``: a decision; what it orders follows as events of their own that name its number.

    Rulings are numbered from 1 in their game. ``dispute`` is null where nobody had raised one. On appeal the committee decides.
    """

    ruling: int
    dispute: int | None
    instance: Instance
    decision: Decision
    reason: TextRef | None
    rules: tuple[str, ...] = ()


class DisputeAppealed(_Event, frozen=True):
    """``dispute.appealed/1``: the committee is to decide, until ``deadline`` if there is one. ``seat``: who appeals."""

    dispute: int
    seat: Seat | None
    deadline: datetime | None
    reason: TextRef | None


class DisputeWithdrawn(_Event, frozen=True):
    """``dispute.withdrawn/1``."""

    dispute: int
    reason: TextRef | None


class GameSuspended(_Event, frozen=True):
    """``game.suspended/1``: no move is made until the game is resumed."""

    reason: TextRef | None


class GameResumed(_Event, frozen=True):
    """``game.resumed/1``: play goes on, also while a dispute is open."""

    reason: TextRef | None


class GameAbandoned(_Event, frozen=True):
    """``game.abandoned/1``: no move is made any more; what was scored stays."""

    reason: TextRef | None


class GameAnnulled(_Event, frozen=True):
    """``game.annulled/1``: the game counts for nothing; its hands are struck out."""

    reason: TextRef | None
    ruling: int | None = None


class NoteAdded(_Event, frozen=True):
    """``note.added/1``: a remark of an official, about a position or the whole game."""

    text: TextRef | None
    position: int | None = None


class PlayerSeated(_Event, frozen=True):
    """``player.seated/1``: from now on this player (an id, or null) sits here."""

    seat: Seat
    player: str | None


class Unreadable(_Event, frozen=True):
    """Stands where stored bytes could not be read. Never stored; it folds to nothing, so that the rest can still be read."""

    name: str
    problem: str


Act: TypeAlias = (
    MoveStood
    | TableRectified
    | PointsAdjusted
    | DisputeRaised
    | DisputeRuled
    | DisputeAppealed
    | DisputeWithdrawn
    | GameSuspended
    | GameResumed
    | GameAbandoned
    | GameAnnulled
    | NoteAdded
    | PlayerSeated
)
"""What arbiters, directors and committees do."""

Event: TypeAlias = GameOpened | HandDealt | MovePlayed | GameRewound | Act | Unreadable

NAMES: dict[type, str] = {
    GameOpened: "game.opened/1",
    HandDealt: "hand.dealt/1",
    MovePlayed: "move.played/1",
    GameRewound: "game.rewound/1",
    MoveStood: "move.stood/1",
    TableRectified: "table.rectified/1",
    PointsAdjusted: "points.adjusted/1",
    DisputeRaised: "dispute.raised/1",
    DisputeRuled: "dispute.ruled/1",
    DisputeAppealed: "dispute.appealed/1",
    DisputeWithdrawn: "dispute.withdrawn/1",
    GameSuspended: "game.suspended/1",
    GameResumed: "game.resumed/1",
    GameAbandoned: "game.abandoned/1",
    GameAnnulled: "game.annulled/1",
    NoteAdded: "note.added/1",
    PlayerSeated: "player.seated/1",
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
