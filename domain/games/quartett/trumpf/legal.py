"""Every legal move of a seat, category by category and from the top card down."""

from collections.abc import Iterator

from domain.cards import HIDDEN, Seat
from domain.games.quartett.options import Agreed
from domain.games.quartett.trumpf.options import Options
from domain.games.quartett.trumpf.table import FEW, TrumpfTable
from domain.rules import Move


def legal_moves(agreed: Agreed[Options], table: TrumpfTable, seat: Seat) -> Iterator[Move]:
    """Announcements name their card, also where it is the top one and could be left out (QTR-9)."""
    stack = table.stack(seat)
    cards = [card for card in (stack if len(stack) <= FEW else stack[-1:])[::-1] if card != HIDDEN]
    match table.table.phase:
        case "announce":
            for category, values in agreed.deck.values.items():
                for card in (card for card in cards if values[card] is not None):
                    yield {"type": "announce", "category": category, "card": card}
        case "reply":
            for card in cards:
                yield {"type": "reply", "card": card}
        case "draw":
            for position in range(len(table.stack(table.trick[0]))):
                yield {"type": "draw", "position": position}
        case _:
            return
