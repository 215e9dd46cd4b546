"""Every legal question: card by card in canonical order, and to the left from the asker."""

from collections.abc import Iterator

from domain.cards import Seat
from domain.games.quartett.classic.options import Options
from domain.games.quartett.classic.table import ClassicTable
from domain.games.quartett.options import Agreed
from domain.rules import Move


def legal_moves(agreed: Agreed[Options], table: ClassicTable, seat: Seat) -> Iterator[Move]:
    """The cards are named by their ids; asking by the name is the same question (QKL-7)."""
    deck, hand = agreed.deck, frozenset(table.hand(seat))
    seats = len(table.seats)
    others = [other for step in range(1, seats) if not table.is_out(other := (seat + step) % seats)]
    for group in deck.quartets.values():
        if not hand.isdisjoint(group):
            for card in group:
                if card not in hand:
                    for target in others:
                        yield {"type": "ask", "target": target, "card": card}
