"""The letters of the cards of a deck: its ids, in every language."""

from typing import Any

from domain.games.quartett.options import QuartettTerms
from domain.notation.letters import Letters, by_code


def letters(agreed: QuartettTerms[Any]) -> Letters:
    return by_code(agreed.deck.cards)
