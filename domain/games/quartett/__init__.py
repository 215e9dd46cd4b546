"""Quartett: the Trumpfspiel and the classic game, with the same decks. The rules stand in ``RULES.md``."""

from domain.games.quartett.classic.ruleset import CLASSIC
from domain.games.quartett.trumpf.ruleset import TRUMPF, TRUMPF_1, TRUMPF_2, TRUMPF_3

__all__ = ["CLASSIC", "TRUMPF", "TRUMPF_1", "TRUMPF_2", "TRUMPF_3"]
