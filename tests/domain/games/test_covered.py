"""A table of which nothing may be told is shown by every ruleset, with every option: as if nothing lay on it."""

import pytest

from domain.games import RULESETS
from domain.score import Score
from domain.sight import COVERED
from domain.table import Table
from tests.domain.games.setups import TRIED


@pytest.mark.parametrize("key", RULESETS)
def test_a_covered_table_has_the_fields_of_one_before_the_first_hand(key: str):  # COM-31
    for tried in TRIED[key]().set_ups:
        rulebook = RULESETS[key].bind(dict(tried.options), tried.seats)
        before = rulebook.view(Table(rulebook.setup))
        covered = rulebook.view(Table(rulebook.setup, phase=COVERED, score=Score(hand=2, dealer=0)))
        assert covered == {**before, "phase": "covered", "hand": 2, "dealer": 0}
