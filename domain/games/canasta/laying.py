"""Enumeration of the melds that a known hand can lay: every distinct choice of cards for the melds of a party, from the smaller to the
larger.

Legality depends on numbers only: how many natural and how many wild cards go to which rank, and the values of the wild cards. So a plan of
numbers comes first; only then are the cards picked, of equal cards any.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, combinations, product
from typing import NamedTuple, TypeAlias

from domain.cards import Card, without
from domain.games.canasta.cards import MELD_RANKS, WILD_RANKS, Held, Rank, card_value, in_order, points, rank_of
from domain.games.canasta.melds import MOST_WILDS, NONE, SMALLEST, Meld, Melds, can_go_out, wild_limit

Named: TypeAlias = tuple[tuple[Rank, tuple[Card, ...]], ...]
"""Groups of cards by rank."""


class MeldShare(NamedTuple):
    """The number of natural and of wild cards that go to a rank."""

    rank: Rank
    natural: int
    wild: int


LayingPlan: TypeAlias = tuple[MeldShare, ...]

NO_CARDS: Held = {}


class Bounds(NamedTuple):
    """The conditions of laying: on these melds, and for ``missing`` points or more.

    ``commits`` answers whether after a plan its player has to be able to go out, with the cards that they keep and the ``rest``, if they
    ``may_go_out`` at all. If they cannot after a plan, laying more does not help.
    """

    melds: Melds
    missing: int
    commits: Callable[[LayingPlan], bool]
    may_go_out: bool
    ranks: str = MELD_RANKS
    rest: Held = NO_CARDS


class Laying(ABC):
    """The layable melds of a hand within such bounds."""

    __slots__ = ("bounds", "commits", "melds", "missing")

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.melds, self.missing, self.commits = bounds.melds, bounds.missing, bounds.commits

    @abstractmethod
    def shares_of(self, rank: Rank, pair: int = 0, least: int = 1) -> list[MeldShare]:
        """Return the shares that may go to a rank: ``least`` cards or more, ``pair`` of them or more natural."""

    @abstractmethod
    def choose_cards(self, first: Sequence[MeldShare] = ()) -> Iterator[Named]:
        """Yield every choice of cards, fewer ranks before more; ``first`` are the shares of which one has to be taken."""

    @abstractmethod
    def is_possible(self, plan: LayingPlan, coming: Sequence[Sequence[MeldShare]]) -> bool:
        """Return whether the plan can be laid, with something from all the shares to come."""

    def extend_plan(self, plan: LayingPlan, choices: Sequence[Sequence[MeldShare]]) -> Iterator[LayingPlan]:
        """Yield the plan with one of each of these shares."""
        if not choices:
            yield plan
            return
        for share in choices[0]:
            longer = (*plan, share)
            if self.is_possible(longer, choices[1:]):
                yield from self.extend_plan(longer, choices[1:])

    def with_rest(self, held: Held) -> Held:
        rest = self.bounds.rest
        return {rank: held.get(rank, 0) + rest.get(rank, 0) for rank in (*held, *rest)} if rest else held

    def melds_after(self, plan: LayingPlan) -> Melds:
        after = dict(self.melds)
        for rank, natural, wild in plan:
            meld = after.get(rank, NONE)
            after[rank] = Meld(meld.natural + natural, meld.wild + wild)
        return after


class KnownLaying(Laying):
    """A hand of which every card is known."""

    __slots__ = ("_going_out", "_least_wild", "best", "cards", "values", "wilds")

    def __init__(self, hand: Iterable[Card], bounds: Bounds) -> None:
        super().__init__(bounds)
        self.cards: dict[Rank, list[Card]] = {}
        for card in in_order(hand):
            self.cards.setdefault(rank_of(card), []).append(card)
        self.wilds = tuple(card for rank in sorted(WILD_RANKS) for card in self.cards.pop(rank, ()))
        self.best = (0, *accumulate(sorted((card_value(rank_of(card)) for card in self.wilds), reverse=True)))
        self.values = {rank: points(cards) for rank, cards in self.cards.items()}
        self._least_wild: dict[Rank, int] = {}
        self._going_out: dict[LayingPlan, bool] = {}

    def shares_of(self, rank: Rank, pair: int = 0, least: int = 1) -> list[MeldShare]:
        meld, natural = self.melds.get(rank, NONE), len(self.cards.get(rank, ()))
        if not meld.size and not natural:
            return []
        sizes = range(max(least, SMALLEST - meld.size), natural + len(self.wilds) + 1)
        mixes = ((size - wild, wild) for size in sizes for wild in range(min(size, MOST_WILDS, len(self.wilds)) + 1))
        return [
            MeldShare(rank, number, wild)
            for number, wild in mixes
            if pair <= number <= natural and meld.wild + wild <= wild_limit(rank, meld.natural + number)
        ]

    def choose_cards(self, first: Sequence[MeldShare] = ()) -> Iterator[Named]:
        for plan in self._plans(first):
            yield from self._pick_cards(plan)

    def _plans(self, first: Sequence[MeldShare]) -> Iterator[LayingPlan]:
        others = [shares for rank in self.bounds.ranks if (not first or rank != first[0].rank) and (shares := self.shares_of(rank))]
        self._least_wild = {shares[0].rank: min(share.wild for share in shares) for shares in (*others, first) if shares}
        ahead = (first,) if first else ()
        for number in range(0 if first else 1, len(others) + 1):
            due = self.missing - self.best[min(MOST_WILDS * (number + len(ahead)), len(self.wilds))] if self.missing else 0
            for chosen in self._choose_ranks(others, number, *self._after(ahead, len(self.wilds), due)):
                yield from self.extend_plan((), (*ahead, *chosen))

    def _choose_ranks(
        self, others: Sequence[Sequence[MeldShare]], number: int, wilds: int, due: int
    ) -> Iterator[tuple[Sequence[MeldShare], ...]]:
        """Yield choices of ``number`` ranks, as far as the wild cards suffice for those that need some, and worth at least ``due``."""
        if wilds < 0 or due > number * max([self.values.get(shares[0].rank, 0) for shares in others], default=0):
            return
        if not number:
            yield ()
            return
        for place in range(len(others) - number + 1):
            chosen = others[place : place + 1]
            for further in self._choose_ranks(others[place + 1 :], number - 1, *self._after(chosen, wilds, due)):
                yield (*chosen, *further)

    def _after(self, chosen: Sequence[Sequence[MeldShare]], wilds: int, due: int) -> tuple[int, int]:
        """Return how many wild cards are left and how many points are still due, once these ranks were chosen."""
        for shares in chosen:
            wilds -= self._least_wild[shares[0].rank]
            due -= self.values.get(shares[0].rank, 0)
        return wilds, due

    def is_possible(self, plan: LayingPlan, coming: Sequence[Sequence[MeldShare]]) -> bool:
        wilds = sum([share.wild for share in plan]) + sum([self._least_wild[shares[0].rank] for shares in coming])
        return wilds <= len(self.wilds) and self._value(plan, coming) >= self.missing and (not self.commits(plan) or self.goes_out(plan))

    def _value(self, plan: LayingPlan, coming: Sequence[Sequence[MeldShare]]) -> int:
        """Return the most that the plan can be worth when the shares to come are chosen."""
        if not self.missing:
            return 0
        wilds = sum([share.wild for share in plan]) + MOST_WILDS * len(coming)
        value = sum([share.natural * card_value(share.rank) for share in plan])
        value += sum([self.values.get(shares[0].rank, 0) for shares in coming])
        return value + self.best[min(wilds, len(self.wilds))]

    def _pick_cards(self, plan: LayingPlan) -> Iterator[Named]:
        """Yield the cards for a plan; the natural cards of a rank are all worth the same, the wild ones are not."""
        # The plan was judged with the best wild cards; a choice of jokers and twos may be worth less.
        due = self.missing - sum(share.natural * card_value(share.rank) for share in plan)
        naturals = [choices(self.cards.get(share.rank, ()), share.natural) for share in plan]
        for wilds in _dealt(self.wilds, [share.wild for share in plan]):
            if points(chain.from_iterable(wilds)) >= due:
                for picks in product(*naturals):
                    yield tuple((share.rank, pick + wild) for share, pick, wild in zip(plan, picks, wilds, strict=True))

    def goes_out(self, plan: LayingPlan) -> bool:
        if not self.bounds.may_go_out:
            return False
        # Many choices of ranks begin with the same plan.
        if plan not in self._going_out:
            self._going_out[plan] = self._goes_out(plan)
        return self._going_out[plan]

    def _goes_out(self, plan: LayingPlan) -> bool:
        held = {rank: len(cards) for rank, cards in self.cards.items()}
        for share in plan:
            held[share.rank] = held.get(share.rank, 0) - share.natural
        held["2"] = len(self.wilds) - sum(share.wild for share in plan)
        return can_go_out(self.with_rest(held), self.melds_after(plan))


def choices(cards: Sequence[Card], number: int) -> Iterable[tuple[Card, ...]]:
    """Return every choice of ``number`` cards, equal cards lying side by side."""
    return dict.fromkeys(combinations(cards, number))


def _dealt(cards: tuple[Card, ...], numbers: Sequence[int]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Yield every way to give so many of the cards to each."""
    if not numbers:
        yield ()
        return
    for chosen in choices(cards, numbers[0]):
        for others in _dealt(without(cards, chosen), numbers[1:]):
            yield (chosen, *others)
