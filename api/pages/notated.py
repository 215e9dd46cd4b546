"""What a page needs to read lines by itself among the moves that it holds: the letters and the signs of a game in one language.

How moves are spelled stands beside each of them (``units``), so a page needs no grammar.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.cards import Card
from domain.errors import Refused
from domain.notation.grammar import Notation
from domain.notation.units import SIGNS
from domain.rules import Ruleset


class Notated(Struct, frozen=True, kw_only=True):
    """``cards``: of each its rank, the codes of its suits and how often the deck has it; ``ranks``, ``suits``: what may be typed for them,
    blanks between. ``own``: cards may stand in any order among the signs. ``hands``: the suits of a hand that is typed suit by suit."""

    cards: Mapping[Card, tuple[str, str, int]]
    ranks: Mapping[str, str]
    suits: Mapping[str, str]
    signs: Mapping[str, str]
    numbered: Sequence[str]
    bare: bool
    plain: str | None
    order: Sequence[str]
    own: bool
    hands: str


def notated(ruleset: Ruleset | None, options: Mapping[str, Any], seats: int, language: str) -> Notated | None:
    """None for a game that has no notation, or whose rules are not kept here any more."""
    try:
        notation = ruleset.bind(dict(options), seats).notation if ruleset else None
    except Refused:
        return None
    return notated_by(notation, language) if notation else None


def notated_by(notation: Notation, language: str) -> Notated:
    grammar, alphabet = notation.grammar, notation.letters.of(language)
    copies = Counter(notation.deck)
    cards = {card: (*(alphabet.split(card) if card not in alphabet.ranks else (card, "")), copies[card]) for card in copies}
    return Notated(
        cards=cards,
        ranks=alphabet.ranks,
        suits=alphabet.suits,
        signs={typed: sign for typed, sign in SIGNS[language].items() if sign in grammar.signs},
        numbered=grammar.numbered,
        bare=grammar.bare,
        plain=grammar.plain,
        order=grammar.order,
        own=grammar.fitting is not None,
        hands=grammar.suits,
    )
