"""The state view of the Trumpfspiel, from a whole or a masked table."""

from typing import Any

from domain.games.quartett.options import Agreed
from domain.games.quartett.trumpf.options import Options
from domain.games.quartett.trumpf.table import ASIDE, TrumpfTable
from domain.rules import hands_view


def hands(agreed: Agreed[Options], trumpf: TrumpfTable) -> dict[str, Any]:
    """Beside the common fields, also before the first hand (COM-30); an installed deck is its id. Stacks begin with their top card."""
    stacks = [trumpf.stack(seat)[::-1] for seat in trumpf.seats]
    return {"options": {**trumpf.table.setup.options, "deck_def": agreed.deck.option}, **hands_view(stacks)}


def view(agreed: Agreed[Options], trumpf: TrumpfTable) -> dict[str, Any]:
    """What lies on the table once a hand was dealt (COM-31)."""
    values = agreed.deck.values.get(trumpf.category or "", {})
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
