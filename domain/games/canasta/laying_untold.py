"""What can be laid from a hand in which some cards have no face (CAN-56, COM-76): each of them may be any card of the pool.

Again a plan of numbers comes first, and it knows how many cards without a face it takes at least. So every plan that is made can be
picked, and what the cards without a face cannot afford is never tried.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from domain.cards import HIDDEN, Card, without
from domain.games.canasta.cards import BLACK_THREE, WILD_RANKS, Rank, counted, points, rank_of, worth
from domain.games.canasta.going_out import may_go_out
from domain.games.canasta.laying import Bounds, Laying, LayingPlan, MeldShare, Named, choices
from domain.games.canasta.melds import MOST_WILDS, NONE, SMALLEST, wild_limit

Cards = tuple[Card, ...]


class UntoldLaying(Laying):
    """``pool`` are the faces that cards without one may have. ``cards`` and ``wilds`` are the known cards and the pool together."""

    __slots__ = ("held", "held_wilds", "known", "offered", "picks", "pool", "unknown")

    def __init__(self, hand: Sequence[Card], pool: Cards, bounds: Bounds) -> None:
        known = [card for card in hand if card != HIDDEN]
        super().__init__((*known, *pool), bounds)
        self.unknown = len(hand) - len(known)
        self.known = Counter(known)
        self.held, self.pool = counted(known), counted(pool)
        self.held_wilds = sum(self.held.get(rank, 0) for rank in WILD_RANKS)
        self.offered: dict[Rank, list[MeldShare]] = {}
        self.picks: dict[tuple[Rank, int], list[tuple[Cards, int]]] = {}

    # How many cards without a face something takes

    def _taken(self, plan: LayingPlan) -> int:
        """At least: of what is known as much as possible is laid."""
        naturals = sum(max(0, share.natural - self.held.get(share.rank, 0)) for share in plan)
        return naturals + max(0, sum(share.wild for share in plan) - self.held_wilds)

    def _least(self, rank: Rank) -> int:
        """By whatever is laid on the rank."""
        meld, held = self.melds.get(rank, NONE), self.held.get(rank, 0)
        if meld.size:
            return int(not held and (not self.held_wilds or meld.wild >= wild_limit(rank, meld.natural)))
        return max(0, SMALLEST - held - (rank != BLACK_THREE and self.held_wilds > 0))

    def _beyond(self, cards: Iterable[Card]) -> int:
        return (Counter(cards) - self.known).total()

    # Plans

    def shares_of(self, rank: Rank, pair: int = 0, least: int = 1) -> list[MeldShare]:
        meld = self.melds.get(rank, NONE)
        natural = self.held.get(rank, 0) + min(self.unknown, self.pool.get(rank, 0))
        wilds = min(MOST_WILDS, len(self.wilds), self.held_wilds + self.unknown)
        sizes = range(max(least, SMALLEST - meld.size), natural + wilds + 1)
        shares = (MeldShare(rank, size - wild, wild) for size in sizes for wild in range(min(size, wilds) + 1))
        return [
            share
            for share in shares
            if pair <= share.natural <= natural
            and meld.wild + share.wild <= wild_limit(rank, meld.natural + share.natural)
            and self._taken((share,)) <= self.unknown
        ]

    def _plans(self, first: Sequence[MeldShare]) -> Iterator[LayingPlan]:
        """As ever, fewer ranks before more; but what may go to a rank is worked out only when its turn comes."""
        spare = self.unknown - min((self._taken((share,)) for share in first), default=0)
        ranks = [(rank, self._least(rank)) for rank in self.bounds.ranks if not first or rank != first[0].rank]
        for number in range(0 if first else 1, len(ranks) + 1):
            chosen = None
            for chosen in _affordable(ranks, number, spare):
                coming = [*([first] if first else []), *map(self._offered, chosen)]
                if self._value((), coming) >= self.missing:
                    yield from self._extended((), coming)
            if chosen is None:
                return

    def _offered(self, rank: Rank) -> list[MeldShare]:
        if rank not in self.offered:
            self.offered[rank] = self.shares_of(rank)
        return self.offered[rank]

    def _is_possible(self, plan: LayingPlan, coming: Sequence[Sequence[MeldShare]]) -> bool:
        return self._taken(plan) <= self.unknown and super()._is_possible(plan, coming)

    def _value(self, plan: LayingPlan, coming: Sequence[Sequence[MeldShare]]) -> int:
        """Every card without a face that is left counts as the best that it may be."""
        if not self.missing:
            return 0
        ranks = [shares[0].rank for shares in coming if shares]
        best = max((worth(rank) for rank in (*ranks, *WILD_RANKS) if self.pool.get(rank)), default=0)
        spare = self.unknown - sum(max(0, share.natural - self.held.get(share.rank, 0)) for share in plan)
        wilds = sorted((worth(rank_of(card)) for card in self.known.elements() if rank_of(card) in WILD_RANKS), reverse=True)
        value = sum(share.natural * worth(share.rank) for share in plan) + sum(self.held.get(rank, 0) * worth(rank) for rank in ranks)
        return value + sum(wilds[: sum(share.wild for share in plan) + MOST_WILDS * len(coming)]) + spare * best

    # Cards

    def _picked(self, plan: LayingPlan) -> Iterator[Named]:
        """Which cards are named decides how many without a face it takes: two kings take two if the known one is not among them."""
        due = self.missing - sum(share.natural * worth(share.rank) for share in plan)
        spare = self.unknown - self._taken(plan)
        numbers = [share.wild for share in plan]
        needed = max(0, sum(numbers) - self.held_wilds)
        for wilds in self._wild_picks(numbers, needed + spare):
            laid = tuple(chain.from_iterable(wilds))
            if points(laid) < due:
                continue
            more = self._beyond(laid) - needed
            for picks, over in self._natural_picks(plan, spare - more):
                if not (more or any(over)) or not self.commits(plan) or self.goes_out(plan, over, more):
                    yield tuple((share.rank, pick + wild) for share, pick, wild in zip(plan, picks, wilds, strict=True))

    def _wild_picks(self, numbers: Sequence[int], affordable: int, gone: Cards = ()) -> Iterator[tuple[Cards, ...]]:
        if not numbers:
            yield ()
            return
        for chosen in choices(without(self.wilds, gone), numbers[0]):
            if self._beyond((*gone, *chosen)) <= affordable:
                for others in self._wild_picks(numbers[1:], affordable, (*gone, *chosen)):
                    yield (chosen, *others)

    def _natural_picks(self, plan: LayingPlan, spare: int) -> Iterator[tuple[tuple[Cards, ...], tuple[int, ...]]]:
        """With how many cards without a face each rank takes beyond what it must."""
        if not plan:
            yield (), ()
            return
        for pick, over in self._picks_of(plan[0]):
            if over <= spare:
                for picks, overs in self._natural_picks(plan[1:], spare - over):
                    yield (pick, *picks), (over, *overs)

    def _picks_of(self, share: MeldShare) -> list[tuple[Cards, int]]:
        key = share.rank, share.natural
        if key not in self.picks:
            needed = self._taken((MeldShare(share.rank, share.natural, 0),))
            found = choices(self.cards.get(share.rank, ()), share.natural)
            self.picks[key] = [(pick, self._beyond(pick) - needed) for pick in found]
        return self.picks[key]

    # What is left after a plan

    def goes_out(self, plan: LayingPlan, over: Sequence[int] = (), wild_over: int = 0) -> bool:
        """``over`` and ``wild_over``: cards without a face that are laid though a known card of the rank would do."""
        if not self.bounds.may_go_out:
            return False
        left, pool = dict(self.held), dict(self.pool)
        needed = max(0, sum(share.wild for share in plan) - self.held_wilds) + wild_over
        laid = [(share.rank, share.natural, self._taken((MeldShare(share.rank, share.natural, 0),))) for share in plan]
        taken = [number + more for (_, _, number), more in zip(laid, over or [0] * len(laid), strict=True)]
        for (rank, natural, _), number in zip(laid, taken, strict=True):
            left[rank] = left.get(rank, 0) - natural + number
            pool[rank] = pool.get(rank, 0) - number
        left.pop("JK", None)
        left["2"] = self.held_wilds - sum(share.wild for share in plan) + needed
        pool["2"] = sum(pool.pop(rank, 0) for rank in WILD_RANKS) - needed
        return may_go_out(self.with_rest(left), self.unknown - sum(taken) - needed, pool, self.laid(plan))


def _affordable(ranks: Sequence[tuple[Rank, int]], number: int, spare: int) -> Iterator[tuple[Rank, ...]]:
    """Every choice of so many ranks that together do not take more cards without a face than there are."""
    if not number:
        yield ()
        return
    for place in range(len(ranks) - number + 1):
        rank, least = ranks[place]
        if least <= spare:
            for others in _affordable(ranks[place + 1 :], number - 1, spare - least):
                yield (rank, *others)
