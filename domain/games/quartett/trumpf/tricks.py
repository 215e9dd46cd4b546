"""Tricks, ties, and the end of a hand in the Trumpfspiel (QTR-12 to QTR-27)."""

from collections import Counter

from msgspec import UNSET

from domain.cards import HIDDEN, Card, Seat
from domain.effects import BlockAdded, CardsMoved, DetailAnnounced, Effect, Known, MarkSet, SightSet, TurnPassed
from domain.games.quartett.options import QuartettTerms, close_hand
from domain.games.quartett.trumpf.options import ROW, Options
from domain.games.quartett.trumpf.table import FEW, MIDDLE, ROUND, TrumpfTable, stack_zone
from domain.table import Draft, Table


def update_stack_sight(seat: Seat, before: int, after: int) -> list[Effect]:
    """Return the change of sight: with three cards or fewer a seat sees them all, with more only the top one."""
    if (before > FEW) == (after > FEW):
        return []
    return [SightSet(stack_zone(seat), "owner-top" if after > FEW else "owner")]


def win(draft: Draft, options: Options, winner: Seat) -> None:
    """Win the trick: the cards go under the stack, the oldest first (QTR-12); seats without cards are out; the winner announces next
    (QTR-13).
    """
    table = TrumpfTable(draft.table)
    middle, shown = [card for _, card in table.tied_cards], [card for _, card in table.round_cards]
    lying, count = len(table.stack(winner)), len(middle) + len(shown)
    tricks = tuple(tricks + (seat == winner) for seat, tricks in enumerate(table.tricks))
    if middle:
        draft.emit(CardsMoved(tuple(middle[::-1]), MIDDLE, stack_zone(winner), under=True), MarkSet("seats", None, MIDDLE))
    if shown:
        draft.emit(CardsMoved(tuple(shown[::-1]), ROUND, stack_zone(winner), under=True))
    draft.emit(
        *update_stack_sight(winner, lying, lying + count),
        *_block_under(draft.table, winner, count),
        DetailAnnounced(winner, "won", count),
        MarkSet("tricks", tricks),
        *_set_seats_mark(table, "left", ()),
    )
    _remove_empty_seats(draft)
    table = TrumpfTable(draft.table)
    if len(table.in_play) == 1:
        _close(draft, options, "one_left")
    elif _at_limit(table, options):
        _stop(draft, options, "round_limit")
    else:
        draft.emit(MarkSet("trick", _order_seats(table.in_play, winner)), TurnPassed("announce", winner, (winner,)))


def _block_under(table: Table, seat: Seat, count: int) -> list[Effect]:
    """Return the effects that make a block of the lowest cards of a stack, which went under it in one act; none in a hand in which the
    order counts that is recorded (QTR-12, QTR-32). A single card needs no block.
    """
    if table.blocks is UNSET or count < 2:
        return []
    zone, stack = stack_zone(seat), table.cards(stack_zone(seat))
    places = tuple(range(len(stack) - count, len(stack)))
    return [Known(zone, (HIDDEN,) * count + stack[count:]), BlockAdded(tuple(sorted(stack[:count])), {zone: places})]


def _remove_empty_seats(draft: Draft) -> None:
    """Eliminate seats without a card; they share the place behind those still in play (QTR-22, QTR-24)."""
    table = TrumpfTable(draft.table)
    gone = [seat for seat in table.in_play if not table.stack(seat)]
    if gone:
        place = len(table.in_play) - len(gone) + 1
        places = tuple(place if seat in gone else had for seat, had in enumerate(table.places))
        draft.emit(MarkSet("places", places), *(DetailAnnounced(seat, "eliminated", place) for seat in gone))


def _order_seats(seats: list[Seat], first: Seat) -> tuple[Seat, ...]:
    return (*(seat for seat in seats if seat >= first), *(seat for seat in seats if seat < first))


def _at_limit(table: TrumpfTable, options: Options) -> bool:
    return options.round_limit is not None and table.rounds >= options.round_limit


def tie(draft: Draft, options: Options, leaders: tuple[Seat, ...]) -> None:
    """Move the cards of the round to the middle (QTR-15)."""
    table = TrumpfTable(draft.table)
    seats = tuple(seat for seat, _ in (*table.tied_cards, *table.round_cards))
    cards = tuple(card for _, card in table.round_cards)
    draft.emit(DetailAnnounced(None, "tied", leaders), CardsMoved(cards, ROUND, MIDDLE), MarkSet("seats", seats, MIDDLE))
    if _at_limit(table, options):
        _stop(draft, options, "round_limit")
    else:
        if options.tie_break == "tied":
            _choose_next_seats(draft, leaders)
        tie_break(draft, options)


def _choose_next_seats(draft: Draft, tied: tuple[Seat, ...]) -> None:
    """Choose the seats of the tie break: those that were tied, the first of them with a card announcing; if none has a card, all who did
    not sit out (QTR-29).
    """
    table = TrumpfTable(draft.table)
    if able := [seat for seat in tied if table.stack(seat)]:
        left = (*table.left, *(seat for seat in table.trick if seat not in tied))
        draft.emit(*_set_seats_mark(table, "trick", _order_seats(sorted(tied), able[0])), *_set_seats_mark(table, "left", left))
        if able[0] != table.announcer:
            draft.emit(DetailAnnounced(able[0], "announcer"))
    else:
        everybody = _order_seats(sorted((*table.trick, *table.left)), table.trick[0])
        draft.emit(*_set_seats_mark(table, "trick", everybody), *_set_seats_mark(table, "left", ()))


def _set_seats_mark(table: TrumpfTable, mark: str, seats: tuple[Seat, ...]) -> list[Effect]:
    """Return the mark, if it changes; no seats are no mark."""
    return [] if table.table.marks.get(mark, ()) == seats else [MarkSet(mark, seats or None)]


def tie_break(draft: Draft, options: Options) -> None:
    """Prepare the next announcement: seats without a card draw or sit out (QTR-16 to QTR-21)."""
    if not _announcer_found(draft):
        _stop(draft, options, "no_cards")
        return
    table = TrumpfTable(draft.table)
    announcer = table.trick[0]
    empty = [seat for seat in table.trick if not table.stack(seat)]
    if empty and len(table.stack(announcer)) > 1:
        draft.emit(TurnPassed("draw", empty[0], (empty[0],)))
        return
    if empty:
        left = tuple(seat for seat in table.trick if seat not in empty)
        draft.emit(*(DetailAnnounced(seat, "sat_out") for seat in empty), MarkSet("trick", left))
    if len(table.trick) - len(empty) == 1:
        win(draft, options, announcer)
    else:
        draft.emit(TurnPassed("announce", announcer, (announcer,)))


def _announcer_found(draft: Draft) -> bool:
    """Return whether a seat of the trick can announce; the next one with a card does, if the announcer has none (QTR-20, QTR-27)."""
    table = TrumpfTable(draft.table)
    place = next((place for place, seat in enumerate(table.trick) if table.stack(seat)), None)
    if place:
        draft.emit(MarkSet("trick", table.trick[place:] + table.trick[:place]), DetailAnnounced(table.trick[place], "announcer"))
    return place is not None


def stop(draft: Draft, agreed: QuartettTerms[Options]) -> bool:
    """End the hand as if the limit had been reached with the last round that was compared (COM-43, QTR-25). It counts."""
    _stop(draft, agreed.options, "round_limit")
    return True


def _stop(draft: Draft, options: Options, reason: str) -> None:
    """Decide by count: every seat takes back the cards that it showed, then the number of cards decides (QTR-25 to QTR-27)."""
    table = TrumpfTable(draft.table)
    draft.emit(DetailAnnounced(None, "stopped", reason))
    _return_cards(draft, MIDDLE, table.tied_cards)
    if table.tied_cards:
        draft.emit(MarkSet("seats", None, MIDDLE))
    _return_cards(draft, ROUND, table.round_cards)
    returned = Counter(seat for seat, _ in (*table.tied_cards, *table.round_cards))
    for seat, count in returned.items():
        draft.emit(*_block_under(draft.table, seat, count))
    if table.category is not None:
        draft.emit(MarkSet("category", None))
    draft.emit(*_set_seats_mark(table, "left", ()))
    _close(draft, options, reason)


def _return_cards(draft: Draft, zone: str, shown: tuple[tuple[Seat, Card], ...]) -> None:
    """Move the cards under the stacks of the seats that showed them, the oldest first."""
    for seat in dict.fromkeys(seat for seat, _ in shown):
        back = tuple(card for whose, card in shown if whose == seat)
        lying = len(draft.table.cards(stack_zone(seat)))
        draft.emit(CardsMoved(back[::-1], zone, stack_zone(seat), under=True), *update_stack_sight(seat, lying, lying + len(back)))


def _close(draft: Draft, options: Options, end: str) -> None:
    """Close the hand: seats still in play are ranked by the number of cards (QTR-24, QTR-26); each seat scores the seats that it has
    beaten.
    """
    table = TrumpfTable(draft.table)
    cards = tuple(len(table.stack(seat)) for seat in table.seats)
    places = tuple(
        1 + sum(cards[other] > cards[seat] for other in table.in_play) if had is None else had for seat, had in enumerate(table.places)
    )
    beaten = tuple(sum(other > place for other in places) for place in places)
    draft.emit(MarkSet("places", places), MarkSet("trick", None))
    close_hand(draft, options.deals, ROW, beaten, end, {"places": places, "cards": cards, "tricks": table.tricks})
