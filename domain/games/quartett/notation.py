"""The letters of the cards of a deck: its ids, in every language; and the words for its categories."""

from typing import Any

from domain.games.quartett.options import Agreed
from domain.notation.letters import Letters, by_code

SHORTEST = 3
"""The fewest letters of the beginning of a category's name."""


def letters(agreed: Agreed[Any]) -> Letters:
    return by_code(agreed.deck.cards)
