"""Alphabets: the letters with which the cards of a deck are typed and written, in every language (NOT-1)."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations, permutations, product

from msgspec import Struct

from domain.cards import Card
from domain.texts import FALLBACK

Split = Callable[[Card], tuple[str, str]]
"""A code as its rank and the codes of its suits."""


class CardLetters(Struct, frozen=True, eq=False):
    """The alphabet of one language. ``ranks`` and ``suits``: for each code its spelling, then, after blanks, further ways to type it."""

    ranks: Mapping[str, str]
    suits: Mapping[str, str] = {}
    split: Split = lambda card: (card, "")

    def forms(self, card: Card) -> Iterator[str]:
        """Yield every way to type the card, in small letters, with all its suits or with fewer."""
        rank, suits = self.split(card)
        for order in self.list_orders(suits):
            letters = (self.suits[suit].split() for suit in order)
            yield from ("".join(form).lower() for form in product(self.ranks[rank].split(), *letters))

    def list_orders(self, suits: str) -> Iterator[tuple[str, ...]]:
        """Yield the suits in every order, all of them first, then fewer, none last."""
        for some in _some(suits):
            yield from permutations(some)

    def write_card(self, card: Card) -> str:
        rank, suits = self.split(card) if card not in self.ranks else (card, "")
        return self.ranks[rank].split()[0] + "".join(self.suits[suit].split()[0] for suit in suits)


def _some(suits: str) -> list[tuple[str, ...]]:
    """Return all suits, then fewer, none last."""
    return [some for number in range(len(suits), -1, -1) for some in combinations(suits, number)]


class Letters(Struct, frozen=True, eq=False):
    """By language the alphabet; English speaks for a language that has none."""

    alphabets: Mapping[str, CardLetters]

    def of(self, language: str) -> CardLetters:
        return self.alphabets.get(language, self.alphabets[FALLBACK])

    def cards_by_text(self, deck: tuple[Card, ...], language: str) -> Mapping[str, frozenset[Card]]:
        """Return the forms that may be typed, each with every card that it may be."""
        return _cards_by_text(self.of(language), deck)


@cache
def _cards_by_text(alphabet: CardLetters, deck: tuple[Card, ...]) -> Mapping[str, frozenset[Card]]:
    typed: dict[str, set[Card]] = {}
    for card in dict.fromkeys(deck):
        for form in alphabet.forms(card):
            typed.setdefault(form, set()).add(card)
    return {form: frozenset(cards) for form, cards in typed.items()}


@cache
def by_code(cards: tuple[Card, ...]) -> Letters:
    """Return letters for cards that are typed and written as their codes."""
    return Letters({FALLBACK: CardLetters({card: card for card in cards})})


# The letters of French cards (`KH`) and jokers (`JK`), in both languages.


JOKER: Card = "JK"


def _split(card: Card) -> tuple[str, str]:
    return (card, "") if card == JOKER else (card[0], card[1:])


_NUMBERS = {rank: rank for rank in "98765432"} | {"T": "T 10", "A": "A", "K": "K", JOKER: "* jk"}

FRENCH = Letters(
    {
        "en": CardLetters(_NUMBERS | {"Q": "Q", "J": "J"}, {"S": "s ♠", "H": "h ♥", "D": "d ♦", "C": "c ♣"}, _split),
        "de": CardLetters(_NUMBERS | {"Q": "D q", "J": "B j"}, {"S": "p s ♠", "H": "h ♥", "D": "k d ♦", "C": "x c ♣"}, _split),
    }
)
"""Pik, Herz, Karo, Kreuz; As, König, Dame, Bube. English letters are read in German, too."""
