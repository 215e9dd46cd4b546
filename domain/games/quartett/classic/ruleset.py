"""The ruleset of classic Quartett: its functions and tables, plugged into ``GameRules``."""

from typing import Any

from domain.binding import GameRules
from domain.games.quartett.classic import checks, codes, moves, notation, options, play, table
from domain.games.quartett.classic.options import Options
from domain.games.quartett.classic.table import QuartettTable
from domain.games.quartett.options import DECK, PACKAGE, QuartettTerms, closing, deck_of
from domain.rules import hands_view
from domain.unknown_cards.support import UnknownCardsSupport

# The state view of classic Quartett, from a whole or a masked table.


def hands(agreed: QuartettTerms[Options], classic: QuartettTable) -> dict[str, Any]:
    """Return the fields beside the common ones, also before the first hand (COM-30); an installed deck is its id. Hands are in canonical
    order.
    """
    hands = [agreed.deck.in_order(classic.hand(seat)) for seat in classic.seats]
    return {"options": {**classic.table.setup.options, "deck_def": agreed.deck.option}, **hands_view(hands)}


def view(agreed: QuartettTerms[Options], classic: QuartettTable) -> dict[str, Any]:
    """Return the cards and marks on the table once a hand was dealt (COM-31). Quartets go by their letters, however ids are spelled
    (QDK-9).
    """
    return {
        "asks": classic.asks,
        "active": [bool(classic.hand(seat)) for seat in classic.seats],
        "quartets": [[agreed.deck.letter_of[card] for card in classic.list_set_cards(seat)[::4]] for seat in classic.seats],
    }


CLASSIC = GameRules(
    key=options.KEY,
    package=PACKAGE,
    rule_prefixes=("QDK-", "QKL-", "QTR-7", "QTR-28"),
    options=options.Options,
    preset_rows=options.PRESETS,
    moves=moves.Ask,
    codes=codes.CODES,
    deck=deck_of(DECK).cards,
    deck_of=lambda agreed: agreed.deck.cards,
    names_of=lambda agreed: agreed.deck.called,
    settle=options.resolve_options,
    on_table=table.QuartettTable,
    open_hand=play.open_hand,
    named_cards=moves.list_named_cards,
    check=checks.check,
    play=play.ask,
    stop=play.stop,
    ends=lambda agreed, points: ("complete", "ask_limit"),
    closing=lambda agreed, sheet: closing(agreed.options.deals, sheet),
    legal_moves=play.legal_moves,
    hands=hands,
    view=view,
    signs=table.signs,
    notation=notation.GRAMMAR,
    telling=UnknownCardsSupport[QuartettTerms[options.Options], table.QuartettTable, moves.Ask](
        zones=table.list_unknown_zones,
        dealt=play.first_zones,
        named=moves.locate_named_cards,
        heeding=table.with_excluded_faces,
        laid=lambda agreed: tuple(agreed.deck.quartets.values()),
    ),
)
