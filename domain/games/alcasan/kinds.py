"""The kinds of cards, and which fits on which (ALC-1 to ALC-5, ALC-19 to ALC-26)."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

from domain.cards import Card

WATER, FIRE, EARTH, AIR = "4", "fire", "earth", "air"

KINDS: tuple[Card, ...] = ("1", "2", "3", WATER, "5", "6", "7", "8", "9", "10", FIRE, EARTH, AIR)
"""In canonical order; water is a number card."""

COPIES = 4
DECK: tuple[Card, ...] = tuple(kind for kind in KINDS for _ in range(COPIES))
COPIES_OF_KINDS = dict.fromkeys(KINDS, COPIES)

_VALUES = {str(value): value for value in range(1, 11)}
_ORDER = {kind: place for place, kind in enumerate(KINDS)}

Misfit = Literal["card_too_low", "card_too_high"]


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards in canonical order (ALC-5); cards without a place in it, such as hidden ones, stand last."""
    return tuple(sorted(cards, key=lambda card: _ORDER.get(card, len(KINDS))))


def effective(pile: Iterable[Card]) -> Card | None:
    """Return the card that the next lay is measured against: the topmost that is not air (ALC-19). The top is the last card."""
    return next((card for card in reversed(tuple(pile)) if card != AIR), None)


def find_mismatch(card: Card, on: Card | None, *, compared: bool = False) -> Misfit | None:
    """Return why a card does not fit on the effective card; ``None`` if it does (ALC-21 to ALC-25). ``compared``: as four in one lay, which
    on water have to be as high as on any other number (ALC-28).
    """
    if card not in _VALUES or on not in _VALUES:
        return None
    if on == WATER and not compared:
        return "card_too_high" if _VALUES[card] > _VALUES[WATER] else None
    return "card_too_low" if _VALUES[card] < _VALUES[on] else None


Fitting: TypeAlias = Mapping[Card, tuple[int, ...]]
"""Kinds in canonical order, each with the numbers of equal cards that fit in one lay."""


@lru_cache(maxsize=64)
def list_matching_kinds(card: Card | None, most: int = COPIES, *, compared: bool = False) -> Fitting:
    """Return what fits on the effective card, in lays of up to ``most`` cards. ``compared``: of four in one lay (ALC-28)."""
    numbers = {
        kind: tuple(number for number in range(1, most + 1) if find_mismatch(kind, card, compared=compared and number == COPIES) is None)
        for kind in KINDS
    }
    return {kind: fitting for kind, fitting in numbers.items() if fitting}


def restrict_counts(fitting: Fitting, count: Callable[[Card], int]) -> Fitting:
    """Return what fits of cards of which there are so many of each kind."""
    enough = {kind: tuple([number for number in numbers if number <= count(kind)]) for kind, numbers in fitting.items()}
    return {kind: numbers for kind, numbers in enough.items() if numbers}


def minimum_counts(fitting: Fitting) -> dict[Card, int]:
    """Return for each kind the smallest number that fits."""
    return {kind: numbers[0] for kind, numbers in fitting.items()}


def removal(pile: tuple[Card, ...]) -> Literal["fire", "four"] | None:
    """Return what takes the pile out of the game after a lay: fire on its top, or four identical cards (ALC-25, ALC-26)."""
    if pile[-1:] == (FIRE,):
        return "fire"
    top = pile[-COPIES:]
    return "four" if len(top) == COPIES and len(set(top)) == 1 else None
