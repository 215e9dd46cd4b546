"""What both games read from their options, and the setup that follows."""

from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from domain.effects import Plain
from domain.errors import Refused
from domain.games.quartett.deck import Deck, deck_of
from domain.games.quartett.definition import BadDeck, Definition
from domain.rules import Codes, read_options
from domain.setup import Setup

DeckOption = Annotated[str, Meta(description="id of an installed deck", examples=["wood", "metals"])] | Definition
Deals = Annotated[int, Meta(ge=1, le=99, description="number of hands of the game")]
Limit = Annotated[int, Meta(ge=1)]

DECK = "wood"
"""The deck where none is named."""

Options = TypeVar("Options", bound=Struct)


def effective(options: object, kind: type[Options], codes: Codes) -> tuple[Options, Deck]:
    """COM-10: the deck, and the other options as the Struct of the game. A deck may hold numbers with a fraction, no other option."""
    others = {name: value for name, value in options.items() if name != "deck_def"} if isinstance(options, dict) else options
    read = read_options(others, kind, codes)
    given = options.get("deck_def", DECK) if isinstance(options, dict) else DECK
    try:
        return read, deck_of(given)
    except BadDeck as bad:
        rules = codes["bad_option"]
        raise Refused("bad_option", *(rule for rule in rules), option="deck_def", problem=bad.problem, **bad.detail) from bad


def check_seats(seats: object, fewest: int, deck: Deck, codes: Codes) -> int:
    """COM-11: everybody gets a card."""
    most = len(deck.cards)
    if type(seats) is not int or not fewest <= seats <= most:
        raise Refused("bad_seats", *codes["bad_seats"], seats=seats, allowed=(f"{fewest}…{most}",))
    return seats


def setup(ruleset: str, deck: Deck, options: Struct, seats: int, row: str) -> Setup:
    """Every seat is a party; the sheet has one row. The definition of the deck is kept whole (QDK-6)."""
    others: dict[str, Plain] = {name: getattr(options, name) for name in options.__struct_fields__ if name != "deck_def"}
    return Setup(
        ruleset=ruleset,
        options={"deck_def": deck.definition, **others},
        seats=seats,
        parties=tuple((seat,) for seat in range(seats)),
        rows=(row,),
        start_totals=(0,) * seats,
    )
