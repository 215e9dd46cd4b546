"""alcasan, a shedding game with cards of its own. The rules stand in ``RULES.md``."""

from domain.games.alcasan.ruleset import RULESET

__all__ = ["RULESET"]
