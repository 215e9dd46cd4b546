"""Canasta, for two players or for two partnerships. The rules stand in ``RULES.md``."""

from domain.games.canasta.ruleset import EDITION_1, EDITION_2, EDITION_3, EDITION_4, RULESET

__all__ = ["EDITION_1", "EDITION_2", "EDITION_3", "EDITION_4", "RULESET"]
