"""The ruleset of alcasan: its functions and tables, plugged into ``GameRules``."""

from functools import partial
from typing import Any

from msgspec.structs import replace

from domain.binding import GameRules
from domain.cards import Card, Seat
from domain.games.alcasan import checks, codes, kinds, legal, moves, notation, options, play, table
from domain.games.alcasan.kinds import in_order
from domain.games.alcasan.moves import AnyMove, ChooseOpen, Lay
from domain.games.alcasan.play import targets
from domain.games.alcasan.table import POSITIONS, AlcasanTable, down_zone, hand_zone
from domain.rules import hands_view, stock_view
from domain.table import Table
from domain.unknown_cards.support import Order, UnknownCardsSupport, Zones, hand_zones

# The state view of alcasan, from a whole or a masked table.


def hands(_: object, alcasan: AlcasanTable) -> dict[str, Any]:
    """Return the fields beside the common ones, also before the first hand (COM-30)."""
    return {**hands_view([in_order(alcasan.hand(seat)) for seat in alcasan.seats]), **stock_view(alcasan.table)}


def view(_: object, alcasan: AlcasanTable) -> dict[str, Any]:
    """Return the cards and marks on the table once a hand was dealt (COM-31)."""
    removed, seats = alcasan.table.cards("removed"), alcasan.seats
    return {
        "extra_lay": alcasan.extra_lay,
        "moves_made": alcasan.moves_made,
        "pile": alcasan.pile,
        "effective": alcasan.effective,
        "removed": removed,
        "removed_count": len(removed),
        "open": [in_order(alcasan.open(seat)) for seat in seats],
        "down": [alcasan.down(seat) for seat in seats],
        "card_counts": [alcasan.count(seat) for seat in seats],
        "chosen": [alcasan.has_made_choice(seat) for seat in seats],
        "places": _places(alcasan),
    }


def _places(alcasan: AlcasanTable) -> Any:
    """Return the places: during the hand those of the seats that have finished, after it those of all."""
    hands = alcasan.table.score.hands
    if not alcasan.table.in_hand and hands:
        return hands[-1].facts.get("places")
    finished = alcasan.finished
    return [1 + finished.index(seat) if seat in finished else None for seat in alcasan.seats]


# Unknown cards: which zones can be told, and which cards a move tells by itself (ALC-46).


def list_unknown_zones(_: object, table: Table) -> dict[str, Order]:
    """Return the zones that can be told. Each face-down card is a zone of its own; open cards and the pile are always known."""
    down = (down_zone(seat, position) for seat in range(table.setup.seats) for position in POSITIONS)
    ordered: dict[str, Order] = dict.fromkeys(("stock", *down), "ordered")
    return {**hand_zones(table), **ordered}


def first_zones(_: object, table: Table, dealer: Seat, deck: tuple[Card, ...]) -> dict[str, tuple[int, ...]]:
    """Return where the cards of a deal go, by their indices in the deck; the stock keeps the others."""
    places: dict[str, tuple[int, ...]] = {}
    going = targets(table.setup.seats, dealer)
    for place, zone in enumerate(going):
        places[zone] = (*places.get(zone, ()), place)
    return {**places, "stock": tuple(range(len(going), len(deck)))}


def locate_named_cards(_: object, table: AlcasanTable, seat: Seat, move: AnyMove) -> Zones:
    """Return the cards that are chosen or laid from the hand; open cards are known."""
    from_hand = isinstance(move, ChooseOpen) or (isinstance(move, Lay) and table.place(seat) == "hand")
    return {hand_zone(seat): move.cards} if from_hand and isinstance(move, ChooseOpen | Lay) else {}


RULESET = GameRules(
    edition=3,
    key=options.KEY,
    package=__package__ or "",
    options=options.Options,
    preset_rows=options.PRESETS,
    moves=moves.AnyMove,
    codes=codes.CODES,
    deck=kinds.DECK,
    settle=options.resolve_options,
    on_table=table.AlcasanTable,
    open_hand=play.open_hand,
    named_cards=moves.list_named_cards,
    check=checks.check,
    play=play.play,
    stop=play.stop,
    ends=lambda chosen, points: ("finished", "move_limit"),
    closing=play.closing,
    legal_moves=legal.legal_moves,
    hands=hands,
    view=view,
    signs=table.signs,
    notation=notation.GRAMMAR,
    telling=UnknownCardsSupport[options.Options, table.AlcasanTable, moves.AnyMove](
        zones=list_unknown_zones, dealt=first_zones, named=locate_named_cards
    ),
)

EDITION_2 = replace(
    RULESET,
    edition=2,
    options=options.OptionsOfEdition2,
    settle=partial(options.resolve_options, kind=options.OptionsOfEdition2),
)
"""Four in one lay always have to fit like one."""

EDITION_1 = replace(
    EDITION_2,
    edition=1,
    options=options.OptionsOfEdition1,
    moves=moves.MovesOfEdition1,
    settle=partial(options.resolve_options, kind=options.OptionsOfEdition1),
)
"""A further lay cannot be declined."""
