"""The letters of French cards (``KH``) and jokers (``JK``), in both languages."""

from domain.cards import Card
from domain.notation.letters import CardLetters, Letters

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
