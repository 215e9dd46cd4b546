"""The deal of Canasta: the start of a hand (CAN-7 to CAN-10)."""

from itertools import takewhile

from domain.cards import HIDDEN, Card, Seat
from domain.effects import CardsMoved, HandOpened, MarkSet, TurnPassed, ZoneAdded
from domain.games.canasta.cards import RED_THREES, is_wild
from domain.games.canasta.codes import CODES
from domain.games.canasta.options import Options
from domain.games.canasta.play import lay_red_threes, update_pile_sight
from domain.games.canasta.score import minimum
from domain.games.canasta.table import PARTIES
from domain.score import totals
from domain.table import Draft, Table
from domain.unknown_cards.asking import card_unknown

HAND_SIZES = {2: 15, 4: 11}


def open_hand(
    draft: Draft, options: Options, dealer: Seat, deck: tuple[Card, ...], *, small_pile_open: bool = True, totals_kept: bool = True
) -> None:
    """Deal the hands, then the pile, then lay the red threes, from the dealer's left on."""
    seats = draft.table.setup.seats
    order = _seats_from_left(dealer, seats)
    before = totals(draft.table.setup, draft.table.score)
    draft.emit(
        HandOpened(draft.table.hand + 1, dealer),
        ZoneAdded("stock", "none", None, deck[::-1]),
        *(ZoneAdded(f"hand:{seat}", "owner", seat) for seat in range(seats)),
        ZoneAdded("pile", "all" if small_pile_open else "top", None),
        *(ZoneAdded(f"red:{party}", "all", None) for party in PARTIES),
        MarkSet("minimums", tuple(minimum(total) for total in before)),
        *([MarkSet("totals", before)] if totals_kept and options.at_once else []),
    )
    size = HAND_SIZES[seats] * seats
    draft.emit(*(CardsMoved(deck[place:size:seats], "stock", f"hand:{seat}") for place, seat in enumerate(order)))
    _turn_up(draft, options, deck[size:])
    if small_pile_open:
        draft.emit(*update_pile_sight("all", draft.table))
    for seat in order:
        lay_red_threes(draft, seat, replaced=True)
    draft.emit(TurnPassed("draw", order[0], (order[0],)))


def first_zones(options: Options, table: Table, dealer: Seat, deck: tuple[Card, ...]) -> dict[str, tuple[int, ...]]:
    """Return where the cards go, by their indices in the deck (CAN-7, CAN-8). The pile ends with the first card that is not known to
    be covered.
    """
    seats = table.setup.seats
    size = HAND_SIZES[seats] * seats
    turned = size + len(_list_covered_cards(options, deck[size:])) + 1
    hands = {f"hand:{seat}": tuple(range(place, size, seats)) for place, seat in enumerate(_seats_from_left(dealer, seats))}
    return {**hands, "pile": tuple(range(size, turned)), "stock": tuple(range(turned, len(deck)))}


def _seats_from_left(dealer: Seat, seats: int) -> list[Seat]:
    """Return the seats from the dealer's left on."""
    return [(dealer + step) % seats for step in range(1, seats + 1)]


def _list_covered_cards(options: Options, coming: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards that are turned up and do not stay on top."""
    if options.first_upcard == "left":
        return ()
    return tuple(takewhile(lambda card: is_wild(card) or card in RED_THREES, coming))


def _turn_up(draft: Draft, options: Options, coming: tuple[Card, ...]) -> None:
    """Turn cards until one stays on top. The first wild card freezes the pile, and so does a red three that is covered (CAN-8, CAN-28)."""
    covered = _list_covered_cards(options, coming)
    turned = coming[: len(covered) + 1]
    if turned[-1] == HIDDEN:
        raise card_unknown(CODES, [{"zone": "pile", "places": (len(covered),)}], "CAN-53", of_deal=True)
    draft.emit(*(CardsMoved((card,), "stock", "pile", shown=True) for card in turned))
    if freezing := covered or tuple(filter(is_wild, turned)):
        draft.emit(MarkSet("frozen", freezing[0], "pile"))
    if red := sum(card in RED_THREES for card in turned):
        draft.emit(MarkSet("red_threes", red, "pile"))
