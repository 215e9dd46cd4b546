"""alcasan, a shedding game with cards of its own. The rules stand in ``RULES.md``."""

from domain.games.alcasan.ruleset import EDITION_1, EDITION_2, RULESET

__all__ = ["EDITION_1", "EDITION_2", "RULESET"]
