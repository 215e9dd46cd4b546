"""The options of the Trumpfspiel, and what follows from them for a whole game."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.games.quartett.options import DECK, Agreed, Deals, DeckOption, Limit, agree
from domain.games.quartett.trumpf.codes import CODES
from domain.setup import Setup

KEY = "quartett-trumpf"
ROW = "seats_beaten"


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """As they are given (QTR-2)."""

    deck_def: DeckOption = DECK
    deals: Deals = 1
    remainder: Annotated[
        Literal["set_aside", "deal"], Meta(description="what becomes of cards that cannot be dealt evenly; deal: the first seats get them")
    ] = "set_aside"
    round_limit: Annotated[Limit | None, Meta(description="a hand ends after so many rounds")] = None


def settle(options: object, seats: object) -> tuple[Agreed[Options], Setup]:
    """COM-10 and COM-11; there is nothing to combine."""
    return agree(KEY, Options, ROW, 2, CODES, options, seats)
