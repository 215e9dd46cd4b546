"""The options of classic Quartett, and what follows from them for a whole game."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.quartett.classic.codes import CODES
from domain.games.quartett.deck import Deck
from domain.games.quartett.options import DECK, Deals, DeckOption, Limit, check_seats, effective
from domain.games.quartett.options import setup as setup_of
from domain.setup import Setup

KEY = "quartett-classic"
ROW = "quartets"


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """As they are given (QKL-1)."""

    deck_def: DeckOption = DECK
    deals: Deals = 1
    ask_limit: Annotated[Limit | None, Meta(description="a hand ends after so many questions")] = None


def chosen(options: object, seats: object) -> tuple[Options, Deck, Setup]:
    """COM-10 and COM-11; there is nothing to combine."""
    read, deck = effective(options, Options, CODES)
    return read, deck, setup_of(KEY, deck, read, check_seats(seats, 3, deck, CODES), ROW)
