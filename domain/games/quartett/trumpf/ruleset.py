"""The ruleset of the Trumpfspiel: its functions and tables, plugged into ``GameRules``."""

from functools import partial
from typing import Any

from msgspec.structs import replace

from domain.binding import GameRules
from domain.games.quartett.options import DECK, PACKAGE, QuartettTerms, closing, deck_of
from domain.games.quartett.trumpf import checks, codes, moves, notation, options, play, table, tricks
from domain.games.quartett.trumpf.options import Options
from domain.games.quartett.trumpf.table import ASIDE, TrumpfTable
from domain.rules import hands_view
from domain.unknown_cards.support import UnknownCardsSupport

# The state view of the Trumpfspiel, from a whole or a masked table.


def hands(agreed: QuartettTerms[Options], trumpf: TrumpfTable) -> dict[str, Any]:
    """Return the fields beside the common ones, also before the first hand (COM-30); an installed deck is its id. Stacks begin with their
    top card.
    """
    stacks = [trumpf.stack(seat)[::-1] for seat in trumpf.seats]
    return {"options": {**trumpf.table.setup.options, "deck_def": agreed.deck.option}, **hands_view(stacks)}


def view(agreed: QuartettTerms[Options], trumpf: TrumpfTable) -> dict[str, Any]:
    """Return the cards and marks on the table once a hand was dealt (COM-31)."""
    values = agreed.deck.values.get(trumpf.category or "", {})
    middle = trumpf.tied_cards
    return {
        "announcer": trumpf.announcer,
        "category": trumpf.category,
        "tiebreak": bool(middle),
        "round": [{"seat": seat, "card": card, "value": values.get(card)} for seat, card in trumpf.round_cards],
        "middle": [{"seat": seat, "card": card} for seat, card in middle],
        "rounds": trumpf.rounds,
        "trick_seats": trumpf.trick,
        "set_aside": trumpf.table.cards(ASIDE),
        "tricks": trumpf.tricks,
        "places": trumpf.places,
    }


TRUMPF = GameRules(
    edition=4,
    key=options.KEY,
    package=PACKAGE,
    rule_prefixes=("QDK-", "QTR-"),
    options=options.Options,
    preset_rows=options.PRESETS,
    moves=moves.AnyMove,
    codes=codes.CODES,
    deck=deck_of(DECK).cards,
    deck_of=lambda agreed: agreed.deck.cards,
    names_of=lambda agreed: agreed.deck.called,
    settle=options.resolve_options,
    on_table=table.TrumpfTable,
    open_hand=play.open_hand,
    named_cards=moves.list_named_cards,
    check=checks.check,
    play=play.play,
    stop=tricks.stop,
    ends=lambda agreed, points: ("one_left", "round_limit", "no_cards"),
    closing=lambda agreed, sheet: closing(agreed.options.deals, sheet),
    legal_moves=play.legal_moves,
    hands=hands,
    view=view,
    signs=table.signs,
    notation=notation.GRAMMAR,
    telling=UnknownCardsSupport[QuartettTerms[options.Options], table.TrumpfTable, moves.AnyMove](
        zones=table.list_unknown_zones, dealt=play.first_zones, dealt_in_order=table.is_order_known, named=moves.locate_named_cards
    ),
)

TRUMPF_3 = replace(
    TRUMPF,
    edition=3,
    options=options.OptionsOfEdition3,
    settle=options.resolve_options_edition_3,
    open_hand=partial(play.open_hand, in_blocks=False),
)
"""Cards always go under a stack in the order in which they were shown (QTR-12), also where nobody recorded it."""

TRUMPF_2 = replace(TRUMPF_3, edition=2, options=options.OptionsOfEdition2, settle=options.resolve_options_edition_2)
"""All take part in every tie break (QTR-16)."""

TRUMPF_1 = replace(TRUMPF_2, edition=1, check=partial(checks.check, owned_first=True))
"""The checks of an announcement in another order (QTR-7)."""
