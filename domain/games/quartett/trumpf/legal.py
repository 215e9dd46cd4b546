"""Every legal move of a seat, category by category and from the top card down."""

from collections.abc import Iterator

from domain.cards import HIDDEN, Card, Seat
from domain.games.quartett.deck import Deck
from domain.games.quartett.options import Agreed
from domain.games.quartett.trumpf.options import Options
from domain.games.quartett.trumpf.table import FEW, TrumpfTable
from domain.rules import Move


def legal_moves(agreed: Agreed[Options], table: TrumpfTable, seat: Seat) -> Iterator[Move]:
    """Announcements name their card, also where it is the top one and could be left out (QTR-9)."""
    cards = _to_show(agreed.deck, table, seat)
    match table.table.phase:
        case "announce":
            for category, values in agreed.deck.values.items():
                for card in cards:
                    if values[card] is not None:
                        yield {"type": "announce", "category": category, "card": card}
        case "reply":
            for card in cards:
                yield {"type": "reply", "card": card}
        case "draw":
            for position in range(len(table.stack(table.trick[0]))):
                yield {"type": "draw", "position": position}
        case _:
            return


def _to_show(deck: Deck, table: TrumpfTable, seat: Seat) -> list[Card]:
    """The cards that the seat may show; one without a face may be any that the seat does not see (COM-76)."""
    stack = table.stack(seat)
    lying = (stack if len(stack) <= FEW else stack[-1:])[::-1]
    if HIDDEN not in lying:
        return list(lying)
    return [card for card in lying if card != HIDDEN] + deck.unaccounted(table.table)
