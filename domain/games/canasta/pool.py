"""The faces that cards of a hand may have that nobody has told."""

from functools import cached_property

from domain.cards import Card
from domain.games.canasta.cards import FACES, JOKER, RANKS, RED_THREES, Held, Rank


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

    def cards(self, rank: Rank) -> list[Card]:
        return [card for face in FACES.get(rank, ()) if face in self._copies for card in (face,) * self._copies[face]]

    def number(self, rank: Rank) -> int:
        """Of one rank; a list that asks for a few ranks need not count all."""
        return sum([self._copies.get(face, 0) for face in FACES.get(rank, ())])

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
        return self.number("2") + self.number(JOKER)
