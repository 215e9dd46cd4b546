"""Remarks on acts in a game of a tournament: who goes on now in a knock-out, and what happens after the end."""

from typing import Any

import pytest

from tests.api.conftest import Caller
from tests.api.tournament import announced, entered, opened, paired, scored

LATE = "The tournament has ended: its final standings follow this change."
CHANGED = [
    "By the results of round 1 entrant 1 is out, and is paired in round 2.",
    "By the results of round 1 entrant 4 is through, and is not paired in round 2.",
    "While nothing is dealt there, change the tables of round 2 or take back its draw. Otherwise the entrants of round 2 stay in.",
]


@pytest.fixture
def final(director: Caller) -> str:
    """The first game of a knock-out of four whose final is paired: entrant 1 won it by 9 : 1 against entrant 4. The sides had agreed on
    1 : 9, which counts without the game.
    """
    path = announced(director, format="knockout")
    entered(director, path, 4)
    paired(director, path, [[1], [4]], [[2], [3]])
    games = opened(director, path)
    for game in games.values():
        scored(director, game, 9, 1)
    assert director.put(f"{path}/rounds/1/tables/1/result", {"points": [1, 9], "side": 1}).status_code == 201
    assert director.post(f"{path}/rounds/1/tables/1/confirmation", {"side": 4}).status_code == 201
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    paired(director, path)
    return f"/v1/games/{games['1']}"


def remarks(director: Caller, address: str, body: object) -> list[str]:
    """What a dry run and the act itself remark, which is the same."""
    tried, done = director.post(f"{address}?dry_run=true", body), director.post(address, body)
    assert (tried.status_code, done.status_code) == (200, 201), (tried.text, done.text)
    told: list[Any] = tried.json().get("remarks", [])
    assert told == done.json().get("remarks", [])
    return [one["sentence"] for one in told]


def given(*points: int) -> dict[str, Any]:
    return {"adjustments": [{"party": party, "points": one} for party, one in enumerate(points)], "reason": "counted again"}


def test_points_that_change_who_goes_on_say_so_and_what_to_do(director: Caller, final: str):
    assert remarks(director, f"{final}/adjustments", given(-1, 1)) == []
    ruling = {"decision": "adjust", **given(-8, 8)}
    assert remarks(director, f"{final}/rulings", ruling) == CHANGED
    assert remarks(director, f"{final}/adjustments", given(0, 1)) == []


def test_an_annulment_that_changes_who_goes_on_says_so(director: Caller, final: str):
    assert remarks(director, f"{final}/annulment", {"reason": "marked cards"}) == CHANGED


def test_seats_put_right_change_who_goes_on(director: Caller, final: str):
    one, other = director.get(final).json()["players"]
    assert remarks(director, f"{final}/seating", {"players": [other, one]}) == CHANGED


def test_after_the_end_a_dispute_and_a_ruling_leave_a_remark_each(director: Caller):
    path = announced(director, rounds=1)
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    game = f"/v1/games/{opened(director, path)['1']}"
    scored(director, game.rpartition("/")[2], 9, 1)
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    assert director.post(f"{path}/ending", {}).status_code == 201
    provisional = "The tournament has ended: its final standings are provisional until this dispute is decided."
    assert remarks(director, f"{game}/notes", {"text": "nobody signed"}) == []
    assert director.post(f"{game}/disputes?dry_run=true", {"claim": "a wrong sum"}).json()["remarks"][0]["sentence"] == provisional
    said = director.post(f"{game}/disputes", {"claim": "a wrong sum", "suspends": True}).json()["remarks"]
    assert [(one["code"], one["sentence"]) for one in said] == [("disputed_after_the_end", provisional)]
    assert remarks(director, f"{game}/rulings", {"dispute": 1, "decision": "stands", "reason": "counted"}) == []
    assert director.post(f"{game}/disputes/1/appeals", {}).json()["remarks"] == said
    assert remarks(director, f"{game}/adjustments", given(0, 1)) == [LATE]
