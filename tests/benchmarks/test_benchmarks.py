"""That everything can be measured. How quick it is, ``./run bench`` tells: a test would only tell how busy the machine is."""

from itertools import repeat
from random import Random

import pytest
from msgspec.structs import replace

from domain.events import GameOpened, HandDealt, MovePlayed
from domain.game import project
from domain.games import RULESETS
from domain.games.casino import RULESET as CASINO
from tests.benchmarks import engines
from tests.benchmarks.games import played, recorded
from tests.benchmarks.measure import Figure, a_second
from tests.benchmarks.playouts import SET_UPS, random_moves, set_ups


@pytest.mark.parametrize("key", RULESETS)
def test_every_ruleset_is_played_in_every_set_up_that_is_measured(key: str):
    assert all(next(random_moves(key, options, seats)) for options, seats in set_ups(RULESETS[key]))


def test_a_ruleset_of_which_nothing_is_known_is_measured_with_its_usual_options_and_the_fewest_seats():
    assert set_ups(replace(CASINO, key="sixth")) == [({}, 2)]
    assert SET_UPS.keys() <= RULESETS.keys()


@pytest.mark.parametrize("key", RULESETS)
def test_a_measured_game_is_a_history_that_folds(key: str):
    options, seats = set_ups(RULESETS[key])[0]
    history = recorded(played(1, key, options, seats))
    assert [type(event.event) for event in history[:3]] == [GameOpened, HandDealt, MovePlayed]
    game = project(None, history)
    assert game is not None
    assert (game.table.hand, game.table.in_hand) == (1, False)


def test_moves_a_second_are_counted_over_whole_games():
    assert a_second(repeat(1_000), 0.01) > 1_000


def test_a_goal_is_a_largest_ratio():
    assert [Figure("any", 1, "µs", ratio=ratio, goal=1.0).reached for ratio in (0.5, 1.0, 1.5)] == [True, True, False]


def test_the_other_engines_play_whole_games_where_they_are_installed():
    assert all(game(Random(1)) > 0 for _, game in engines.games())
