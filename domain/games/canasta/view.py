"""The state view of Canasta, from a whole or a masked table."""

from typing import Any

from domain.cards import Card
from domain.games.canasta.cards import in_order
from domain.games.canasta.melds import NONE
from domain.games.canasta.score import provisional
from domain.games.canasta.table import PARTIES, CanastaTable
from domain.rules import common_view
from domain.table import Table


def view(table: Table) -> dict[str, Any]:
    """The common fields, and those of the game once a hand was dealt (COM-31)."""
    canasta = CanastaTable(table)
    hands = [in_order(canasta.hand(seat)) for seat in range(table.setup.seats)]
    stock = canasta.stock[::-1]
    common = {
        **common_view(table),
        "hands": hands,
        "hand_counts": [len(hand) for hand in hands],
        "stock": stock,
        "stock_count": len(stock),
    }
    return {**common, **_lying(canasta)} if table.hand else common


def _lying(canasta: CanastaTable) -> dict[str, Any]:
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
