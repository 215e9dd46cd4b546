"""Groups of loose cards in Casino, computed as bit sets.

Bit *i* is the *i*-th of the loose cards that have a value. The groups that fit are found once for all values, the sets of groups while they
are asked for, from the smaller ones to the larger.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from domain.cards import Card
from domain.games.casino.table import HIGH_ACE, Values

Bits: TypeAlias = int
Taken: TypeAlias = tuple[Bits, tuple[Bits, ...]]
"""The cards that go with the played one, and further groups beside them."""


_Sets: TypeAlias = Callable[[Sequence[Bits], Sequence[Bits]], Iterator[Taken]]
"""Yields from starts and groups every set of cards that is one of the starts and any number of groups beside it, each set once."""


class CardGroups:
    """The loose cards in question, those of them that have a value, and their sums, up to the ``highest`` value of the hand.

    ``whole``: all of them have to be used.
    """

    __slots__ = ("aces", "board", "cards", "sets", "sums", "values", "whole")

    def __init__(self, values: Values, board: Sequence[Card], highest: int, *, whole: bool = False) -> None:
        self.values = values
        self.board = board
        self.whole = whole
        self.sets: _Sets = self._take_everything if whole else unions
        self.cards = [card for card in board if card in values.worth]
        self.aces = [1 << place for place, card in enumerate(self.cards) if HIGH_ACE in values.captures[card]]
        self.sums = self._sums(highest)

    def _sums(self, highest: int) -> dict[int, list[Bits]]:
        """Return for each sum of some of them the sets of cards that make it."""
        sums: dict[int, list[Bits]] = {0: [0]}
        for place, card in enumerate(self.cards):
            worth, bit = self.values.worth[card], 1 << place
            with_it = [(total + worth, [bits | bit for bits in sets]) for total, sets in sums.items() if total + worth <= highest]
            for total, sets in with_it:
                sums[total] = sums[total] + sets if total in sums else sets
        return sums

    @property
    def court_cards(self) -> list[Card]:
        """Those without a value."""
        return [card for card in self.board if card not in self.values.worth] if len(self.cards) < len(self.board) else []

    @property
    def possible_totals(self) -> list[int]:
        """The numbers that some of them add up to."""
        return [total for total in self.sums if total]

    def groups(self, value: int) -> list[Bits]:
        """Return every group that makes the value."""
        found = self.sums.get(value, [])
        return found + self.aces if value == HIGH_ACE else found

    def partners(self, card: Card, value: int) -> list[Bits]:
        """Return the sets that make the value together with a card; the empty set if the card makes it alone."""
        missing = value - self.values.worth[card]
        alone = [0] if missing and value in self.values.captures[card] else []
        return alone + self.sums.get(missing, [])

    def of_rank(self, card: Card) -> list[Card]:
        """Return the cards of which a picture without a value can take one."""
        return [] if self.whole and len(self.board) != 1 else [other for other in self.board if other[0] == card[0]]

    def _take_everything(self, starts: Sequence[Bits], groups: Sequence[Bits]) -> Iterator[Taken]:
        every = (1 << len(self.board)) - 1
        for start in starts:
            others = split_into_groups(every & ~start, groups)
            if others is not None:
                yield start, others
                return

    def cards_of_bits(self, bits: Bits) -> tuple[Card, ...]:
        return tuple(card for place, card in enumerate(self.cards) if bits >> place & 1)


def unions(starts: Sequence[Bits], groups: Sequence[Bits]) -> Iterator[Taken]:
    """Yield every set of cards that is one of the starts and any number of groups beside it, each set once."""
    for start in starts:
        yield start, ()
    if not groups:
        return
    layer: list[tuple[Bits, Bits, tuple[Bits, ...]]] = [(start, start, ()) for start in starts]
    seen = set(starts)
    while layer:
        larger: list[tuple[Bits, Bits, tuple[Bits, ...]]] = []
        for taken, start, beside in layer:
            for group in groups:
                union = taken | group
                # ``seen`` holds unions: the same cards in other groups are the same play.
                if not taken & group and union not in seen:
                    seen.add(union)
                    larger.append((union, start, (*beside, group)))
                    yield start, (*beside, group)
        layer = larger


def split_into_groups(cards: Bits, groups: Sequence[Bits]) -> tuple[Bits, ...] | None:
    """Return the cards in such groups, none left over; ``None`` if that is not possible."""
    return _split_into_groups(cards, groups, set())


def _split_into_groups(cards: Bits, groups: Sequence[Bits], failed: set[Bits]) -> tuple[Bits, ...] | None:
    if not cards:
        return ()
    lowest = cards & -cards
    for group in groups:
        if group & lowest and not group & ~cards and cards ^ group not in failed:
            others = _split_into_groups(cards ^ group, groups, failed)
            if others is not None:
                return (group, *others)
    failed.add(cards)
    return None
