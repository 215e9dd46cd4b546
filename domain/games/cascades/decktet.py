"""The cards of the Decktet: rank, hyphen, suits, as in ``4-MS`` (CSC-3 to CSC-5)."""

from domain.cards import Card

SUITS = "MSWLYK"
"""Moons, Suns, Waves, Leaves, Wyrms, Knots: suits stand in this order in a code."""

ACES = 6

_BASIC: tuple[Card, ...] = (
    *("A-M", "A-S", "A-W", "A-L", "A-Y", "A-K"),
    *("2-MK", "2-SY", "2-WL"),
    *("3-MW", "3-SK", "3-LY"),
    *("4-MS", "4-WL", "4-YK"),
    *("5-ML", "5-SW", "5-YK"),
    *("6-MW", "6-SY", "6-LK"),
    *("7-ML", "7-SK", "7-WY"),
    *("8-MS", "8-WL", "8-YK"),
    *("9-MS", "9-WY", "9-LK"),
)
_PAWNS: tuple[Card, ...] = ("PAWN-MSL", "PAWN-MYK", "PAWN-SWK", "PAWN-WLY")
_COURTS: tuple[Card, ...] = ("COURT-MWK", "COURT-MLY", "COURT-SWY", "COURT-SLK")
_CROWNS: tuple[Card, ...] = ("CROWN-M", "CROWN-S", "CROWN-W", "CROWN-L", "CROWN-Y", "CROWN-K")


def deck(*, pawns: bool, courts: bool) -> tuple[Card, ...]:
    """Return the full deck in canonical order: 36, 40 or 44 cards."""
    return (*_BASIC, *_PAWNS * pawns, *_COURTS * courts, *_CROWNS)


EXTENDED = deck(pawns=True, courts=True)


def rank(card: Card) -> str:
    return card.partition("-")[0]


def aces_of(deck: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the indices of the aces in a deck; if it does not name all of them, they are its first six cards (CSC-34, CSC-48)."""
    named = tuple(place for place, card in enumerate(deck) if rank(card) == "A")
    return named if len(named) == ACES else tuple(range(ACES))


def suits(card: Card) -> str:
    return card.partition("-")[2]


def shares_suit(card: Card, other: Card) -> bool:
    return not set(suits(card)).isdisjoint(suits(other))
