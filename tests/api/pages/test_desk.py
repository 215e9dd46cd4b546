"""The director's desk: the steps that it offers in each state of a tournament."""

import re

from tests.api.conftest import Caller
from tests.api.tournament import announced, entered, opened, paired


def desk(director: Caller, path: str, step: str) -> str:
    """Return the page of a step."""
    answer = director.get(f"/t/{path.rpartition('/')[2]}/desk?step={step}")
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def test_a_tournament_that_is_over_can_be_reopened_at_the_desk_until_it_is_published(director: Caller):
    path = announced(director)
    order, in_public = f'data-to="{path}/reopening"', "It is published as it ended."
    assert order not in desk(director, path, "standings")
    director.post(f"{path}/ending", {"how": "cancelled"})
    for step in ("standings", "publish"):
        assert (order in desk(director, path, step), in_public in desk(director, path, step)) == (True, False)
    director.post(f"{path}/publication", {"publication": "aliases"})
    for step in ("standings", "publish"):
        assert (order in desk(director, path, step), in_public in desk(director, path, step)) == (False, True)


def test_games_are_opened_at_chosen_tables_of_those_that_lack_one(director: Caller):
    path = announced(director, format="manual")
    entered(director, path, 6)
    paired(director, path, [[1], [2]], [[3], [4]], [[5], [6]])
    offered = re.compile(r'name="tables\[\]" data-kind="name" value="([^"]+)" checked')
    assert offered.findall(desk(director, path, "start")) == ["1", "2", "3"]
    assert director.post(f"{path}/rounds/1/games", {"tables": ["2"]}).status_code == 200
    assert offered.findall(desk(director, path, "start")) == ["1", "3"]
    opened(director, path)
    assert offered.findall(desk(director, path, "start")) == []
