"""The games that Kiebitz keeps, one line a game."""

from domain.games import alcasan, canasta, cascades, casino, quartett
from domain.rules import Ruleset, Rulesets

_ALL: tuple[Ruleset, ...] = (
    alcasan.RULESET,
    canasta.RULESET,
    cascades.RULESET,
    casino.RULESET,
    quartett.CLASSIC,
    quartett.TRUMPF,
)  # fmt: skip

RULESETS: Rulesets = {ruleset.key: ruleset for ruleset in _ALL}
"""Every ruleset by its id."""
