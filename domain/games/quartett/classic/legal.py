"""Every legal question: card by card in canonical order, and to the left from the asker."""

from collections.abc import Iterator

from domain.cards import Card, Seat
from domain.games.quartett.classic.options import Options
from domain.games.quartett.classic.table import ClassicTable
from domain.games.quartett.options import Agreed
from domain.rules import Move


def legal_moves(agreed: Agreed[Options], table: ClassicTable, seat: Seat) -> Iterator[Move]:
    """The cards are named by their ids; asking by the name is the same question (QKL-7)."""
    deck, held = agreed.deck, table.held(agreed.deck, seat)
    may, must, seats = held.may, held.must, len(table.seats)
    others = [other for step in range(1, seats) if not table.is_out(other := (seat + step) % seats)]
    for group in deck.quartets.values():
        if not may.isdisjoint(group):
            barred = must if may is must else must | _alone(may, group)
            for card in group:
                if card not in barred:
                    for target in others:
                        yield {"type": "ask", "target": target, "card": card}


def _alone(may: frozenset[Card], group: tuple[Card, ...]) -> frozenset[Card]:
    """The only card of a quartet that can be held, which is not asked for (QKL-8, QKL-19)."""
    possible = may.intersection(group)
    return possible if len(possible) == 1 else frozenset()
