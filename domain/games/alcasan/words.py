"""Cards and places as people call them, for the sentences of refusals."""

from collections.abc import Mapping

_CARDS = ("card", "cards", "on", "held")
_PLACES = ("place", "phase")


def worded(words: Mapping[str, str], name: str, value: object) -> object:
    """A word for a code."""
    if isinstance(value, tuple):
        return tuple(worded(words, name, item) for item in value)
    if name in _CARDS:
        return words.get(f"card.{value}", value)
    return words.get(f"{name}.{value}", value) if name in _PLACES else value
