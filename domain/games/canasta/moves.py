"""The moves of Canasta. A group is laid on the party's meld of its rank, or opens it."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.cards import CARD_CODE, Seat
from domain.rules import TypedMove

CardCode: TypeAlias = Annotated[
    str,
    Meta(
        description="rank and suit, as in 7D, or JK for a joker",
        extra_json_schema={"pattern": "^([AKQJT2-9][SHDC]|JK)$"},
        extra=CARD_CODE,
    ),
]
RankCode: TypeAlias = Annotated[
    Literal["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2", "JK"], Meta(description="the rank of the meld")
]


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards from the hand for one meld."""

    rank: RankCode
    cards: Annotated[tuple[CardCode, ...], Meta(min_length=1, description="from the hand")]


class Draw(TypedMove, frozen=True, tag="draw"):
    """Take the top card of the stock."""


class Take(TypedMove, frozen=True, tag="take"):
    """Take the pile: its top card goes with the cards named to the meld of the rank, the rest to the hand."""

    rank: RankCode
    cards: Annotated[tuple[CardCode, ...], Meta(description="from the hand, laid with the top card")]
    melds: Annotated[tuple[Group, ...], Meta(description="further melds")] = ()


class Pass(TypedMove, frozen=True, tag="pass"):
    """End the hand: the stock is empty and the pile is not taken."""


class Lay(TypedMove, frozen=True, tag="meld"):
    """Lay melds, or lay off on them."""

    melds: Annotated[tuple[Group, ...], Meta(min_length=1, description="the groups, each for one meld")]


class Discard(TypedMove, frozen=True, tag="discard"):
    """Put a card on the pile."""

    card: CardCode


class Ask(TypedMove, frozen=True, tag="ask"):
    """Ask the partner for leave to go out."""


class Answer(TypedMove, frozen=True, tag="answer"):
    """Give the partner leave to go out, or refuse it."""

    consent: Annotated[bool, Meta(description="whether the partner may go out")]


AnyMove: TypeAlias = Draw | Take | Pass | Lay | Discard | Ask | Answer


def list_named_cards(_: object, move: AnyMove) -> tuple[str, ...]:
    """Return every card that the move names."""
    match move:
        case Discard(card=card):
            return (card,)
        case Take(cards=cards, melds=melds):
            return (*cards, *list_meld_cards(melds))
        case Lay(melds=melds):
            return list_meld_cards(melds)
        case Draw() | Pass() | Ask() | Answer():
            return ()


def locate_named_cards(_: object, __: object, seat: Seat, move: AnyMove) -> dict[str, tuple[str, ...]]:
    """Return the cards of the hand that the move tells: those that it names."""
    return {f"hand:{seat}": list_named_cards(_, move)}


def list_meld_cards(groups: tuple[Group, ...]) -> tuple[str, ...]:
    return tuple(card for group in groups for card in group.cards)
