"""Random games, each played once for all that look at it."""

from functools import cache

from domain.games import RULESETS
from tests.domain.games.setups import TRIED, SetUp
from tests.laws import Playout, play


@cache
def played(key: str) -> list[Playout]:
    """One game of each set-up, the same in every run."""
    return [random_game(key, set_up, f"{key} {set_up}") for set_up in TRIED[key]().set_ups]


def random_game(key: str, set_up: SetUp, seed: str) -> Playout:
    ruleset = RULESETS[key]
    return play(ruleset, ruleset.bind(dict(set_up.options), set_up.seats), seed, set_up.longest, set_up.rarely)
