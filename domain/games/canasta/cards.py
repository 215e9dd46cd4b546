"""The cards of Canasta: classes, values, order (CAN-4, CAN-5). The rank of a joker is ``JK``, that of a two ``2``: both are wild."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from domain.cards import FRENCH_DECK, Card, copies_of
from domain.unknown_cards.support import CardValues

Rank: TypeAlias = str

Held: TypeAlias = dict[Rank, int]
"""The number of cards of each rank in a hand; suits make no difference to what can be laid."""

JOKER = "JK"
WILD_RANKS = frozenset({"2", JOKER})
BLACK_THREE = "3"
"""The rank; a red three never lies in a hand."""

RED_THREES = frozenset({"3H", "3D"})
NATURAL_RANKS = "AKQJT987654"
MELD_RANKS = NATURAL_RANKS + BLACK_THREE

DECK: tuple[Card, ...] = tuple(card for card in FRENCH_DECK for _ in range(2)) + (JOKER,) * 4
"""The 108 cards in canonical order, both copies side by side."""

COPIES = copies_of(DECK)

_ORDER = {card: place for place, card in enumerate(DECK)}
_WORTH = {JOKER: 50, "2": 20, "A": 20, **dict.fromkeys("KQJT98", 10), **dict.fromkeys("76543", 5)}


def rank_of(card: Card) -> Rank:
    return card if card == JOKER else card[:1]


RANKS: Mapping[Card, Rank] = {card: rank_of(card) for card in DECK}
"""The rank of each card, looked up because lists with unknown cards need it for the whole deck."""

FACES: Mapping[Rank, tuple[Card, ...]] = {
    rank: tuple([card for card in COPIES if RANKS[card] == rank]) for rank in dict.fromkeys(RANKS.values())
}
"""By rank, in the order of the deck."""


COUNTED = CardValues({card: rank for card, rank in RANKS.items() if card not in RED_THREES}, lambda rank: _WORTH.get(rank, 0))
"""Red threes are never held (CAN-57)."""


def is_wild(card: Card) -> bool:
    return card[:1] == "2" or card == JOKER


def naturals(cards: Iterable[Card]) -> int:
    """Count the cards that are not wild."""
    return sum(not is_wild(card) for card in cards)


def card_value(rank: Rank) -> int:
    """Return the value of a card of the rank in melds and in hands."""
    return _WORTH.get(rank, 0)


def points(cards: Iterable[Card]) -> int:
    return sum(card_value(rank_of(card)) for card in cards)


def count_ranks(cards: Iterable[Card]) -> Held:
    return Counter(map(rank_of, cards))


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards sorted canonically; hidden cards last."""
    return tuple(sorted(cards, key=lambda card: _ORDER.get(card, len(DECK))))
