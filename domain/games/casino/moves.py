"""The moves of Casino. A group is a list of cards that together make the value in question."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

Card: TypeAlias = Annotated[str, Meta(description="rank and suit, as in 7D", extra_json_schema={"pattern": "^[AKQJT2-9][SHDC]$"})]
GroupList: TypeAlias = tuple[Annotated[tuple[Card, ...], Meta(min_length=1)], ...]
BuildId: TypeAlias = Annotated[int, Meta(ge=1, description="number of a build, counted from 1 within the hand")]
Value: TypeAlias = Annotated[int, Meta(ge=1, description="the value that the player announces")]


class _Move(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """The tag base."""


class Trail(_Move, frozen=True, tag="trail"):
    """Lay a card down."""

    card: Card


class Capture(_Move, frozen=True, tag="capture"):
    """Take groups of loose cards and whole builds."""

    card: Card
    groups: GroupList = ()
    builds: tuple[BuildId, ...] = ()


class MakeBuild(_Move, frozen=True, tag="build"):
    """Make a new build; exactly one group holds the card played."""

    card: Card
    value: Value
    groups: GroupList


class Raise(_Move, frozen=True, tag="raise"):
    """Put the card on a single build and announce its new value; groups of loose cards of that value may go along."""

    card: Card
    build: BuildId
    value: Value
    groups: GroupList = ()


class Add(_Move, frozen=True, tag="add"):
    """Put further groups on a build; exactly one of them holds the card played."""

    card: Card
    build: BuildId
    groups: GroupList


AnyMove: TypeAlias = Trail | Capture | MakeBuild | Raise | Add

MOVES: dict[str, type[Struct]] = {"trail": Trail, "capture": Capture, "build": MakeBuild, "raise": Raise, "add": Add}


def named_cards(move: AnyMove) -> tuple[str, ...]:
    """Every card that the move names."""
    groups: GroupList = () if isinstance(move, Trail) else move.groups
    return (move.card, *(card for group in groups for card in group))
