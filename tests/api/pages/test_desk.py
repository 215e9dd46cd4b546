"""The director's desk: the steps that it offers in each state of a tournament."""

from tests.api.conftest import Caller
from tests.api.tournament import announced


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
