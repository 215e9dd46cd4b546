"""Every legal question: card by card in canonical order, and to the left from the asker."""

from collections.abc import Iterator

from domain.cards import Card, Seat
from domain.games.quartett.classic.options import Options
from domain.games.quartett.classic.table import ClassicTable, Held
from domain.games.quartett.deck import Deck
from domain.games.quartett.options import Agreed
from domain.rules import Move


def legal_moves(agreed: Agreed[Options], table: ClassicTable, seat: Seat) -> Iterator[Move]:
    """The cards are named by their ids; asking by the name is the same question (QKL-7)."""
    deck, held = agreed.deck, table.held(agreed.deck, seat)
    may, barred = held.may, _barred(deck, held)
    seats = len(table.seats)
    others = [other for step in range(1, seats) if not table.is_out(other := (seat + step) % seats)]
    for group in deck.quartets.values():
        if not may.isdisjoint(group):
            for card in group:
                if card not in barred:
                    for target in others:
                        yield {"type": "ask", "target": target, "card": card}


def _barred(deck: Deck, held: Held) -> frozenset[Card]:
    """What the seat holds, and of a quartet the only card that it can hold (QKL-8, QKL-19)."""
    if held.may == held.must:
        return held.must
    possible = (held.may.intersection(group) for group in deck.quartets.values())
    return held.must.union(*(cards for cards in possible if len(cards) == 1))
