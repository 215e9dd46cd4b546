"""A large field is drawn by another process, as it would be drawn here."""

import pytest

from api.tournaments.draw_process import LARGE, draw_in_process
from domain.errors import Refused
from domain.tournament.pairing import DrawTask, draw
from tests.domain.tournament.fields import a_plan, field, withdrawn


def test_the_other_process_draws_what_this_one_would():
    task = DrawTask(a_plan("swiss"), field(LARGE + 1), [], [], 1)
    assert draw_in_process(task) == draw(task)


def test_a_refusal_of_the_other_process_says_why():
    entrants = field(LARGE + 1)
    for one in range(2, LARGE + 2):
        entrants = withdrawn(entrants, one, 1)
    with pytest.raises(Refused) as refused:
        draw_in_process(DrawTask(a_plan("swiss"), entrants, [], [], 1))
    assert refused.value.code == "too_few_entrants"
