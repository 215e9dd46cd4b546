"""Every legal question: card by card in canonical order, and to the left from the asker. What the asker may hold, he may ask with."""

from collections.abc import Iterator

from domain.cards import Seat
from domain.games.quartett.classic.options import Options
from domain.games.quartett.classic.table import ClassicTable
from domain.games.quartett.options import Agreed
from domain.rules import Move


def legal_moves(agreed: Agreed[Options], table: ClassicTable, seat: Seat) -> Iterator[Move]:
    """The cards are named by their ids; asking by the name is the same question (QKL-7)."""
    deck, held = agreed.deck, table.held(agreed.deck, seat)
    must = held.must
    seats = len(table.seats)
    others = [other for step in range(1, seats) if not table.is_out(other := (seat + step) % seats)]
    for letter in deck.letters:
        group = deck.group(letter)
        possible = held.may.intersection(group)
        for card in group if possible else ():
            if card not in must and (len(possible) > 1 or card not in possible):
                for target in others:
                    yield {"type": "ask", "target": target, "card": card}
