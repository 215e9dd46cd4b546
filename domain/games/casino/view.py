"""The state view of Casino, from a whole or a masked table."""

from typing import Any

from domain.games.casino.table import CasinoTable
from domain.rules import hands_view, stock_view


def hands(_: object, casino: CasinoTable) -> dict[str, Any]:
    """Beside the common fields, also before the first hand (COM-30)."""
    return {**hands_view([casino.hand(seat) for seat in range(casino.table.setup.seats)]), **stock_view(casino.table)}


def view(_: object, casino: CasinoTable) -> dict[str, Any]:
    """What lies on the table once a hand was dealt (COM-31)."""
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
