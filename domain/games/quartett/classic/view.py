"""The state view of classic Quartett, from a whole or a masked table."""

from typing import Any

from domain.games.quartett.classic.options import Options
from domain.games.quartett.classic.table import ClassicTable
from domain.games.quartett.options import Agreed
from domain.rules import hands_view


def hands(agreed: Agreed[Options], classic: ClassicTable) -> dict[str, Any]:
    """Beside the common fields, also before the first hand (COM-30); an installed deck is its id. Hands are in canonical order."""
    hands = [agreed.deck.in_order(classic.hand(seat)) for seat in classic.seats]
    return {"options": {**classic.table.setup.options, "deck_def": agreed.deck.option}, **hands_view(hands)}


def view(agreed: Agreed[Options], classic: ClassicTable) -> dict[str, Any]:
    """What lies on the table once a hand was dealt (COM-31). Quartets go by their letters, however ids are spelled (QDK-9)."""
    return {
        "asks": classic.asks,
        "active": [bool(classic.hand(seat)) for seat in classic.seats],
        "quartets": [[agreed.deck.letter_of[card] for card in classic.laid(seat)[::4]] for seat in classic.seats],
    }
