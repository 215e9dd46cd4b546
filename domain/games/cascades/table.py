"""The table layout of Cascades: zones, marks, and a typed view on them.

Zones: ``stock``, ``waste`` (its top is seen), ``tier:<0..2>``; in the standard variant ``reserve:<0..2>``, in the ace variant
``base:<0..2>``. Marks: ``pass``, ``turns`` and ``placed_before``, the number of cards that lay in the tiers when the pass began. The open
reserve piles follow from the pass and the stock, so they are no mark.
"""

from functools import cached_property
from typing import cast

from domain.cards import HIDDEN, Card
from domain.games.cascades.decktet import rank
from domain.signs import Signs
from domain.table import Table

THREE = range(3)
"""Tiers and reserve piles: upper, middle, lower."""


def tier_zone(tier: int) -> str:
    return f"tier:{tier}"


def pile_zone(pile: int) -> str:
    return f"reserve:{pile}"


def base_zone(tier: int) -> str:
    return f"base:{tier}"


class CascadesTable:
    """A typed view on a table, whole or masked."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.stock = table.cards("stock")
        self.waste = table.cards("waste")
        self.tiers = tuple([table.cards(tier_zone(tier)) for tier in THREE])
        self.reserve = tuple([table.cards(pile_zone(pile)) for pile in THREE])
        self.bases = tuple([table.cards(base_zone(tier)) for tier in THREE])

    @property
    def is_ace_variant(self) -> bool:
        """Return whether this is the ace variant."""
        return self.table.setup.options["variant"] == "ace"

    @property
    def passes_allowed(self) -> int:
        """The limit of passes; 0 for none."""
        return cast("int", self.table.setup.options["passes"])

    @property
    def pass_number(self) -> int:
        return self._number("pass")

    @property
    def turns(self) -> int:
        return self._number("turns")

    @property
    def placed_before(self) -> int:
        """The number of cards in the tiers when the pass began; the opening card counts as placed in the first pass."""
        return self._number("placed_before")

    def _number(self, mark: str) -> int:
        value = self.table.marks.get(mark)
        return value if isinstance(value, int) else 0

    @property
    def tier_card_count(self) -> int:
        return sum(map(len, self.tiers))

    @property
    def left(self) -> int:
        """The cards that are still to be placed."""
        return len(self.stock) + len(self.waste) + sum(map(len, self.reserve))

    @cached_property
    def open_piles(self) -> tuple[bool, ...]:
        """The open reserve piles: each from the end of the pass with its number on (CSC-20), and once nothing is left to turn (CSC-24)."""
        if self.is_ace_variant:
            return (False, False, False)
        ended = self.pass_number if not self.stock else self.pass_number - 1
        return tuple(pile < ended or not (self.stock or self.waste) for pile in THREE)

    @cached_property
    def available(self) -> dict[Card, str]:
        """The cards that may be placed, with their zones: the top of the waste, then the tops of the open piles (CSC-14, CSC-21)."""
        piles = [("waste", self.waste)]
        piles += [(pile_zone(pile), self.reserve[pile]) for pile in THREE if self.open_piles[pile]]
        return {cards[-1]: zone for zone, cards in piles if cards and cards[-1] != HIDDEN}

    @property
    def has_untold_top(self) -> bool:
        """Return whether a card that lies open to be placed has no face yet."""
        piles = (self.waste, *(pile for pile, is_open in zip(self.reserve, self.open_piles, strict=True) if is_open))
        return any(cards[-1:] == (HIDDEN,) for cards in piles)

    @property
    def can_turn(self) -> bool:
        """Return whether there is something to turn, and a pass to turn it in (CSC-18, CSC-19)."""
        return bool(self.stock) or (bool(self.waste) and not self.passes_used_up)

    @property
    def passes_used_up(self) -> bool:
        return 0 < self.passes_allowed <= self.pass_number

    @cached_property
    def _ranks(self) -> tuple[list[str], ...]:
        return tuple([rank(card) for card in cards] for cards in self.tiers)

    def count(self, tier: int, rank_: str) -> int:
        """Count the cards of a rank in a tier; the aces beside it do not count (CSC-37)."""
        return self._ranks[tier].count(rank_)


def signs(_: object) -> Signs:
    return Signs(("play",), {(None, "pass"): int, (None, "turns"): int, (None, "placed_before"): int})
