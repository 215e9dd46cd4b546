"""The table layout of classic Quartett: zones, marks, and a typed view on them.

Zones: ``hand:<seat>``, and ``laid:<seat>`` for the quartets laid down, four cards each, in the order laid. The mark ``asks`` counts the
questions. A seat without cards is out.
"""

from typing import cast

from msgspec import Struct

from domain.cards import HIDDEN, Card, Seat
from domain.games.quartett.options import Deck
from domain.signs import Signs
from domain.table import Table
from domain.unknown_cards.support import Order, Zones, faces, hand_zones


def hand_zone(seat: Seat) -> str:
    return f"hand:{seat}"


def zone_of_sets(seat: Seat) -> str:
    return f"laid:{seat}"


class Held(Struct, frozen=True):
    """The cards that a hand may hold, and those that it must hold: with unknown cards these are not the same (QKL-19)."""

    may: frozenset[Card]
    must: frozenset[Card]


class QuartettTable:
    """A typed view on a table, whole or masked. ``lacks``: faces by zone that are told not to lie there (COM-71)."""

    def __init__(self, table: Table, lacks: Zones | None = None) -> None:
        self.table = table
        self._lacks = lacks or {}

    @property
    def seats(self) -> range:
        return range(self.table.setup.seats)

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        return self.table.cards(hand_zone(seat))

    def cards_held_by(self, deck: Deck, seat: Seat) -> Held:
        zone = hand_zone(seat)
        hand = self.table.cards(zone)
        if HIDDEN not in hand:
            known = frozenset(hand)
            return Held(known, known)
        known = frozenset(hand) - {HIDDEN}
        pool = frozenset(deck.cards).difference(faces(self.table), self._lacks.get(zone, ()))
        may = known | pool
        return Held(may, may if len(pool) <= hand.count(HIDDEN) else known)

    def is_out(self, seat: Seat) -> bool:
        return not self.hand(seat)

    def list_set_cards(self, seat: Seat) -> tuple[Card, ...]:
        """Return the cards of the quartets in the order laid down."""
        return self.table.cards(zone_of_sets(seat))

    def count_sets(self, seat: Seat) -> int:
        return len(self.list_set_cards(seat)) // 4

    @property
    def asks(self) -> int:
        return cast("int", self.table.marks.get("asks", 0))

    def next_in(self, first: Seat) -> Seat | None:
        """Return the first seat with cards, from this one on to the left (QKL-13); ``None`` if all are out."""
        seats = len(self.seats)
        order = ((first + step) % seats for step in range(seats))
        return next((seat for seat in order if not self.is_out(seat)), None)


def signs(_: object) -> Signs:
    return Signs(("ask",), {(None, "asks"): int})


def list_unknown_zones(_: object, table: Table) -> dict[str, Order]:
    """Return the zones that can be told: the hands. Quartets lie open, so there is nothing to tell of them."""
    return hand_zones(table)


def with_excluded_faces(classic: QuartettTable, lacks: Zones) -> QuartettTable:
    return QuartettTable(classic.table, lacks)
