"""Cards that nobody has told: which zones can be told, and which cards a move tells by itself (ALC-46)."""

from domain.cards import Card, Seat
from domain.games.alcasan.moves import AnyMove, ChooseOpen, Lay
from domain.games.alcasan.play import targets
from domain.games.alcasan.table import POSITIONS, AlcasanTable, down_zone, hand_zone
from domain.table import Table
from domain.telling.tellable import Order, Zones, hand_zones


def told_zones(_: object, table: Table) -> dict[str, Order]:
    """Each face-down card is a zone of its own; open cards and the pile are always known."""
    down = (down_zone(seat, position) for seat in range(table.setup.seats) for position in POSITIONS)
    ordered: dict[str, Order] = dict.fromkeys(("stock", *down), "ordered")
    return {**hand_zones(table), **ordered}


def first_zones(_: object, table: Table, dealer: Seat, deck: tuple[Card, ...]) -> dict[str, tuple[int, ...]]:
    """Where the cards of a deal go, by their indices in the deck; the stock keeps the others."""
    places: dict[str, tuple[int, ...]] = {}
    going = targets(table.setup.seats, dealer)
    for place, zone in enumerate(going):
        places[zone] = (*places.get(zone, ()), place)
    return {**places, "stock": tuple(range(len(going), len(deck)))}


def named(_: object, table: AlcasanTable, seat: Seat, move: AnyMove) -> Zones:
    """Cards that are chosen or laid from the hand; open cards are known."""
    from_hand = isinstance(move, ChooseOpen) or (isinstance(move, Lay) and table.place(seat) == "hand")
    return {hand_zone(seat): move.cards} if from_hand and isinstance(move, ChooseOpen | Lay) else {}
