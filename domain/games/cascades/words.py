"""Cards, ranks and tiers as people call them, for the sentences of refusals."""

from collections.abc import Mapping

from domain.games.cascades.decktet import rank, suits

_CARDS = ("card", "end")
_TIERS = ("tier", "above", "below")


def worded(words: Mapping[str, str], name: str, value: object) -> object:
    """A word for a code or a number. In lists cards keep their short codes."""
    if name in _CARDS and isinstance(value, str):
        named = "/".join(words[f"suit.{suit}"] for suit in suits(value))
        return f"{words['called'].format(rank=words[f'rank.{rank(value)}'], suits=named)} ({value})"
    if name == "rank":
        return words[f"rank.{value}"]
    if name in _TIERS:
        return words[f"tier.{value}"]
    return words["nothing"] if value == () else value
