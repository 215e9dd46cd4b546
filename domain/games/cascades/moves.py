"""The moves of Cascades."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from domain.cards import CARD_CODE
from domain.rules import TypedMove

CardCode: TypeAlias = Annotated[
    str,
    Meta(
        description="rank, hyphen and suits, as in 4-MS",
        extra_json_schema={"pattern": "^((A|CROWN)-[MSWLYK]|[2-9]-[MSWLYK]{2}|(PAWN|COURT)-[MSWLYK]{3})$"},
        extra=CARD_CODE,
    ),
]
Tier: TypeAlias = Annotated[Literal[0, 1, 2], Meta(description="0 is the upper tier, 1 the middle one, 2 the lower one")]


class Play(TypedMove, frozen=True, tag="play"):
    """Place the top card of the waste or of an open reserve pile at the right end of a tier."""

    card: CardCode
    tier: Tier


class Turn(TypedMove, frozen=True, tag="turn"):
    """Turn three cards; if the stock is empty, the waste is turned over first."""


class Resign(TypedMove, frozen=True, tag="resign"):
    """Give up."""


AnyMove: TypeAlias = Play | Turn | Resign


def list_named_cards(_: object, move: AnyMove) -> tuple[str, ...]:
    return (move.card,) if isinstance(move, Play) else ()
