"""The letters of the cards of a deck: its ids, in every language; and the words for its categories."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from domain.games.quartett.options import Agreed
from domain.notation.letters import Letters, by_code
from domain.notation.words import fold_phrase
from domain.texts import LANGUAGES

SHORTEST = 3
"""The fewest letters of the beginning of a category's name."""


def letters(agreed: Agreed[Any]) -> Letters:
    return by_code(agreed.deck.cards)


def list_category_words(agreed: Agreed[Any]) -> Mapping[str, str]:
    """Return by the typed number the id and the names of a category in every language, and their beginnings that no other one has."""
    categories = cast("tuple[Mapping[str, object], ...]", agreed.deck.definition["categories"])
    names = [(number, name) for number, category in enumerate(categories, 1) for name in _names(category)]
    owners: dict[str, set[int]] = {}
    for number, name in names:
        for end in range(SHORTEST, len(name)):
            owners.setdefault(name[:end].strip(), set()).add(number)
    owners |= {name: {number for number, other in names if other == name} for _, name in names}
    words: dict[str, list[str]] = {}
    for name, numbers in owners.items():
        if len(numbers) == 1:
            words.setdefault(f"={min(numbers)}", []).append(name)
    return {typed: ",".join(named) for typed, named in words.items()}


def _names(category: Mapping[str, object]) -> Iterator[str]:
    for field in ("id", "name", *(f"name_{language}" for language in LANGUAGES)):
        folded = fold_phrase(re.sub(r"\W+", " ", str(category.get(field, ""))))
        if folded[:1].isalpha():
            yield folded
