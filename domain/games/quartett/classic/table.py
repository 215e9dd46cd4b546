"""How a hand of classic Quartett lies on the table.

Zones: ``hand:<seat>``, and ``laid:<seat>`` for the quartets laid down, four cards each, in the order laid. The mark ``asks`` counts
the questions. Who is out is read from the hands.
"""

from typing import cast

from domain.cards import Card, Seat
from domain.signs import Signs
from domain.table import Table


def hand_zone(seat: Seat) -> str:
    return f"hand:{seat}"


def laid_zone(seat: Seat) -> str:
    return f"laid:{seat}"


class ClassicTable:
    """A typed view on a table, whole or masked."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @property
    def seats(self) -> range:
        return range(self.table.setup.seats)

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        return self.table.cards(hand_zone(seat))

    def is_out(self, seat: Seat) -> bool:
        return not self.hand(seat)

    def laid(self, seat: Seat) -> tuple[Card, ...]:
        """The cards of the quartets in the order laid down."""
        return self.table.cards(laid_zone(seat))

    def quartets(self, seat: Seat) -> int:
        return len(self.laid(seat)) // 4

    @property
    def asks(self) -> int:
        return cast("int", self.table.marks.get("asks", 0))

    def next_in(self, first: Seat) -> Seat | None:
        """The first seat with cards, from this one on to the left (QKL-13); nobody, if all are out."""
        seats = len(self.seats)
        order = ((first + step) % seats for step in range(seats))
        return next((seat for seat in order if not self.is_out(seat)), None)


def signs(_: object) -> Signs:
    return Signs(("ask",), {(None, "asks"): int})
