"""Ranks and values of the cards of a game whose hands are counted (CAN-57)."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TypeAlias

from domain.cards import HIDDEN, Card

Rank: TypeAlias = str


class CardValues:
    """The ranks of the faces that a counted hand can hold, in the order of the deck, and the values of the ranks."""

    def __init__(self, ranks: Mapping[Card, Rank], value: Callable[[Rank], int]) -> None:
        self.ranks = ranks
        self.value = value

    @cached_property
    def order(self) -> Mapping[Rank, int]:
        """The place of each rank in the order of the deck."""
        return {rank: place for place, rank in enumerate(dict.fromkeys(self.ranks.values()))}

    def sum(self, ranks: Counter[Rank]) -> int:
        return sum(self.value(rank) * number for rank, number in ranks.items())

    def names_ranks(self, cards: tuple[Card, ...]) -> bool:
        """Return whether a list of told cards names one by its rank alone. The code of a joker is a face, too, so it does not tell."""
        return any(card in self.order and card not in self.ranks for card in cards)

    def faces_in(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Return the told faces. In a list with ranks a joker is told by its rank, so it stays unknown."""
        return tuple(card for card in cards if card not in self.order) if self.names_ranks(cards) else cards

    def ranks_in(self, cards: tuple[Card, ...]) -> tuple[Rank, ...]:
        """Return the ranks of a list of told cards, those of its faces among them."""
        return tuple(rank for card in cards if card != HIDDEN and (rank := self.ranks.get(card, card)) in self.order)
