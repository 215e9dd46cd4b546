"""Cards, ranks and tiers as people call them, for the sentences of refusals."""

from collections.abc import Mapping

from domain.games.cascades.decktet import rank, suits
from domain.texts import FALLBACK, Catalogue

_CARDS = ("card", "end")
_TIERS = ("tier", "above", "below")


def spoken(detail: Mapping[str, object], language: str, catalogue: Catalogue) -> dict[str, object]:
    """The details with words for codes and numbers. In lists cards keep their short codes."""
    words = catalogue.get(language.lower().partition("-")[0], catalogue[FALLBACK])
    return {name: _said(words, name, value) for name, value in detail.items()}


def _said(words: Mapping[str, str], name: str, value: object) -> object:
    if name in _CARDS and isinstance(value, str):
        named = "/".join(words[f"suit.{suit}"] for suit in suits(value))
        return f"{words['called'].format(rank=words[f'rank.{rank(value)}'], suits=named)} ({value})"
    if name == "rank":
        return words[f"rank.{value}"]
    if name in _TIERS:
        return words[f"tier.{value}"]
    return words["nothing"] if value == () else value
