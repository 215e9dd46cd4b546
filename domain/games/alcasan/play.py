"""Effects of alcasan deals and moves, and of the end of a hand."""

from domain.cards import HIDDEN, Card, Seat
from domain.effects import CardsMoved, DetailAnnounced, Effect, GameClosed, HandClosed, HandOpened, MarkSet, Scored, TurnPassed, ZoneAdded
from domain.games.alcasan.codes import CODES
from domain.games.alcasan.kinds import find_mismatch, removal
from domain.games.alcasan.moves import AnyMove, ChooseOpen, Decline, Lay, Reveal, Take
from domain.games.alcasan.options import Options
from domain.games.alcasan.score import count_lower_seats, hand_places
from domain.games.alcasan.table import POSITIONS, AlcasanTable, down_zone, hand_zone, open_zone
from domain.score import Sheet, places_by, sheet
from domain.table import Draft
from domain.unknown_cards.asking import card_unknown

HELD = 3
"""Number of cards up to which a hand is refilled (ALC-27)."""


def open_hand(draft: Draft, _: object, dealer: Seat, deck: tuple[Card, ...]) -> None:
    """Deal, a card at a time: three rounds face down, six rounds to be taken up (ALC-9 to ALC-11)."""
    seats = draft.table.setup.seats
    draft.emit(
        HandOpened(draft.table.hand + 1, dealer),
        ZoneAdded("stock", "none", None, deck[::-1]),
        *(zone for seat in range(seats) for zone in _zones(seat)),
        ZoneAdded("pile", "all", None),
        ZoneAdded("removed", "all", None),
        *(CardsMoved((card,), "stock", zone) for card, zone in zip(deck, targets(seats, dealer), strict=False)),
        TurnPassed("choose_open", None, tuple(range(seats))),
    )


def targets(seats: int, dealer: Seat) -> list[str]:
    """Return the zone of each card of a deal, from the first card of the deck on."""
    around = [(dealer + 1 + step) % seats for step in range(seats)]
    rounds = [[down_zone(seat, position) for seat in around] for position in POSITIONS]
    rounds += [[hand_zone(seat) for seat in around]] * 6
    return [zone for zones in rounds for zone in zones]


def _zones(seat: Seat) -> tuple[ZoneAdded, ...]:
    down = tuple(ZoneAdded(down_zone(seat, position), "none", seat) for position in POSITIONS)
    return (ZoneAdded(hand_zone(seat), "owner", seat), ZoneAdded(open_zone(seat), "all", seat), *down)


def play(draft: Draft, options: Options, table: AlcasanTable, seat: Seat, move: AnyMove) -> None:
    """Play a legal move, and what follows from it."""
    match move:
        case ChooseOpen(cards=cards):
            _choose(draft, seat, cards)
        case Lay(cards=cards):
            _lay(draft, options, seat, cards, hand_zone(seat) if table.place(seat) == "hand" else open_zone(seat))
        case Take():
            _take(draft, options, seat, [])
        case Reveal(position=position):
            _reveal(draft, options, table, seat, position)
        case Decline():
            _pass_turn(draft, table, table.after(seat), again=False)


def _choose(draft: Draft, seat: Seat, cards: tuple[Card, ...]) -> None:
    """Lay three cards open. When all have chosen, the seat after the dealer begins (ALC-12 to ALC-14)."""
    table = draft.table
    waiting = tuple(other for other in table.to_act if other != seat)
    first = ((table.dealer or 0) + 1) % table.setup.seats
    draft.emit(
        CardsMoved(cards, hand_zone(seat), open_zone(seat), shown=True),
        TurnPassed("choose_open", None, waiting) if waiting else TurnPassed("play", first, (first,)),
    )


def _reveal(draft: Draft, options: Options, table: AlcasanTable, seat: Seat, position: int) -> None:
    """Turn a face-down card: lay it, or take it with the pile (ALC-36, ALC-37)."""
    zone = down_zone(seat, position)
    cards = table.table.cards(zone)
    if cards[0] == HIDDEN:
        # The face has to be told: it decides what becomes of the card and of the pile.
        raise card_unknown(CODES, ({"zone": zone, "places": (0,)},))
    if find_mismatch(cards[0], table.effective) is None:
        _lay(draft, options, seat, cards, zone)
    else:
        _take(draft, options, seat, [CardsMoved(cards, zone, hand_zone(seat), shown=True)])


def _take(draft: Draft, options: Options, seat: Seat, turned: list[Effect]) -> None:
    """Move the pile to the hand and end the turn (ALC-31, ALC-32)."""
    pile = draft.table.cards("pile")
    draft.emit(*turned, CardsMoved(pile, "pile", hand_zone(seat)))
    _go_on(draft, options, seat, again=False)


def _lay(draft: Draft, options: Options, seat: Seat, cards: tuple[Card, ...], source: str) -> None:
    """Lay cards, then remove the pile if it is due, then refill the hand (ALC-25 to ALC-28)."""
    pile = draft.table.cards("pile") + cards
    cause = removal(pile)
    draft.emit(CardsMoved(cards, source, "pile", shown=True))
    if cause:
        draft.emit(CardsMoved(pile, "pile", "removed"), DetailAnnounced(seat, "pile_removed", cause))
    stock = draft.table.cards("stock")
    wanted = HELD - len(draft.table.cards(hand_zone(seat)))
    if stock and wanted > 0:
        draft.emit(CardsMoved(stock[::-1][:wanted], "stock", hand_zone(seat)))
    _go_on(draft, options, seat, again=cause is not None)


def _go_on(draft: Draft, options: Options, seat: Seat, *, again: bool) -> None:
    """Decide who has finished, whether the hand ends, and who is next (ALC-29, ALC-38 to ALC-41, ALC-43)."""
    table = AlcasanTable(draft.table)
    made = table.moves_made + 1
    draft.emit(MarkSet("moves_made", made))
    if not table.count(seat):
        draft.emit(MarkSet("finished", (*table.finished, seat)))
        again = False
    after = AlcasanTable(draft.table)
    if len(after.finished) == len(after.seats) - 1:
        _close_hand(draft, options, "finished")
    elif made == options.move_limit:
        _close_hand(draft, options, "move_limit")
    else:
        _pass_turn(draft, after, seat if again else after.after(seat), again=again)


def _pass_turn(draft: Draft, table: AlcasanTable, following: Seat, *, again: bool) -> None:
    if again != table.extra_lay:
        draft.emit(MarkSet("extra_lay", again or None))
    if following != table.table.turn:
        draft.emit(TurnPassed("play", following, (following,)))


def stop(draft: Draft, options: Options) -> bool:
    """End the hand as if the limit had been reached with the last move (COM-43, ALC-43). It counts."""
    _close_hand(draft, options, "move_limit")
    return True


def _close_hand(draft: Draft, options: Options, end: str) -> None:
    """Score the places of the hand, and after the last hand those of the game (ALC-41 to ALC-44)."""
    table = AlcasanTable(draft.table)
    left = tuple(table.count(seat) for seat in table.seats)
    places = hand_places(table.finished, left)
    draft.emit(Scored("seats_beaten", count_lower_seats(places)), HandClosed(end, {"places": places, "cards_left": left}))
    if closed := closing(options, sheet(draft.table.setup, draft.table.score)):
        draft.emit(closed)


def closing(options: Options, sheet: Sheet) -> GameClosed | None:
    """Return the end of the game after its last hand (ALC-44)."""
    return GameClosed(places_by(sheet.totals), {}) if sheet.hands[-1].hand >= options.deals else None
