"""The moves of the Trumpfspiel."""

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from domain.cards import CARD_CODE, Seat
from domain.checks import moves_by_type
from domain.games.quartett.trumpf.table import stack_zone
from domain.rules import TypedMove
from domain.unknown_cards.support import Zones

CardCode: TypeAlias = Annotated[str, Meta(description="id of a card, as in A4", extra=CARD_CODE)]


class Announce(TypedMove, frozen=True, tag="announce"):
    """Name a category and show a card; the top one, if none is named."""

    category: Annotated[str, Meta(description="id of a category of the deck")]
    card: CardCode | UnsetType = UNSET


class Reply(TypedMove, frozen=True, tag="reply"):
    """Choose the card to be compared, out of two or three."""

    card: CardCode


class Draw(TypedMove, frozen=True, tag="draw"):
    """Draw a card blindly from the announcer's stack."""

    position: Annotated[int, Meta(description="place in the stack, 0 is the top")]


AnyMove: TypeAlias = Announce | Reply | Draw

MOVES = moves_by_type(AnyMove)
"""By type; each belongs to the phase of the same name."""


def list_named_cards(_: object, move: AnyMove) -> tuple[str, ...]:
    match move:
        case Announce(card=card) | Reply(card=card):
            return (card,) if isinstance(card, str) else ()
        case Draw():
            return ()


def locate_named_cards(_: object, __: object, seat: Seat, move: AnyMove) -> Zones:
    """Return the named card as one of the own stack: with more than three cards it lies on top (QTR-30)."""
    cards = list_named_cards(_, move)
    return {stack_zone(seat): cards} if cards else {}
