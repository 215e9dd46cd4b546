"""The state view of alcasan, from a whole or a masked table."""

from typing import Any

from domain.games.alcasan.kinds import in_order
from domain.games.alcasan.table import AlcasanTable
from domain.rules import hands_view, stock_view


def hands(_: object, alcasan: AlcasanTable) -> dict[str, Any]:
    """Beside the common fields, also before the first hand (COM-30)."""
    return {**hands_view([in_order(alcasan.hand(seat)) for seat in alcasan.seats]), **stock_view(alcasan.table)}


def view(_: object, alcasan: AlcasanTable) -> dict[str, Any]:
    """What lies on the table once a hand was dealt (COM-31)."""
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
