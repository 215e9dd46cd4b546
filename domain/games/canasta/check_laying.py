"""Legality checks of laying melds and taking the pile, one check a line, in the order in which they decide."""

from collections import Counter
from collections.abc import Sequence

from domain.cards import Card, Seat, without
from domain.errors import Refused
from domain.games.canasta.cards import BLACK_THREE, RED_THREES, WILD_RANKS, Rank, is_wild, naturals, points, rank_of
from domain.games.canasta.melds import NONE, SMALLEST, Meld, Melds, wild_limit
from domain.games.canasta.moves import Group, Lay, Take, list_meld_cards
from domain.games.canasta.options import Options
from domain.games.canasta.table import CanastaTable


def check_take(options: Options, table: CanastaTable, seat: Seat, move: Take) -> None:
    top, hand, party = table.top, table.hand(seat), table.party(seat)
    groups = (Group(move.rank, move.cards), *move.melds)
    pair = naturals(move.cards)
    if top is None:
        raise Refused("pile_blocked", "CAN-33", problem="empty")
    if table.is_pile_blocked(wild_top_take=options.wild_top_take):
        raise Refused("pile_blocked", "CAN-34" if is_wild(top) else "CAN-8" if top in RED_THREES else "CAN-33", card=top)
    if options.one_card_pile == "forbidden" and len(hand) == len(table.pile) == 1:
        raise Refused("one_card_pile", "CAN-35", card=top)
    _check_held(hand, groups)
    if unfit := [group.rank for group in groups if group.rank in WILD_RANKS or group.rank == BLACK_THREE]:
        raise Refused("rank_not_meldable", "CAN-24" if unfit[0] == BLACK_THREE else "CAN-20", rank=unfit[0])
    if not is_wild(top) and move.rank != rank_of(top):
        raise Refused("top_card_not_used", "CAN-29", card=top, rank=move.rank)
    _check_ranks(groups)
    if table.frozen and pair < 2:
        raise Refused("pile_frozen", "CAN-32", card=top, cards=move.cards, rank=move.rank)
    if not table.has_opened(party) and pair < 2:
        raise Refused("natural_pair_needed", "CAN-30", card=top, cards=move.cards, rank=move.rank)
    if move.rank not in table.melds[party] and len(move.cards) < 2:
        raise Refused("two_cards_needed", "CAN-31", card=top, cards=move.cards, rank=move.rank)
    after = join_melds(table.melds[party], ((move.rank, (top,)), *_by_rank(groups)))
    _check_results(groups, after)
    _check_minimum(table, party, (*list_meld_cards(groups), top))
    _check_left_after_take(table, without(hand, list_meld_cards(groups)), after)


def _check_left_after_take(table: CanastaTable, left: tuple[Card, ...], after: Melds) -> None:
    """Refuse if too few cards are left. The hand is counted with the pile, but without red threes and before their replacement (CAN-38)."""
    rest = tuple(card for card in table.pile[:-1] if card not in RED_THREES)
    if len(left) + table.rest_count < 2 and not table.goes_out(left + rest, after):
        raise Refused("going_out_needs_canasta", "CAN-36", "CAN-38")


def check_lay(table: CanastaTable, seat: Seat, move: Lay) -> None:
    hand, party, groups = table.hand(seat), table.party(seat), move.melds
    _check_held(hand, groups)
    if unfit := [group.rank for group in groups if group.rank in WILD_RANKS]:
        raise Refused("rank_not_meldable", "CAN-20", rank=unfit[0])
    _check_ranks(groups)
    after = join_melds(table.melds[party], _by_rank(groups))
    _check_results(groups, after)
    _check_minimum(table, party, list_meld_cards(groups))
    _check_left(table, groups, without(hand, list_meld_cards(groups)), after)


def _check_left(table: CanastaTable, groups: Sequence[Group], left: tuple[Card, ...], after: Melds) -> None:
    """Refuse unless the cards left allow the player to continue, or to go out where they have to."""
    threes = any(group.rank == BLACK_THREE for group in groups)
    denied, few = table.pending_request == "denied", len(left) < 2
    if not (threes or few or table.must_go_out):
        return
    goes_out = table.goes_out(left, after)
    if threes and denied:
        raise Refused("going_out_denied", "CAN-40", left=len(left))
    if threes and not goes_out:
        raise Refused("black_threes_not_last", "CAN-24")
    if table.must_go_out and not goes_out:
        raise Refused("must_go_out", must_rule(table))
    if few and denied:
        raise Refused("going_out_denied", "CAN-40", left=len(left))
    if few and not goes_out:
        raise Refused("going_out_needs_canasta", "CAN-36", "CAN-38")


def must_rule(table: CanastaTable) -> str:
    """Return the rule by which the player has to go out: the partner's yes, or black threes that they laid."""
    return "CAN-41" if table.pending_request == "granted" else "CAN-24"


# Shared by both


def join_melds(melds: Melds, groups: Sequence[tuple[Rank, tuple[Card, ...]]]) -> dict[Rank, Meld]:
    """Return the melds of a party after the groups were laid."""
    after = dict(melds)
    for rank, cards in groups:
        after[rank] = after.get(rank, NONE).join_cards(cards)
    return after


def _by_rank(groups: Sequence[Group]) -> list[tuple[Rank, tuple[Card, ...]]]:
    return [(group.rank, group.cards) for group in groups]


def _check_held(hand: tuple[Card, ...], groups: Sequence[Group]) -> None:
    """Refuse unless the hand holds the cards of all groups together, copies counted."""
    held, named = Counter(hand), Counter(list_meld_cards(tuple(groups)))
    if lacking := [card for card, number in named.items() if number > held[card]]:
        raise Refused("card_not_in_hand", "CAN-23", card=lacking[0])


def _check_ranks(groups: Sequence[Group]) -> None:
    """Refuse unless each rank is named once and each card belongs to the rank of its group."""
    if twice := [rank for rank, number in Counter(group.rank for group in groups).items() if number > 1]:
        raise Refused("duplicate_rank", "CAN-21", rank=twice[0])
    if foreign := [(card, group.rank) for group in groups for card in group.cards if not is_wild(card) and rank_of(card) != group.rank]:
        raise Refused("rank_mismatch", "CAN-20", card=foreign[0][0], rank=foreign[0][1])


def _check_results(groups: Sequence[Group], after: Melds) -> None:
    """Refuse melds that would be too small or hold too many wild cards."""
    for group in groups:
        meld = after[group.rank]
        if meld.size < SMALLEST:
            raise Refused("meld_too_small", "CAN-20", rank=group.rank, size=meld.size)
    for group in groups:
        meld = after[group.rank]
        if meld.wild > wild_limit(group.rank, meld.natural):
            rule = "CAN-24" if group.rank == BLACK_THREE else "CAN-22"
            raise Refused("too_many_wilds", rule, rank=group.rank, natural=meld.natural, wild=meld.wild)


def _check_minimum(table: CanastaTable, party: int, laid: tuple[Card, ...]) -> None:
    if (value := points(laid)) < table.missing(party):
        raise Refused("initial_meld_too_low", "CAN-26", "CAN-27", points=value, minimum=table.missing(party))
