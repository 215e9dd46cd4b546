"""Cards and places as people call them, for the sentences of refusals."""

from collections.abc import Mapping

from domain.texts import FALLBACK, Catalogue

_CARDS = ("card", "cards", "on", "held")
_PLACES = ("place", "phase")


def spoken(detail: Mapping[str, object], language: str, catalogue: Catalogue) -> dict[str, object]:
    """The details with words for codes."""
    words = catalogue.get(language.lower().partition("-")[0], catalogue[FALLBACK])
    return {name: _said(words, name, value) for name, value in detail.items()}


def _said(words: Mapping[str, str], name: str, value: object) -> object:
    if isinstance(value, tuple):
        return tuple(_said(words, name, item) for item in value)
    if name in _CARDS:
        return words.get(f"card.{value}", value)
    return words.get(f"{name}.{value}", value) if name in _PLACES else value
