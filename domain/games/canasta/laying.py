"""What can be laid from a hand: every distinct choice of cards for the melds of a party, from the smaller to the larger.

Whether cards may be laid depends on numbers only: how many natural and how many wild cards go to which rank, and what the wild
cards count. So a plan of numbers comes first; only then are the cards picked, of equal cards any.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, combinations, product
from typing import NamedTuple, TypeAlias

from domain.cards import Card, without
from domain.games.canasta.cards import MELD_RANKS, WILD_RANKS, Held, Rank, in_order, points, rank_of, worth
from domain.games.canasta.melds import MOST_WILDS, NONE, SMALLEST, Meld, Melds, wild_limit

Named: TypeAlias = tuple[tuple[Rank, tuple[Card, ...]], ...]
"""Groups of cards by rank."""


class MeldShare(NamedTuple):
    """How many natural and wild cards go to a rank."""

    rank: Rank
    natural: int
    wild: int


LayingPlan: TypeAlias = tuple[MeldShare, ...]


class Laying:
    """A hand and the melds that it may be laid on.

    ``missing`` is what the cards have to be worth. ``goes_on`` answers whether a plan leaves a hand to go on with; a plan that
    does not is not helped by laying more.
    """

    __slots__ = ("best", "cards", "goes_on", "melds", "missing", "shares", "wilds")

    def __init__(self, hand: Iterable[Card], melds: Melds, missing: int, goes_on: Callable[["Laying", LayingPlan], bool]) -> None:
        self.cards: dict[Rank, list[Card]] = {}
        for card in in_order(hand):
            self.cards.setdefault(rank_of(card), []).append(card)
        self.wilds = tuple(card for rank in sorted(WILD_RANKS) for card in self.cards.pop(rank, ()))
        self.best = (0, *accumulate(sorted((worth(rank_of(card)) for card in self.wilds), reverse=True)))
        self.melds = melds
        self.missing = missing
        self.goes_on = goes_on
        self.shares = {rank: found for rank in MELD_RANKS if (found := self.shares_of(rank))}

    def shares_of(self, rank: Rank, pair: int = 0, least: int = 1) -> list[MeldShare]:
        """What may go to a rank: ``least`` cards or more, ``pair`` of them or more natural."""
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

    def named(self, first: Sequence[MeldShare] = ()) -> Iterator[Named]:
        """Every choice of cards, fewer ranks before more; ``first`` are the shares of which one has to be taken."""
        for plan in self._plans(first):
            yield from self._picked(plan)

    def _plans(self, first: Sequence[MeldShare]) -> Iterator[LayingPlan]:
        others = [shares for rank, shares in self.shares.items() if not first or rank != first[0].rank]
        if self._value((), (*others, first)) < self.missing:
            return
        for number in range(0 if first else 1, len(others) + 1):
            for chosen in combinations(others, number):
                choices = (first, *chosen) if first else chosen
                if self._value((), choices) >= self.missing:
                    yield from self._extended((), choices)

    def _extended(self, plan: LayingPlan, choices: Sequence[Sequence[MeldShare]]) -> Iterator[LayingPlan]:
        if not choices:
            yield plan
            return
        for share in choices[0]:
            longer = (*plan, share)
            if self._is_possible(longer, choices[1:]):
                yield from self._extended(longer, choices[1:])

    def _is_possible(self, plan: LayingPlan, coming: Sequence[Sequence[MeldShare]]) -> bool:
        wilds = sum(share.wild for share in plan)
        return wilds <= len(self.wilds) and self._value(plan, coming) >= self.missing and self.goes_on(self, plan)

    def _value(self, plan: LayingPlan, coming: Sequence[Sequence[MeldShare]]) -> int:
        """The most that the plan can be worth when the shares to come are chosen."""
        if not self.missing:
            return 0
        wilds = sum(share.wild for share in plan) + MOST_WILDS * len(coming)
        ranks = [shares[0].rank for shares in coming if shares]
        value = sum(share.natural * worth(share.rank) for share in plan) + sum(points(self.cards.get(rank, ())) for rank in ranks)
        return value + self.best[min(wilds, len(self.wilds))]

    def _picked(self, plan: LayingPlan) -> Iterator[Named]:
        """The cards for a plan; the natural cards of a rank are all worth the same, the wild ones are not."""
        due = self.missing - sum(share.natural * worth(share.rank) for share in plan)
        naturals = [_choices(self.cards.get(share.rank, ()), share.natural) for share in plan]
        for wilds in _dealt(self.wilds, [share.wild for share in plan]):
            if points(chain.from_iterable(wilds)) >= due:
                for picks in product(*naturals):
                    yield tuple((share.rank, pick + wild) for share, pick, wild in zip(plan, picks, wilds, strict=True))

    # What is left after a plan

    def left(self, plan: LayingPlan) -> Held:
        held = {rank: len(cards) for rank, cards in self.cards.items()}
        for share in plan:
            held[share.rank] = held.get(share.rank, 0) - share.natural
        return {**held, "2": len(self.wilds) - sum(share.wild for share in plan)}

    def laid(self, plan: LayingPlan) -> Melds:
        after = dict(self.melds)
        for rank, natural, wild in plan:
            meld = after.get(rank, NONE)
            after[rank] = Meld(meld.natural + natural, meld.wild + wild)
        return after


def _choices(cards: Sequence[Card], number: int) -> Iterable[tuple[Card, ...]]:
    """Every choice of so many of the cards, equal cards lying side by side."""
    return dict.fromkeys(combinations(cards, number))


def _dealt(cards: tuple[Card, ...], numbers: Sequence[int]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Every way to give so many of the cards to each."""
    if not numbers:
        yield ()
        return
    for chosen in _choices(cards, numbers[0]):
        for others in _dealt(without(cards, chosen), numbers[1:]):
            yield (chosen, *others)
