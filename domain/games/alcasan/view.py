"""The state view of alcasan, from a whole or a masked table."""

from typing import Any

from domain.games.alcasan.kinds import in_order
from domain.games.alcasan.table import AlcasanTable
from domain.rules import common_view
from domain.table import Table


def view(table: Table) -> dict[str, Any]:
    """The common fields, and those of the game once a hand was dealt (COM-31)."""
    alcasan = AlcasanTable(table)
    hands = [in_order(alcasan.hand(seat)) for seat in alcasan.seats]
    stock = table.cards("stock")[::-1]
    common = {
        **common_view(table),
        "hands": hands,
        "hand_counts": [len(hand) for hand in hands],
        "stock": stock,
        "stock_count": len(stock),
    }
    return {**common, **_lying(alcasan)} if table.hand else common


def _lying(alcasan: AlcasanTable) -> dict[str, Any]:
    removed, seats = alcasan.table.cards("removed"), alcasan.seats
    return {
        "extra_lay": alcasan.extra_lay,
        "moves_made": alcasan.moves_made,
        "pile": alcasan.pile,
        "effective": alcasan.effective,
        "removed": removed,
        "removed_count": len(removed),
        "open": [in_order(alcasan.open(seat)) for seat in seats],
        "down": [alcasan.down(seat) for seat in seats],
        "card_counts": [alcasan.count(seat) for seat in seats],
        "chosen": [alcasan.chosen(seat) for seat in seats],
        "places": _places(alcasan),
    }


def _places(alcasan: AlcasanTable) -> Any:
    """While the hand is played those of the seats that have finished; after it those of all."""
    hands = alcasan.table.score.hands
    if not alcasan.table.in_hand and hands:
        return hands[-1].facts.get("places")
    finished = alcasan.finished
    return [1 + finished.index(seat) if seat in finished else None for seat in alcasan.seats]
