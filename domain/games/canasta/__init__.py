"""Canasta, for two players or for two partnerships. The rules stand in ``RULES.md``."""

from domain.games.canasta.ruleset import RULESET

__all__ = ["RULESET"]
