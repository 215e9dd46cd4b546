"""Card codes and multisets of cards. A code is a short string; which codes exist is a matter of each game (COM-2)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

Card: TypeAlias = str
Seat: TypeAlias = int

HIDDEN: Card = "?"
"""Stands for a face that the reader may not see (COM-32), and for one that the record does not know (COM-70); no card has this code."""

CARD_CODE = {"card_code": True}
"""``extra`` of the type of a field of a move that holds the code of a card: there a name of the card may be typed, too."""

SUITS = "SHDC"
RANKS = "AKQJT98765432"
FRENCH_DECK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards in canonical order: suit by suit S H D C, within a suit from the ace down to the two."""


@lru_cache(maxsize=64)
def copies_of(deck: tuple[Card, ...]) -> Mapping[Card, int]:
    """Return the number of copies of each card in the deck, in the order of the deck."""
    return dict(Counter(deck))


def same_cards(left: Iterable[Card], right: Iterable[Card]) -> bool:
    """Return whether both hold the same cards, copies counted, in whatever order."""
    return Counter(left) == Counter(right)


def without(cards: Sequence[Card], gone: Iterable[Card]) -> tuple[Card, ...]:
    """Return the remaining cards in their order; of equal copies the first ones are removed. Cards that are not there are ignored."""
    going = Counter(gone)
    left = []
    for card in cards:
        if going[card] > 0:
            going[card] -= 1
        else:
            left.append(card)
    return tuple(left)


def append_missing_cards(listed: Sequence[Card], deck: Sequence[Card]) -> tuple[Card, ...]:
    """Return the listed cards, then the rest of the deck in its canonical order (COM-61, ``"fill": "sorted"``)."""
    return (*listed, *without(deck, listed))
