"""The moves of the Trumpfspiel."""

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

Card: TypeAlias = Annotated[str, Meta(description="id of a card, as in A4")]


class _Move(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """The tag base."""


class Announce(_Move, frozen=True, tag="announce"):
    """Name a category and show a card; the top one, if none is named."""

    category: Annotated[str, Meta(description="id of a category of the deck")]
    card: Card | UnsetType = UNSET


class Reply(_Move, frozen=True, tag="reply"):
    """Choose the card to be compared, out of two or three."""

    card: Card


class Draw(_Move, frozen=True, tag="draw"):
    """Draw a card blindly from the announcer's stack."""

    position: Annotated[int, Meta(description="place in the stack, 0 is the top")]


AnyMove: TypeAlias = Announce | Reply | Draw

MOVES: dict[str, type[Struct]] = {"announce": Announce, "reply": Reply, "draw": Draw}
"""By type; each belongs to the phase of the same name."""


def named_cards(move: AnyMove) -> tuple[str, ...]:
    match move:
        case Announce(card=str(card)) | Reply(card=card):
            return (card,)
        case _:
            return ()
