"""The state view of Casino, from a whole or a masked table."""

from typing import Any

from domain.games.casino.table import CasinoTable
from domain.rules import common_view
from domain.table import Table


def view(table: Table) -> dict[str, Any]:
    """The common fields, and those of the game once a hand was dealt (COM-31)."""
    casino = CasinoTable(table)
    hands = [casino.hand(seat) for seat in range(table.setup.seats)]
    stock = casino.stock[::-1]
    common = {
        **common_view(table),
        "hands": hands,
        "hand_counts": [len(hand) for hand in hands],
        "stock": stock,
        "stock_count": len(stock),
    }
    return {**common, **_lying(casino)} if table.hand else common


def _lying(casino: CasinoTable) -> dict[str, Any]:
    parties = range(len(casino.table.setup.parties))
    piles = [casino.pile(party) for party in parties]
    sweep_cards = [casino.sweeps(party) for party in parties]
    return {
        "deal": casino.deal,
        "last_deal": not casino.stock,
        "table": casino.board,
        "builds": [
            {"id": build.id, "value": build.value, "kind": build.kind, "owner": build.owner, "groups": build.groups}
            for build in casino.builds.values()
        ],
        "piles": piles,
        "pile_counts": [len(pile) for pile in piles],
        "sweeps": [len(cards) for cards in sweep_cards],
        "sweep_cards": sweep_cards,
        "last_capturer": casino.last_capturer,
    }
