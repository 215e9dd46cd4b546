"""Casino and Royal Casino. The rules stand in ``RULES.md``."""

from domain.games.casino.ruleset import EDITION_1, EDITION_2, RULESET

__all__ = ["EDITION_1", "EDITION_2", "RULESET"]
