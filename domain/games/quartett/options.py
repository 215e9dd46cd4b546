"""Options shared by both Quartett games, and the setup that follows from them."""

from typing import Annotated, Generic, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.checks import check_seats, read_options, refusal
from domain.games.quartett.deck import Deck, deck_of
from domain.games.quartett.definition import BadDeck, Definition
from domain.rules import Codes
from domain.setup import Setup, setup_of

DeckOption = Annotated[
    Annotated[str, Meta(examples=["wood", "metals"])] | Definition, Meta(description="an installed deck by its id, or one in full")
]
Deals = Annotated[int, Meta(ge=1, le=99, description="number of hands of the game")]
Limit = Annotated[int, Meta(ge=1)]

DECK = "wood"
"""The deck where none is named."""

Options = TypeVar("Options", bound=Struct)


class QuartettTerms(Struct, Generic[Options], frozen=True):
    """The agreed terms of both games: the deck, and the other options as the Struct of the game."""

    deck: Deck
    options: Options


def check_terms(
    key: str, kind: type[Options], row: str, fewest: int, codes: Codes, options: object, seats: object
) -> tuple[QuartettTerms[Options], Setup]:
    """Return options and setup, checked by COM-10 and COM-11: every seat gets a card, the sheet has one row. The definition of the deck is
    kept whole (QDK-6). Raises ``Refused``.
    """
    agreed = _read(options, kind, codes)
    number = check_seats(seats, range(fewest, len(agreed.deck.cards) + 1), codes)
    setup = setup_of(key, agreed.options, number, (row,))
    return agreed, replace(setup, options={**setup.options, "deck_def": agreed.deck.definition})


def _read(options: object, kind: type[Options], codes: Codes) -> QuartettTerms[Options]:
    """Return the options (COM-10). A deck may hold numbers with a fraction, no other option may. Raises ``Refused``."""
    others = {name: value for name, value in options.items() if name != "deck_def"} if isinstance(options, dict) else options
    read = read_options(others, kind, codes)
    given = options.get("deck_def", DECK) if isinstance(options, dict) else DECK
    try:
        return QuartettTerms(deck_of(given), read)
    except BadDeck as bad:
        raise refusal(codes, "bad_option", "COM-10", option="deck_def", problem=bad.problem, **bad.detail) from bad
