"""The state view of Canasta, from a whole or a masked table."""

from typing import Any

from domain.cards import Card
from domain.games.canasta.cards import in_order
from domain.games.canasta.melds import NONE
from domain.games.canasta.score import provisional
from domain.games.canasta.table import PARTIES, CanastaTable
from domain.rules import hands_view, stock_view


def hands(_: object, canasta: CanastaTable) -> dict[str, Any]:
    """Beside the common fields, also before the first hand (COM-30)."""
    return {**hands_view([in_order(canasta.hand(seat)) for seat in range(canasta.table.setup.seats)]), **stock_view(canasta.table)}


def view(_: object, canasta: CanastaTable) -> dict[str, Any]:
    """What lies on the table once a hand was dealt (COM-31)."""
    table = canasta.table
    return {
        "pile": canasta.pile,
        "pile_top": canasta.top,
        "pile_count": len(canasta.pile),
        "pile_frozen": canasta.frozen,
        "pile_blocked": canasta.blocked(wild_top_take=bool(table.setup.options.get("wild_top_take"))),
        "red_threes": [in_order(canasta.red_threes(party)) for party in PARTIES],
        "melds": [{rank: _meld(cards) for rank, cards in melded.items()} for melded in canasta.melded],
        "opened": [canasta.opened(party) for party in PARTIES],
        "minimums": canasta.minimums,
        "question": canasta.question,
        "must_go_out": canasta.must_go_out,
        "provisional": provisional(canasta) if table.in_hand else (0, 0),
    }


def _meld(cards: tuple[Card, ...]) -> dict[str, Any]:
    meld = NONE.joined(cards)
    return {"cards": in_order(cards), "natural": meld.natural, "wild": meld.wild, "canasta": meld.canasta}
