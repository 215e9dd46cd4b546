"""A sample of the law of unknown cards; ``./run law`` plays more."""

from itertools import cycle

import pytest

from domain.binding import GameRules
from domain.games import RULESETS
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED, SetUp
from tests.telling.bystanders import BYSTANDERS
from tests.telling.law import PARTS, Part, it_goes_as_it_went

_STEPS = 60  # a hand or two of most games

SAMPLE: dict[str, tuple[str, SetUp, Part]] = {
    f"{key} {set_up}, {part} known": (key, set_up, part)
    for key in BYSTANDERS
    for set_up, part in zip(TRIED[key]().set_ups[::6], cycle(PARTS), strict=False)
}
"""Some set-ups, and in turn what is known of the deck."""


@pytest.mark.parametrize("name", SAMPLE, ids=str)
def test_a_hand_recorded_with_unknown_cards_goes_as_it_went(name: str):
    key, set_up, part = SAMPLE[name]
    breaches = it_goes_as_it_went(random_game(key, set_up._replace(longest=_STEPS), name), part)
    assert [breach for breach, _ in zip(breaches, range(3), strict=False)] == []


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_a_ruleset_takes_unknown_cards_if_it_has_a_bystander(key: str):
    ruleset = RULESETS[key]
    assert isinstance(ruleset, GameRules)
    assert (ruleset.telling is not None) == (key in BYSTANDERS)
