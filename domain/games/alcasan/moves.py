"""The moves of alcasan."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.cards import CARD_CODE
from domain.rules import TypedMove

CardCode: TypeAlias = Annotated[
    str,
    Meta(
        description="a number from 1 to 10 (4 is water), fire, earth or air",
        extra_json_schema={"pattern": "^([1-9]|10|fire|earth|air)$"},
        extra=CARD_CODE,
    ),
]
Cards: TypeAlias = Annotated[tuple[CardCode, ...], Meta(min_length=1, description="from the hand")]


class ChooseOpen(TypedMove, frozen=True, tag="choose_open"):
    """Lay three of the six cards open; the other three are the hand."""

    cards: Cards


class Lay(TypedMove, frozen=True, tag="lay"):
    """Lay identical cards on the pile."""

    cards: Cards


class Take(TypedMove, frozen=True, tag="take"):
    """Take the pile, because no card fits."""


class Reveal(TypedMove, frozen=True, tag="reveal"):
    """Turn a face-down card; it is laid if it fits, else it goes to the hand with the pile."""

    position: Annotated[int, Meta(description="0, 1 or 2, as the cards were dealt")]


class Decline(TypedMove, frozen=True, tag="decline"):
    """Leave the further lay, where it is a right."""


AnyMove: TypeAlias = ChooseOpen | Lay | Take | Reveal | Decline

MovesOfEdition1: TypeAlias = ChooseOpen | Lay | Take | Reveal


def list_named_cards(_: object, move: AnyMove) -> tuple[str, ...]:
    """Return every card that the move names."""
    return move.cards if isinstance(move, ChooseOpen | Lay) else ()
