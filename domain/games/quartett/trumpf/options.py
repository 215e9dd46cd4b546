"""The options of the Trumpfspiel, and what follows from them for a whole game."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import asdict

from domain.games.quartett.options import DECK, Deals, DeckOption, Limit, QuartettTerms, check_terms
from domain.games.quartett.trumpf.codes import CODES
from domain.setup import PresetRow, Setup

KEY = "quartett-trumpf"
ROW = "seats_beaten"


Remainder: TypeAlias = Annotated[
    Literal["set_aside", "deal"], Meta(description="treatment of cards that cannot be dealt evenly; deal: the first seats get them")
]
RoundLimit: TypeAlias = Annotated[Limit | None, Meta(description="a hand ends after so many rounds")]


TieBreak: TypeAlias = Annotated[
    Literal["all", "tied"], Meta(description="seats in a tie break: all seats of the trick, or only those that were tied")
]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """As they are given (QTR-2)."""

    deck_def: DeckOption = DECK
    deals: Deals = 1
    remainder: Remainder = "set_aside"
    round_limit: RoundLimit = None
    tie_break: TieBreak = "all"
    tuck: Annotated[
        Literal["shown", "free"],
        Meta(description="the order in which cards go under a stack: as they were shown, or any, which nobody records"),
    ] = "shown"


class OptionsOfEdition3(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of edition 3, in which the order under a stack was always that in which the cards were shown."""

    deck_def: DeckOption = DECK
    deals: Deals = 1
    remainder: Remainder = "set_aside"
    round_limit: RoundLimit = None
    tie_break: TieBreak = "all"


class OptionsOfEdition2(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of edition 2, in which all took part in every tie break."""

    deck_def: DeckOption = DECK
    deals: Deals = 1
    remainder: Remainder = "set_aside"
    round_limit: RoundLimit = None


PRESETS = (PresetRow(source={"tuck": "free"}),)


def resolve_options(options: object, seats: object) -> tuple[QuartettTerms[Options], Setup]:
    """Return options and setup, checked by COM-10 and COM-11; no options have to fit together. Raises ``Refused``."""
    return check_terms(KEY, Options, ROW, 2, CODES, options, seats)


def resolve_options_edition_3(options: object, seats: object) -> tuple[QuartettTerms[Options], Setup]:
    """Return options and setup of edition 3. The setup holds only the options that existed then. Raises ``Refused``."""
    older, setup = check_terms(KEY, OptionsOfEdition3, ROW, 2, CODES, options, seats)
    return QuartettTerms(older.deck, Options(**asdict(older.options))), setup


def resolve_options_edition_2(options: object, seats: object) -> tuple[QuartettTerms[Options], Setup]:
    """Return options and setup of edition 2. The setup holds only the options that existed then. Raises ``Refused``."""
    older, setup = check_terms(KEY, OptionsOfEdition2, ROW, 2, CODES, options, seats)
    return QuartettTerms(older.deck, Options(**asdict(older.options))), setup
