"""The test for going out with unknown cards: it succeeds if the hand can go out for some of the faces that they may have (CAN-37, CAN-56).

Numbers alone decide. Each unknown card that is laid is one more natural card of a rank, or one more wild card. Unknown cards that no meld
needs have to find a place too, but that is not searched to the last card. So the test may pass for a player who just cannot go out; it
never fails for one who can.
"""

from collections.abc import Iterator
from typing import NamedTuple

from domain.games.canasta.cards import BLACK_THREE, NATURAL_RANKS, WILD_RANKS, Held, Rank, card_value
from domain.games.canasta.melds import CANASTA, MOST_WILDS, NONE, SMALLEST, Melds, can_go_out, wild_limit


class _IncompleteRank(NamedTuple):
    """A rank of which all natural cards are laid: the least and the greatest number of wild cards that the meld takes. ``left`` are the
    cards of the rank that unknown ones can still be.
    """

    natural: int
    wild: int
    low: int
    high: int
    left: int


def may_go_out(held: Held, unknown: int, pool: Held, melds: Melds, minimum: int = 0) -> bool:
    """Return whether the hand may go out. ``held`` are its known cards, ``unknown`` is the number of the others, ``pool`` their possible
    faces, by rank.
    """
    if max((meld.size for meld in melds.values()), default=0) + sum(held.values()) + unknown < CANASTA:
        return False
    if not unknown:
        return can_go_out(held, melds, minimum)
    return any(
        (not minimum or _most(laid, spare, pool) >= minimum) and _may_lay(laid, spare, pool, melds)
        for laid, spare in _but_one(held, unknown, melds)
    )


def _but_one(held: Held, unknown: int, melds: Melds) -> Iterator[tuple[Held, int]]:
    """Yield the hand without the card that is discarded. A further natural card of a rank never does harm; each single card that is kept
    needs an unknown one beside it.
    """
    single = [rank for rank, number in held.items() if number == 1 and rank not in melds and rank not in WILD_RANKS]
    if len(single) > unknown + 1:
        return
    for rank in single:
        yield {**held, rank: 0}, unknown
    if len(single) <= unknown:
        yield held, unknown - 1
        yield held, unknown
        for rank in WILD_RANKS:
            if held.get(rank):
                yield {**held, rank: held[rank] - 1}, unknown


def _most(held: Held, spare: int, pool: Held) -> int:
    """Return the most that the cards can be worth."""
    value = sum(card_value(rank) * number for rank, number in held.items())
    for rank in sorted(pool, key=card_value, reverse=True):
        value += card_value(rank) * min(spare, pool[rank])
        spare = max(0, spare - pool[rank])
    return value


def _may_lay(held: Held, spare: int, pool: Held, melds: Melds) -> bool:
    """Return whether all these cards and ``spare`` ones of the pool may be laid, with a canasta in the end."""
    wilds, free = (sum(cards.get(rank, 0) for rank in WILD_RANKS) for cards in (held, pool))
    ranks: dict[Rank, _IncompleteRank] = {}
    for rank in (*melds, *(rank for rank, number in held.items() if number and rank not in melds and rank not in WILD_RANKS)):
        needed = _count_missing_naturals(rank, held.get(rank, 0), melds)
        ranks[rank] = needy = _build_incomplete_rank(rank, held.get(rank, 0) + needed, pool.get(rank, 0) - needed, melds)
        spare -= needed
        if needy.left < 0 or needy.low > needy.high:
            return False
    least, most, ease, room = 0, 0, free, free
    for _, _, low, high, left in ranks.values():
        least, most, ease, room = least + low, most + high, ease + (low if low < left else left), room + left
    if spare > room and spare > room + sum([_count_meld_cards(rank, pool) for rank in pool if rank not in ranks]):
        return False
    for rank in NATURAL_RANKS:
        before = ranks.get(rank) or _build_incomplete_rank(rank, 0, pool.get(rank, 0), {})
        # A canasta has four natural cards or more, and then takes as many wild ones as it lacks.
        more = max(0, CANASTA - MOST_WILDS - before.natural)
        if more > before.left:
            continue
        lacking = max(0, CANASTA - before.natural - more - before.wild)
        low = least - before.low + lacking
        high = most - before.high + MOST_WILDS - before.wild
        eased = ease - min(before.low, before.left) + min(lacking, before.left - more)
        if _fit(wilds, spare - more, low, high, eased):
            return True
    return False


def _count_missing_naturals(rank: Rank, number: int, melds: Melds) -> int:
    """Return how many natural cards a rank lacks that no wild card can replace: one card makes no meld, nor do two black threes."""
    if rank in melds:
        return 0
    return max(0, SMALLEST - number) if rank == BLACK_THREE else int(number == 1)


def _count_meld_cards(rank: Rank, pool: Held) -> int:
    """Return how many cards of the pool a new meld of the rank can take; none for wild cards, or with a single natural one."""
    return pool[rank] if rank not in WILD_RANKS and pool[rank] >= (SMALLEST if rank == BLACK_THREE else 2) else 0


def _build_incomplete_rank(rank: Rank, number: int, left: int, melds: Melds) -> _IncompleteRank:
    meld = melds.get(rank, NONE)
    natural = meld.natural + number
    low = max(0, SMALLEST - natural - meld.wild) if natural else 0
    return _IncompleteRank(natural, meld.wild, low, wild_limit(rank, natural) - meld.wild, left)


def _fit(wilds: int, spare: int, least: int, most: int, ease: int) -> bool:
    """Return whether the wild cards find their places. If they are too few, ``ease`` of the cards to spare can take one, or be one; if they
    are too many, each spare card can make a place.
    """
    return spare >= 0 and least - wilds <= min(spare, ease) and wilds - most <= spare
