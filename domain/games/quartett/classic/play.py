"""Effects of deals and questions in classic Quartett, the end of a hand, and its legal moves."""

from collections.abc import Iterable, Iterator

from domain.cards import Card, Seat
from domain.effects import CardsMoved, DetailAnnounced, HandOpened, MarkSet, TurnPassed, ZoneAdded
from domain.games.quartett.classic.moves import Ask, resolve_asked_card
from domain.games.quartett.classic.options import ROW, Options
from domain.games.quartett.classic.table import QuartettTable, hand_zone, zone_of_sets
from domain.games.quartett.options import Deck, QuartettTerms, close_hand
from domain.rules import Move
from domain.score import places_by
from domain.table import Draft, Table


def open_hand(draft: Draft, agreed: QuartettTerms[Options], dealer: Seat, cards: tuple[Card, ...]) -> None:
    """Deal one card at a time from the dealer's left, to the last one; quartets are laid down at once (QKL-3 to QKL-5)."""
    seats = draft.table.setup.seats
    order = tuple((dealer + 1 + step) % seats for step in range(seats))
    draft.emit(
        HandOpened(draft.table.hand + 1, dealer),
        ZoneAdded("stock", "none", None, cards[::-1]),
        *(ZoneAdded(hand_zone(seat), "owner", seat) for seat in range(seats)),
        *(ZoneAdded(zone_of_sets(seat), "all", seat) for seat in range(seats)),
        *(CardsMoved(cards[step::seats], "stock", hand_zone(seat)) for step, seat in enumerate(order)),
    )
    for seat in order:  # a quartet that is not told with the deal is none (QKL-18)
        _lay(draft, agreed.deck, seat, agreed.deck.quartets)
    _tell_out(draft, order)
    _go_on(draft, agreed.options, order[0])


def first_zones(_: object, table: Table, dealer: Seat, deck: tuple[Card, ...]) -> dict[str, tuple[int, ...]]:
    """Return where the cards of a deal go, by their indices in the deck (QKL-3)."""
    seats = table.setup.seats
    return {hand_zone((dealer + 1 + step) % seats): tuple(range(step, len(deck), seats)) for step in range(seats)}


def ask(draft: Draft, agreed: QuartettTerms[Options], table: QuartettTable, seat: Seat, move: Ask) -> None:
    """Hand the card over, and the asker asks again; or the seat that was asked is the next to ask (QKL-9 to QKL-14)."""
    target, card = move.target, resolve_asked_card(agreed.deck, move)
    given = card in table.hand(target)
    draft.emit(MarkSet("asks", table.asks + 1), DetailAnnounced(seat, "asked", {"target": target, "card": card}))
    if given:
        draft.emit(DetailAnnounced(target, "gave", card), CardsMoved((card,), hand_zone(target), hand_zone(seat), shown=True))
        _lay(draft, agreed.deck, seat, (agreed.deck.letter_of[card],))
        _tell_out(draft, (target, seat))
    else:
        draft.emit(DetailAnnounced(target, "refused", card))
    _go_on(draft, agreed.options, seat if given else target)


def _lay(draft: Draft, deck: Deck, seat: Seat, letters: Iterable[str]) -> None:
    """Move complete quartets from the hand to the table (QKL-12)."""
    hand = QuartettTable(draft.table).hand(seat)
    for letter in letters:
        group = deck.quartets[letter]
        if all(card in hand for card in group):
            draft.emit(CardsMoved(group, hand_zone(seat), zone_of_sets(seat), shown=True), DetailAnnounced(seat, "quartet", letter))


def _tell_out(draft: Draft, seats: tuple[Seat, ...]) -> None:
    table = QuartettTable(draft.table)
    draft.emit(*(DetailAnnounced(seat, "out") for seat in seats if table.is_out(seat)))


def _go_on(draft: Draft, options: Options, first: Seat) -> None:
    """Continue with the next question, or end the hand (QKL-13, QKL-15, QKL-17)."""
    table = QuartettTable(draft.table)
    asker = table.next_in(first)
    if asker is None:
        _close(draft, options, "complete")
    elif options.ask_limit is not None and table.asks >= options.ask_limit:
        _close(draft, options, "ask_limit")
    else:
        draft.emit(TurnPassed("ask", asker, (asker,)))


def stop(draft: Draft, agreed: QuartettTerms[Options]) -> bool:
    """End the hand as if the limit had been reached with the last question (COM-43, QKL-17). It counts."""
    _close(draft, agreed.options, "ask_limit")
    return True


def _close(draft: Draft, options: Options, end: str) -> None:
    """Close the hand: the most quartets win it (QKL-16)."""
    table = QuartettTable(draft.table)
    quartets = tuple(table.count_sets(seat) for seat in table.seats)
    close_hand(draft, options.deals, ROW, quartets, end, {"places": places_by(quartets)})


# Every legal question: card by card in canonical order, and to the left from the asker.


def legal_moves(agreed: QuartettTerms[Options], table: QuartettTable, seat: Seat) -> Iterator[Move]:
    """List the questions. The cards are named by their ids; asking by the name is the same question (QKL-7)."""
    deck, held = agreed.deck, table.cards_held_by(agreed.deck, seat)
    may, must, seats = held.may, held.must, len(table.seats)
    others = [other for step in range(1, seats) if not table.is_out(other := (seat + step) % seats)]
    for group in deck.quartets.values():
        if not may.isdisjoint(group):
            barred = must if may is must else must | _only_possible_card(may, group)
            for card in group:
                if card not in barred:
                    for target in others:
                        yield {"type": "ask", "target": target, "card": card}


def _only_possible_card(may: frozenset[Card], group: tuple[Card, ...]) -> frozenset[Card]:
    """Return the only card of a quartet that can be held, which is not asked for (QKL-8, QKL-19)."""
    possible = may.intersection(group)
    return possible if len(possible) == 1 else frozenset()
