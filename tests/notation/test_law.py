"""A sample of the law of the notation; ``./run notation`` plays more."""

from itertools import cycle, islice

import pytest

from domain.games import RULESETS
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.laws import Breaches, Playout
from tests.notation.law import full_forms_are_read_back, lines_tell_what_is_asked, notated, short_forms_are_read_back, words_are_read_back
from tests.telling.law import PARTS, Part

NOTATED = notated()
_STEPS = 25

SAMPLE = {f"{key} {set_up}": (key, set_up) for key in NOTATED for set_up in islice(TRIED[key]().set_ups, 0, None, 16)}


def first(breaches: Breaches) -> list[str]:
    return list(islice(breaches, 3))


def sample(name: str) -> Playout:
    key, set_up = SAMPLE[name]
    return random_game(key, set_up._replace(longest=_STEPS), name)


@pytest.mark.parametrize("name", SAMPLE, ids=str)
def test_what_is_written_in_full_is_read_as_the_same_play(name: str):
    assert first(full_forms_are_read_back(sample(name))) == []


@pytest.mark.parametrize("unknown", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("name", SAMPLE, ids=str)
def test_what_is_written_in_short_is_read_as_the_same_play(name: str, unknown: bool):
    assert first(short_forms_are_read_back(sample(name), every=4, unknown=unknown)) == []


@pytest.mark.parametrize("name", SAMPLE, ids=str)
def test_what_is_written_in_words_is_read_as_the_same_play(name: str):
    assert first(words_are_read_back(sample(name), every=4)) == []


@pytest.mark.parametrize(("name", "part"), list(zip(SAMPLE, cycle(PARTS), strict=False)), ids=str)
def test_what_an_act_asks_for_can_be_typed_behind_the_move(name: str, part: Part):
    assert first(lines_tell_what_is_asked(sample(name), part)) == []


def test_every_ruleset_has_a_grammar():
    assert sorted(RULESETS) == NOTATED
