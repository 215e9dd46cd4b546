"""The pool of Canasta: the faces that unknown cards of a hand may have."""

from functools import cached_property

from domain.cards import Card
from domain.games.canasta.cards import FACES, JOKER, RANKS, RED_THREES, Held, Rank


class Pool:
    """The pool. Copies count, and lie side by side in the order of the deck. It holds no red three: an untold card is none (CAN-54)."""

    def __init__(self, unaccounted: dict[Card, int]) -> None:
        for card in RED_THREES:
            unaccounted.pop(card, None)
        self._copies = unaccounted

    @property
    def faces(self) -> tuple[Card, ...]:
        """The faces, each once."""
        return tuple(self._copies)

    def cards(self, rank: Rank) -> list[Card]:
        return [card for face in FACES.get(rank, ()) if face in self._copies for card in (face,) * self._copies[face]]

    def number(self, rank: Rank) -> int:
        """Return the number of cards of one rank, without counting all ranks: lists ask for a few of them only."""
        return sum([self._copies.get(face, 0) for face in FACES.get(rank, ())])

    @cached_property
    def numbers(self) -> Held:
        """The number of cards of each rank."""
        found: Held = {}
        for card, copies in self._copies.items():
            rank = RANKS[card]
            found[rank] = found.get(rank, 0) + copies
        return found

    @cached_property
    def wilds(self) -> int:
        return self.number("2") + self.number(JOKER)
