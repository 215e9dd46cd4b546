"""The moves of Casino. A group is a list of cards that together make the value in question."""

from itertools import chain
from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.cards import CARD_CODE, Seat
from domain.rules import TypedMove

CardCode: TypeAlias = Annotated[
    str, Meta(description="rank and suit, as in 7D", extra_json_schema={"pattern": "^[AKQJT2-9][SHDC]$"}, extra=CARD_CODE)
]
GroupList: TypeAlias = Annotated[
    tuple[Annotated[tuple[CardCode, ...], Meta(min_length=1)], ...],
    Meta(description="groups of cards that each make the value in question"),
]
BuildId: TypeAlias = Annotated[int, Meta(ge=1, description="number of a build, counted from 1 within the hand")]
Value: TypeAlias = Annotated[int, Meta(ge=1, description="the value that the player announces")]


class Trail(TypedMove, frozen=True, tag="trail"):
    """Lay a card down."""

    card: CardCode


class Capture(TypedMove, frozen=True, tag="capture"):
    """Take groups of loose cards and whole builds."""

    card: CardCode
    groups: GroupList = ()
    builds: Annotated[tuple[BuildId, ...], Meta(description="whole builds that are taken, by their numbers")] = ()


class MakeBuild(TypedMove, frozen=True, tag="build"):
    """Make a new build; exactly one group holds the card played."""

    card: CardCode
    value: Value
    groups: GroupList


class Raise(TypedMove, frozen=True, tag="raise"):
    """Put the card on a single build and announce its new value; groups of loose cards of that value may go along."""

    card: CardCode
    build: BuildId
    value: Value
    groups: GroupList = ()


class Add(TypedMove, frozen=True, tag="add"):
    """Put further groups on a build; exactly one of them holds the card played."""

    card: CardCode
    build: BuildId
    groups: GroupList


AnyMove: TypeAlias = Trail | Capture | MakeBuild | Raise | Add


def locate_named_cards(_: object, __: object, seat: Seat, move: AnyMove) -> dict[str, tuple[str, ...]]:
    """Return the played card, which every play names and which lies in the hand."""
    return {f"hand:{seat}": (move.card,)}


def list_named_cards(_: object, move: AnyMove) -> tuple[str, ...]:
    """Return every card that the move names."""
    groups: GroupList = () if isinstance(move, Trail) else move.groups
    return (move.card, *chain.from_iterable(groups))
