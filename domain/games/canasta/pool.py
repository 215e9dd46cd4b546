"""The faces that cards of a hand may have that nobody has told."""

from functools import cached_property

from domain.cards import Card
from domain.games.canasta.cards import RANKS, RED_THREES, WILD_RANKS, Held, Rank


class Pool:
    """Copies count, and lie side by side in the order of the deck. There is no red three: an untold card is none (CAN-54)."""

    def __init__(self, unaccounted: dict[Card, int]) -> None:
        for card in RED_THREES:
            unaccounted.pop(card, None)
        self._copies = unaccounted

    @property
    def faces(self) -> tuple[Card, ...]:
        """Each once."""
        return tuple(self._copies)

    @cached_property
    def cards(self) -> dict[Rank, list[Card]]:
        """By rank."""
        found: dict[Rank, list[Card]] = {}
        for card, copies in self._copies.items():
            found.setdefault(RANKS[card], []).extend([card] * copies)
        return found

    @cached_property
    def numbers(self) -> Held:
        """By rank."""
        found: Held = {}
        for card, copies in self._copies.items():
            rank = RANKS[card]
            found[rank] = found.get(rank, 0) + copies
        return found

    @cached_property
    def wilds(self) -> int:
        return sum(self.numbers.get(rank, 0) for rank in WILD_RANKS)
