"""Casino and Royal Casino. The rules stand in ``RULES.md``."""

from domain.games.casino.ruleset import RULESET

__all__ = ["RULESET"]
