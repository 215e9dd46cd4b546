"""The state view of classic Quartett, from a whole or a masked table."""

from typing import Any

from domain.games.quartett.classic.table import ClassicTable
from domain.games.quartett.deck import Deck
from domain.rules import common_view
from domain.table import Table


def view(deck: Deck, table: Table) -> dict[str, Any]:
    """The common fields, and those of the game once a hand was dealt (COM-31). Hands are in canonical order."""
    classic = ClassicTable(table)
    hands = [deck.in_order(classic.hand(seat)) for seat in classic.seats]
    common = {
        **common_view(table),
        "options": {**table.setup.options, "deck_def": deck.option},
        "hands": hands,
        "hand_counts": [len(hand) for hand in hands],
    }
    own = {
        "asks": classic.asks,
        "active": [bool(hand) for hand in hands],
        "quartets": [classic.quartets(seat) for seat in classic.seats],
    }
    return {**common, **own} if table.hand else common
