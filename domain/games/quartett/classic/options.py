"""The options of classic Quartett, and what follows from them for a whole game."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.quartett.classic.codes import CODES
from domain.games.quartett.options import DECK, Deals, DeckOption, Limit, QuartettTerms, check_terms
from domain.setup import PresetRow, Setup

KEY = "quartett-classic"
ROW = "quartets"


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """As they are given (QKL-1)."""

    deck_def: DeckOption = DECK
    deals: Deals = 1
    ask_limit: Annotated[Limit | None, Meta(description="a hand ends after so many questions")] = None


PRESETS = (PresetRow(source={}),)


def resolve_options(options: object, seats: object) -> tuple[QuartettTerms[Options], Setup]:
    """Return options and setup, checked by COM-10 and COM-11; no options have to fit together. Raises ``Refused``."""
    return check_terms(KEY, Options, ROW, 3, CODES, options, seats)
