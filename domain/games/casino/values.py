"""Card values of Casino in sums and for capturing (CNO-4 to CNO-6, CNO-20)."""

from collections.abc import Collection, Mapping, Set
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from domain.cards import FRENCH_DECK, HIDDEN, Card

Group: TypeAlias = tuple[Card, ...]
Groups: TypeAlias = tuple[Group, ...]

HIGH_ACE = 14  # the second capture value of an ace in Royal Casino, above the king's 13 (CNO-6)
BOTH_OF_AN_ACE = frozenset({1, HIGH_ACE})

NO_POOL: Mapping[int, int] = MappingProxyType({})
"""Of a hand that is known."""

_NUMERALS = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}
_PICTURES = {"J": 11, "Q": 12, "K": 13}


class Values(Struct, frozen=True):
    """``worth`` is what a card adds to a sum, ``captures`` are its capture values; a classic picture has neither."""

    worth: dict[Card, int]
    captures: dict[Card, tuple[int, ...]]
    highest: dict[Card, int]
    """The largest capture value of each card, of a picture without one 0."""
    ranks: dict[int, str]
    """The rank that captures with each value."""
    with_value: Mapping[int, Set[Card]]
    """All cards that capture with it."""

    def is_court_card(self, card: Card) -> bool:
        """Return whether the card is a picture without a value; in Royal Casino there is none."""
        return card not in self.worth

    def makes(self, group: Group) -> tuple[int, ...]:
        """Return the values that a group makes: its sum, and a lone royal ace 14 as well (CNO-6)."""
        if len(group) == 1:
            return self.captures[group[0]]
        return (sum([self.worth[card] for card in group]),)

    def count_other_cards(self, lying: Set[Card]) -> dict[int, int]:
        """Return how many cards of the deck beside these capture with each value; none with 0."""
        return {value: number for value, cards in self.with_value.items() if (number := len(cards - lying))}

    def cover(self, hand: Collection[Card], wanted: set[int], pool: Mapping[int, int] = NO_POOL) -> bool:
        """Return whether the hand holds a card of its own for each of the different values (CNO-43).

        A card of the hand without a face may be any one of the pool, which is given as ``counted`` (CNO-82).
        """
        held = [self.captures.get(card, ()) for card in hand]
        missing = wanted.difference(*held)
        # Only a royal ace stands for two values, 1 and 14; for both of them it takes two aces.
        if wanted >= BOTH_OF_AN_ACE and sum(1 in values for values in held) == 1:
            missing.add(HIGH_ACE)
        if not missing:
            return True
        if len(missing) > sum(card == HIDDEN for card in hand) or not all(value in pool for value in missing):
            return False
        return not missing >= BOTH_OF_AN_ACE or pool[1] > 1


def _values(ranks: dict[str, int], aces: tuple[int, ...]) -> Values:
    worth = {card: ranks[card[0]] for card in FRENCH_DECK if card[0] in ranks}
    captures: dict[Card, tuple[int, ...]] = {card: (worth[card],) if card in worth else () for card in FRENCH_DECK}
    captures.update({card: aces for card in FRENCH_DECK if card[0] == "A"})
    highest = {card: max(values, default=0) for card, values in captures.items()}
    with_value = {value: {card for card, own in captures.items() if value in own} for value in sorted({*worth.values(), *aces})}
    return Values(worth, captures, highest, {value: min(cards)[0] for value, cards in with_value.items()}, with_value)


VALUES = {
    "classic": _values(_NUMERALS, (1,)),
    "royal": _values(_NUMERALS | _PICTURES, (1, HIGH_ACE)),
}
"""By variant."""
