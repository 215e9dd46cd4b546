"""placeholder"""

from collections.abc import Iterator

from domain.cards import Seat
from domain.games.casino.table import CasinoTable
from domain.games.casino.values import Values
from domain.rules import Move


def legal_moves(values: Values, table: CasinoTable, seat: Seat) -> Iterator[Move]:
    for card in table.known_hand(seat):
        yield {"type": "trail", "card": card}
