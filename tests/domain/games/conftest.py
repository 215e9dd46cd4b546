"""Random games, each played once for all the laws that look at it.

``KIEBITZ_LAW_GAMES=20`` plays twenty games of each set-up instead of one: for a new game, or a change that goes deep.
"""

import os
from functools import cache

import pytest

from domain.games import RULESETS
from tests.domain.games.setups import TRIED, SetUp
from tests.laws import Playout, play

GAMES = int(os.environ.get("KIEBITZ_LAW_GAMES", "1"))

SET_UPS = {
    f"{key} {set_up}" + f" again {again}" * bool(again): (key, set_up)
    for again in range(GAMES)
    for key, tried in TRIED.items()
    if key in RULESETS
    for set_up in tried().set_ups
}


@cache
def played(name: str) -> Playout:
    """One game of the set-up, the same in every run."""
    key, set_up = SET_UPS[name]
    return random_game(key, set_up, name)


def random_game(key: str, set_up: SetUp, seed: str) -> Playout:
    ruleset = RULESETS[key]
    return play(ruleset, ruleset.bind(dict(set_up.options), set_up.seats), seed, set_up.longest, set_up.rarely)


@pytest.fixture(params=SET_UPS, ids=str)  # by their names, however long
def playout(request: pytest.FixtureRequest) -> Playout:
    return played(request.param)


@pytest.fixture(params=sorted(RULESETS))
def any_playout(request: pytest.FixtureRequest) -> Playout:
    """One short game of each ruleset."""
    games = [played(name) for name, (key, _) in list(SET_UPS.items()) if key == request.param][:4]
    return min(games, key=lambda game: len(game.steps))
