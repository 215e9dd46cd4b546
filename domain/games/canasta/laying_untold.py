"""Enumeration of the melds that a hand with unknown cards can lay (CAN-56, COM-76): each unknown card may be any card of the pool.

Again a plan of numbers comes first. It knows how many unknown cards it takes at least, because as many known cards as possible are laid. So
a plan that takes too many is never tried, and every plan that is made can be picked.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple, TypeAlias

from domain.cards import HIDDEN, Card, without
from domain.games.canasta.cards import BLACK_THREE, MELD_RANKS, WILD_RANKS, Rank, card_value, count_ranks, in_order, points, rank_of
from domain.games.canasta.going_out import may_go_out
from domain.games.canasta.laying import Bounds, Laying, LayingPlan, MeldShare, Named, choices
from domain.games.canasta.melds import MOST_WILDS, NONE, SMALLEST, wild_limit
from domain.games.canasta.pool import Pool

Cards: TypeAlias = tuple[Card, ...]

_WORTHS = {rank: card_value(rank) for rank in (*MELD_RANKS, *WILD_RANKS)}


class Need(NamedTuple):
    """The least that laying on a rank takes besides its known natural cards: unknown natural ones, and in all, with wild ones."""

    natural: int
    every: int


Picks: TypeAlias = tuple[tuple[Cards, ...], tuple[int, ...]]
"""The natural cards for a plan, and how many unknown ones each rank takes beyond its least number."""


class UntoldLaying(Laying):
    """The layable melds of a hand with unknown cards. ``held`` and ``held_wilds`` count its known cards, ``unknown`` the others."""

    def __init__(self, hand: Sequence[Card], pool: Pool, bounds: Bounds) -> None:
        super().__init__(bounds)
        self.known = [card for card in hand if card != HIDDEN]
        self.unknown = len(hand) - len(self.known)
        self.pool = pool
        self.held = count_ranks(self.known)
        self.held_wilds = sum(self.held.get(rank, 0) for rank in WILD_RANKS)
        self._going_out: dict[object, bool] = {}
        self._needs: dict[Rank, Need] = {}
        self._offers: dict[Rank, list[MeldShare]] = {}
        self._picks: dict[tuple[Rank, int], list[tuple[Cards, int]]] = {}
        self._all_cards: dict[Rank, Cards] = {}

    def choose_cards(self, first: Sequence[MeldShare] = ()) -> Iterator[Named]:
        for plan in self._plans(first):
            yield from self._pick_cards(plan)

    # Counting the unknown cards that a plan takes

    def _count_untold(self, rank: Rank, natural: int) -> int:
        return max(0, natural - self.held.get(rank, 0))

    def _count_untold_wilds(self, plan: LayingPlan) -> int:
        return max(0, sum(share.wild for share in plan) - self.held_wilds)

    def _count_all_untold(self, plan: LayingPlan) -> int:
        naturals, wilds = 0, -self.held_wilds
        for rank, natural, wild in plan:
            naturals += max(0, natural - self.held.get(rank, 0))
            wilds += wild
        return naturals + max(0, wilds)

    def _need(self, rank: Rank) -> Need:
        """Return the least need for any laying on the rank."""
        meld, held = self.melds.get(rank, NONE), self.held.get(rank, 0)
        if meld.size:
            return Need(int(not held and meld.wild >= wild_limit(rank, meld.natural)), int(not held))
        fewest = SMALLEST if rank == BLACK_THREE else SMALLEST - 1
        return Need(max(0, fewest - held), max(0, SMALLEST - held))

    def _need_of(self, shares: Sequence[MeldShare]) -> Need:
        """Return the least need of these shares of one rank."""
        taken = [(self._count_untold(share.rank, share.natural), share.wild) for share in shares]
        return Need(min([natural for natural, _ in taken]), min([natural + wild for natural, wild in taken]))

    # Plans

    def shares_of(self, rank: Rank, pair: int = 0, least: int = 1) -> list[MeldShare]:
        meld, held, held_wilds, unknown = self.melds.get(rank, NONE), self.held.get(rank, 0), self.held_wilds, self.unknown
        most = held + min(unknown, self.pool.number(rank))
        wilds = min(MOST_WILDS, held_wilds + min(unknown, self.pool.wilds))
        found = []
        for size in range(max(least, SMALLEST - meld.size), min(most + wilds, held + held_wilds + unknown) + 1):
            for wild in range(max(0, size - most), min(size - pair, wilds) + 1):
                natural = size - wild
                taken = (natural - held if natural > held else 0) + (wild - held_wilds if wild > held_wilds else 0)
                if taken <= unknown and meld.wild + wild <= wild_limit(rank, meld.natural + natural):
                    found.append(MeldShare(rank, natural, wild))
        return found

    def _may_end(self, plan: LayingPlan) -> bool:
        """Return whether the player can go out after this plan, or a larger one, if they have to."""
        return not self.commits(plan) or self.goes_out(plan)

    def _that_may_end(self, shares: Sequence[MeldShare]) -> list[MeldShare]:
        return [share for share in shares if self._may_end((share,))]

    def _plans(self, first: Sequence[MeldShare]) -> Iterator[LayingPlan]:
        """Yield the plans. The shares of a rank are computed only when its turn comes."""
        if not first:
            yield from self._plans_with((), Need(0, 0))
            return
        rank = first[0].rank
        spent = self._needs[rank] = self._need_of(first)
        if self._value((), (rank,)) >= self.missing:
            yield from self.extend_plan((), (first,))
        # If no share allows the player to go out afterwards, laying more does not help.
        if first := self._that_may_end(first):
            yield from self._plans_with(first, spent)

    def _plans_with(self, first: Sequence[MeldShare], spent: Need) -> Iterator[LayingPlan]:
        """Yield the plans for other ranks, beside one of ``first``, which take at least ``spent``."""
        spare = Need(self.unknown - spent.natural, self.unknown + self.held_wilds - spent.every)
        ranks: list[tuple[Rank, Need]] = []
        for rank in self.bounds.ranks:
            need = self._need(rank)
            if need.natural <= spare.natural and need.every <= spare.every and not (first and rank == first[0].rank):
                self._needs[rank] = need
                ranks.append((rank, need))
        # Not even all ranks together are worth enough: no plan has to be tried.
        if self.missing and self._best((), self._needs) + self.unknown * self._best_of(self._needs) < self.missing:
            return
        for number in range(1, len(ranks) + 1):
            if number == 2:
                self._offers = {rank: self._that_may_end(shares) for rank, shares in self._offers.items()}
            chosen = None
            for chosen in _list_rank_choices(ranks, number, spare):
                if self._value((), (first[0].rank, *chosen) if first else chosen) < self.missing:
                    continue
                coming = [first, *map(self._offer_shares, chosen)] if first else [*map(self._offer_shares, chosen)]
                if all(coming):
                    yield from self.extend_plan((), coming)
            if chosen is None:
                return

    def _offer_shares(self, rank: Rank) -> list[MeldShare]:
        if rank not in self._offers:
            self._offers[rank] = self.shares_of(rank)
        return self._offers[rank]

    def is_possible(self, plan: LayingPlan, coming: Sequence[Sequence[MeldShare]]) -> bool:
        natural = every = 0
        for share in plan:
            taken = self._count_untold(share.rank, share.natural)
            natural += taken
            every += taken + share.wild
        ranks = [shares[0].rank for shares in coming]
        for rank in ranks:
            need = self._needs[rank]
            natural += need.natural
            every += need.every
        if natural > self.unknown or every > self.unknown + self.held_wilds:
            return False
        if self._value(plan, ranks) < self.missing:
            return False
        return self._may_end(plan)

    def _value(self, plan: LayingPlan, ranks: Sequence[Rank]) -> int:
        """Return the most that the plan can be worth with these ranks to come. Each spare unknown card counts as the best it may be."""
        if not self.missing:
            return 0
        taken = sum([self._count_untold(share.rank, share.natural) for share in plan])
        needed = [self._needs[rank].natural for rank in ranks]
        value = sum([number * _WORTHS[rank] for number, rank in zip(needed, ranks, strict=True)])
        spare = self.unknown - taken - sum(needed)
        if ranks:
            return value + self._best(plan, ranks) + spare * self._best_of(ranks)
        wilds = sorted([*self._wild_values, *[self._best_wild] * spare], reverse=True)
        return sum([share.natural * _WORTHS[share.rank] for share in plan]) + sum(wilds[: sum([share.wild for share in plan])])

    def _best(self, plan: LayingPlan, ranks: Collection[Rank]) -> int:
        """Return the most that the known cards can be worth, with all known cards of these ranks."""
        wilds = min(self.held_wilds, sum([share.wild for share in plan]) + MOST_WILDS * len(ranks))
        value = sum([share.natural * _WORTHS[share.rank] for share in plan]) + sum(
            [self.held.get(rank, 0) * _WORTHS[rank] for rank in ranks]
        )
        return value + self._best_wilds[wilds]

    def _best_of(self, ranks: Iterable[Rank]) -> int:
        """Return the most that an unknown card can be worth as a wild one, or in one of these ranks."""
        return max([self._best_wild, *[self._best_natural[rank] for rank in ranks]])

    @cached_property
    def _best_wild(self) -> int:
        """The most that a card without a face can be worth as a wild one."""
        return max(_WORTHS[rank] if self.pool.number(rank) else 0 for rank in WILD_RANKS)

    @cached_property
    def _best_natural(self) -> dict[Rank, int]:
        """The same for each rank."""
        return {rank: number if self.pool.numbers.get(rank) else 0 for rank, number in _WORTHS.items()}

    @cached_property
    def _best_wilds(self) -> tuple[int, ...]:
        return (0, *accumulate(self._wild_values))

    @cached_property
    def _wild_values(self) -> list[int]:
        return sorted([_WORTHS[rank] for rank in WILD_RANKS for _ in range(self.held.get(rank, 0))], reverse=True)

    # Cards

    def _pick_cards(self, plan: LayingPlan) -> Iterator[Named]:
        """Yield the cards for a plan. The named cards decide how many unknown ones it takes: two kings take two if the known one is not
        among them.
        """
        due = self.missing - sum([share.natural * _WORTHS[share.rank] for share in plan]) if self.missing else 0
        wilds_taken = self._count_untold_wilds(plan)
        spare = self.unknown - self._count_all_untold(plan)
        for wilds in self._wild_picks([share.wild for share in plan], wilds_taken + spare):
            laid = tuple(chain.from_iterable(wilds))
            if due > 0 and points(laid) < due:
                continue
            more = self._count_unknown(laid) - wilds_taken
            for picks, over in self._natural_picks(plan, spare - more):
                if not (more or any(over)) or not self.commits(plan) or self.goes_out(plan, over, more):
                    yield tuple([(share.rank, pick + wild) for share, pick, wild in zip(plan, picks, wilds, strict=True)])

    def _wild_picks(self, numbers: Sequence[int], affordable: int, gone: Cards = ()) -> Iterator[tuple[Cards, ...]]:
        if not any(numbers):
            yield ((),) * len(numbers)
            return
        for chosen in choices(without(self._wilds, gone), numbers[0]):
            if self._count_unknown((*gone, *chosen)) <= affordable:
                for others in self._wild_picks(numbers[1:], affordable, (*gone, *chosen)):
                    yield (chosen, *others)

    def _natural_picks(self, plan: LayingPlan, spare: int) -> Iterator[Picks]:
        if len(plan) == 1:
            for pick, over in self._picks_of(plan[0]):
                if over <= spare:
                    yield (pick,), (over,)
            return
        for pick, over in self._picks_of(plan[0]):
            if over <= spare:
                for picks, overs in self._natural_picks(plan[1:], spare - over):
                    yield (pick, *picks), (over, *overs)

    def _picks_of(self, share: MeldShare) -> list[tuple[Cards, int]]:
        key = share.rank, share.natural
        if key not in self._picks:
            taken, found = self._count_untold(*key), choices(self._cards(share.rank), share.natural)
            self._picks[key] = [(pick, self._count_unknown(pick) - taken) for pick in found]
        return self._picks[key]

    @cached_property
    def _wilds(self) -> Cards:
        return tuple(card for rank in sorted(WILD_RANKS) for card in self._cards(rank))

    def _cards(self, rank: Rank) -> Cards:
        """Return the known and the possible cards of the rank, side by side."""
        cards = self._all_cards.get(rank)
        if cards is None:
            known = [card for card in self.known if rank_of(card) == rank] if self.held.get(rank) else ()
            cards = self._all_cards[rank] = in_order((*known, *self.pool.cards(rank)))
        return cards

    def _count_unknown(self, cards: Cards) -> int:
        """Return how many of the cards are not among the known ones."""
        known, beyond = self.known, 0
        for card in set(cards):
            held, more = known.count(card), cards.count(card)
            beyond += more - held if more > held else 0
        return beyond

    def goes_out(self, plan: LayingPlan, over: Sequence[int] = (), wilds_over: int = 0) -> bool:
        """Return whether the hand can go out after the plan. ``over`` and ``wilds_over``: unknown cards that are laid though a known one of
        the rank would do.
        """
        if not self.bounds.may_go_out:
            return False
        wilds = self._count_untold_wilds(plan) + wilds_over
        taken = [self._count_untold(share.rank, share.natural) + more for share, more in zip(plan, over or [0] * len(plan), strict=True)]
        # Known natural cards count for their rank in the hand as on the table, so most plans come down to the same.
        key = (wilds, *((share.rank, share.wild, number) for share, number in zip(plan, taken, strict=True) if share.wild or number))
        if key not in self._going_out:
            self._going_out[key] = self._goes_out(plan, taken, wilds)
        return self._going_out[key]

    def _goes_out(self, plan: LayingPlan, taken: Sequence[int], wilds: int) -> bool:
        left, pool = dict(self.held), dict(self.pool.numbers)
        for share, number in zip(plan, taken, strict=True):
            left[share.rank] = left.get(share.rank, 0) - share.natural + number
            pool[share.rank] = pool.get(share.rank, 0) - number
        left.pop("JK", None)
        left["2"] = self.held_wilds - sum(share.wild for share in plan) + wilds
        pool["2"] = sum(pool.pop(rank, 0) for rank in WILD_RANKS) - wilds
        return may_go_out(self.with_rest(left), self.unknown - sum(taken) - wilds, pool, self.melds_after(plan))


def _list_rank_choices(ranks: Sequence[tuple[Rank, Need]], number: int, spare: Need) -> Iterator[tuple[Rank, ...]]:
    """Yield every choice of ``number`` ranks that together do not take more cards than there are."""
    if not number:
        yield ()
        return
    for place in range(len(ranks) - number + 1):
        rank, need = ranks[place]
        left = Need(spare.natural - need.natural, spare.every - need.every)
        if left.natural >= 0 and left.every >= 0:
            for others in _list_rank_choices(ranks[place + 1 :], number - 1, left):
                yield (rank, *others)
