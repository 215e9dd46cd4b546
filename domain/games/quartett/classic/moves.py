"""The only move of classic Quartett."""

from typing import Annotated

from msgspec import Meta, Struct


class Ask(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="ask"):
    """Ask another seat for a card."""

    target: Annotated[int, Meta(description="seat that is asked")]
    card: Annotated[str, Meta(description="id or name of the card, as in A4 or Azobé")]


MOVES: dict[str, type[Struct]] = {"ask": Ask}
