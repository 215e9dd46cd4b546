"""The games that Kiebitz keeps, one line a game."""

from collections.abc import Mapping

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

_OLDER: tuple[Ruleset, ...] = (
    alcasan.EDITION_1,
    canasta.EDITION_1,
    canasta.EDITION_2,
    casino.EDITION_1,
    quartett.TRUMPF_1,
    quartett.TRUMPF_2,
)
"""Editions under which no hand is dealt any more: kept for hands that were, to play them to their end and to judge them."""

EDITIONS: Mapping[tuple[str, int], Ruleset] = {(ruleset.key, ruleset.edition): ruleset for ruleset in (*_OLDER, *_ALL)}
"""Every edition that is kept, by id and number."""
