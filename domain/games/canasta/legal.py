"""Enumeration of the legal moves of Canasta, one at a time and always in the same order.

Two melds are the same if they lay the same cards on the same ranks; the order in which groups and cards are named makes no difference.
"""

from collections.abc import Iterable, Iterator

from domain.cards import HIDDEN, Card, Seat
from domain.games.canasta.cards import BLACK_THREE, NATURAL_RANKS, RED_THREES, Rank, card_value, count_ranks, in_order, is_wild, rank_of
from domain.games.canasta.check_laying import join_melds
from domain.games.canasta.checks import must_take
from domain.games.canasta.laying import Bounds, KnownLaying, Laying, LayingPlan, Named
from domain.games.canasta.laying_untold import UntoldLaying
from domain.games.canasta.options import Options
from domain.games.canasta.table import CanastaTable
from domain.rules import Move


def legal_moves(options: Options, table: CanastaTable, seat: Seat) -> Iterator[Move]:
    """List the legal moves by phase. A card of the own hand without a face may be any that the seat does not see (COM-76)."""
    match table.table.phase:
        case "draw":
            return _drawing(options, table, seat)
        case "play":
            return _playing(table, seat)
        case "answer":
            return _list_answer_moves()
        case _:
            return iter(())


def _list_answer_moves() -> Iterator[Move]:
    for consent in (True, False):
        yield {"type": "answer", "consent": consent}


def _drawing(options: Options, table: CanastaTable, seat: Seat) -> Iterator[Move]:
    if table.stock:
        yield {"type": "draw"}
    elif not must_take(options, table, seat):
        yield {"type": "pass"}
    yield from _takes(options, table, seat)


def _playing(table: CanastaTable, seat: Seat) -> Iterator[Move]:
    """List the moves of the play, discards first, so that a first answer is there at once."""
    hand, party = table.hand(seat), table.party(seat)
    if table.has_canasta(party) if len(hand) == 1 else not table.must_go_out:
        for card in _list_possible_cards(table, hand):
            yield {"type": "discard", "card": card}
    goes_out = table.goes_out(hand, table.melds[party], table.missing(party))
    if goes_out and len(hand) > 1 and table.table.setup.seats == 4 and table.pending_request is None and not table.must_go_out:
        yield {"type": "ask"}
    for named in _find_laying(table, seat, may_go_out=goes_out and table.pending_request != "denied").choose_cards():
        yield {"type": "meld", "melds": _groups(named)}


def _list_possible_cards(table: CanastaTable, hand: tuple[Card, ...]) -> Iterable[Card]:
    """Return the cards that the hand may hold, each face once."""
    known = (card for card in hand if card != HIDDEN)
    return dict.fromkeys(in_order((*known, *table.pool.faces) if HIDDEN in hand else hand))


def _find_laying(table: CanastaTable, seat: Seat, *, may_go_out: bool) -> Laying:
    """Return the layable melds of ``meld`` (CAN-24, CAN-38, CAN-40, CAN-41)."""
    hand, party = table.hand(seat), table.party(seat)

    def commits(plan: LayingPlan) -> bool:
        return table.must_go_out or plan[-1].rank == BLACK_THREE or len(hand) - _count_cards(plan) < 2

    return _laying(table, hand, Bounds(table.melds[party], table.missing(party), commits, may_go_out))


def _laying(table: CanastaTable, hand: tuple[Card, ...], bounds: Bounds) -> Laying:
    return UntoldLaying(hand, table.pool, bounds) if HIDDEN in hand else KnownLaying(hand, bounds)


def _takes(options: Options, table: CanastaTable, seat: Seat) -> Iterator[Move]:
    """List the ways to take the pile, with every rank that its top card may join."""
    top, hand = table.top, table.hand(seat)
    if top is None or table.is_pile_blocked(wild_top_take=options.wild_top_take):
        return
    if options.one_card_pile == "forbidden" and len(hand) == len(table.pile) == 1:
        return
    for rank in NATURAL_RANKS if is_wild(top) else rank_of(top):
        yield from _takes_with(table, seat, top, rank)


def _takes_with(table: CanastaTable, seat: Seat, top: Card, rank: Rank) -> Iterator[Move]:
    """List the ways to take the pile with one rank (CAN-30 to CAN-32, CAN-34)."""
    hand, party = table.hand(seat), table.party(seat)
    # Where it depends on a covered card of the pile, the seat cannot know that it may take: in edition 1, or after a rectification.
    rest = count_ranks(card for card in table.pile[:-1] if card != HIDDEN and card not in RED_THREES)

    kept = len(hand) + table.rest_count

    def commits(plan: LayingPlan) -> bool:
        return kept - _count_cards(plan) < 2

    melds = join_melds(table.melds[party], ((rank, (top,)),))
    missing = max(0, table.missing(party) - card_value(rank_of(top)))
    laying = _laying(table, hand, Bounds(melds, missing, commits, True, NATURAL_RANKS, rest))
    pair = 2 if table.frozen or not table.has_opened(party) else 0
    least = 0 if rank in table.melds[party] else 2
    if first := laying.shares_of(rank, pair, least):
        for (_, cards), *others in laying.choose_cards(first):
            yield {"type": "take", "rank": rank, "cards": cards, "melds": _groups(tuple(others))}


def _count_cards(plan: LayingPlan) -> int:
    return sum(share.natural + share.wild for share in plan)


def _groups(named: Named) -> tuple[Move, ...]:
    return tuple({"rank": rank, "cards": cards} for rank, cards in named)
