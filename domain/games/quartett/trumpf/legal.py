"""Every legal move of a seat, category by category and from the top card down."""

from collections.abc import Iterable, Iterator
from itertools import chain, filterfalse

from domain.cards import HIDDEN, Card, Seat
from domain.games.quartett.deck import Deck
from domain.games.quartett.options import Agreed
from domain.games.quartett.trumpf.options import Options
from domain.games.quartett.trumpf.table import FEW, TrumpfTable
from domain.rules import Move
from domain.telling.untold import faces


def legal_moves(agreed: Agreed[Options], table: TrumpfTable, seat: Seat) -> Iterator[Move]:
    """Announcements name their card, also where it is the top one and could be left out (QTR-9)."""
    deck = agreed.deck
    match table.table.phase:
        case "announce":
            cards = tuple(_to_show(deck, table, seat))
            for category, values in deck.values.items():
                for card in cards:
                    if values[card] is not None:
                        yield {"type": "announce", "category": category, "card": card}
        case "reply":
            for card in _to_show(deck, table, seat):
                yield {"type": "reply", "card": card}
        case "draw":
            for position in range(len(table.stack(table.trick[0]))):
                yield {"type": "draw", "position": position}
        case _:
            return


def _to_show(deck: Deck, table: TrumpfTable, seat: Seat) -> Iterable[Card]:
    """The cards that the seat may show; one without a face may be any that the seat does not see (COM-76)."""
    stack = table.stack(seat)
    lying = (stack if len(stack) <= FEW else stack[-1:])[::-1]
    if HIDDEN not in lying:
        return lying
    return chain(filter(HIDDEN.__ne__, lying), filterfalse(faces(table.table).__contains__, deck.cards))
