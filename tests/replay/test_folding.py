"""What a follower folds: from effects alone, masked after every fold, he has the table that he may see, whatever officials do."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from domain.events.game import Openness
from domain.games import RULESETS
from domain.rules import Ruleset
from domain.sight import Viewpoint, masked
from domain.table import Table, fold
from replay.folding import effects_of_event
from replay.game_frames import frame
from replay.past import GamePast, GameStep
from tests.domain.games.setups import TRIED
from tests.replay.disputed import Disputed

LENGTH = 100
NUMBERS = (0, 1, 2, 4)
"""One of each openness, and one that is not live. Odd ones play prepared boards."""
OPENNESS: tuple[Openness, ...] = ("hand_over", "game_over", "never")


def steps_of(played: Disputed) -> list[GameStep]:
    line = GamePast(lambda after, limit: played.history[after : after + limit])
    return list(line.steps(0, played.game.position))


@cache
def disputed(ruleset: Ruleset, number: int) -> Disputed:
    """Return a game that is played once for all tests of a process; they only read it."""
    seed = f"{ruleset.key} {number}"
    set_up = Random(seed).choice(TRIED[ruleset.key]().set_ups)
    return Disputed(ruleset, set_up, seed, OPENNESS[number % 3], live=number != 4, boards=number % 2 == 1).play(LENGTH)


def lying(table: Table) -> object:
    return table.zones, table.marks, table.phase, table.turn, table.to_act


def viewers(played: Disputed) -> list[Viewpoint]:
    """Return an official, the public, the first seats, and one that sees as a seat only from the middle on."""
    return [Viewpoint("arbiter"), Viewpoint("public"), *map(Viewpoint, range(played.game.setup.seats)[:2]), Viewpoint(0, LENGTH // 2)]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
@pytest.mark.parametrize("number", NUMBERS)
def test_effects_lead_from_the_table_that_is_seen_before_an_event_to_the_one_after_it(ruleset: Ruleset, number: int):
    played = disputed(ruleset, number)
    steps = steps_of(played)
    for who in viewers(played):
        for step in steps:
            told = frame(played.game, who, played.around, step)
            viewer = played.game.viewer(who, told.position, played.around)
            before = masked((step.before or step.after).table, viewer)
            assert lying(masked(fold(before, effects_of_event(told.event, told.table)), viewer)) == lying(told.table), (who, told)


def test_all_that_replaces_a_table_or_changes_a_score_was_done_in_these_games():
    games = [disputed(ruleset, number) for ruleset in RULESETS.values() for number in NUMBERS]
    done = Counter(recorded.name.partition("/")[0] for played in games for recorded in played.history)
    assert {
        "game.rewound",
        "order.lifted",
        "move.stood",
        "table.rectified",
        "hand.stopped",
        "hand.reported",
        "points.adjusted",
        "game.annulled",
    } <= set(done), done
