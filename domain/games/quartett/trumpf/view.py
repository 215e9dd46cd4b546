"""The state view of the Trumpfspiel, from a whole or a masked table."""

from typing import Any

from domain.games.quartett.deck import Deck
from domain.games.quartett.trumpf.table import ASIDE, TrumpfTable
from domain.rules import common_view
from domain.table import Table


def view(deck: Deck, table: Table) -> dict[str, Any]:
    """The common fields, and those of the game once a hand was dealt (COM-31). Stacks begin with their top card."""
    trumpf = TrumpfTable(table)
    stacks = [trumpf.stack(seat)[::-1] for seat in trumpf.seats]
    common = {
        **common_view(table),
        "options": {**table.setup.options, "deck_def": deck.option},
        "hands": stacks,
        "hand_counts": [len(stack) for stack in stacks],
    }
    return {**common, **_lying(deck, trumpf)} if table.hand else common


def _lying(deck: Deck, trumpf: TrumpfTable) -> dict[str, Any]:
    values = deck.values.get(trumpf.category or "", {})
    middle = trumpf.middle
    return {
        "announcer": trumpf.announcer,
        "category": trumpf.category,
        "tiebreak": bool(middle),
        "round": [{"seat": seat, "card": card, "value": values.get(card)} for seat, card in trumpf.shown],
        "middle": [{"seat": seat, "card": card} for seat, card in middle],
        "rounds": trumpf.rounds,
        "trick_seats": trumpf.trick,
        "set_aside": trumpf.table.cards(ASIDE),
        "tricks": trumpf.tricks,
        "places": trumpf.places,
    }
