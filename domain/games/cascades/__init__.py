"""Cascades, a solitaire with the Decktet. The rules stand in ``RULES.md``."""

from domain.games.cascades.ruleset import RULESET

__all__ = ["RULESET"]
