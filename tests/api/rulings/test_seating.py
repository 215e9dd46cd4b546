"""Who really sat there, put right over HTTP after the end of everything; and who sits down, which the end forbids."""

import pytest

from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, entered, opened, paired, scored


@pytest.fixture
def ended(director: Caller) -> tuple[str, str]:
    """The address of a tournament that is over, and its only game: entrant 1 has 21 points, entrant 2 has 8."""
    path = announced(director, rounds=1, scoring={"by": "points"})
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    game = opened(director, path)["1"]
    scored(director, game, 21, 8)
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    assert director.post(f"{path}/ending", {}).status_code == 201
    return path, f"/v1/games/{game}"


def seated(caller: Caller, game: str) -> list[str]:
    return list(caller.get(game).json()["players"])


def scores(caller: Caller, path: str) -> dict[str, float]:
    lines = caller.get(f"{path}/standings").json()["lines"]
    return {player: line["score"] for line in lines for player in line["players"]}


def counted(caller: Caller, path: str) -> dict[str, int]:
    """By the score lines."""
    sums: dict[str, int] = {}
    for line in caller.get(f"/v1/scores?tournament={path.rpartition('/')[2]}").json()["items"]:
        sums[line["player"]] = sums.get(line["player"], 0) + line["points"]
    return sums


def test_two_who_sat_the_other_way_round_are_put_right_after_the_end(ended: tuple[str, str], director: Caller):
    path, game = ended
    one, other = seated(director, game)
    assert scores(director, path) == counted(director, path) == {one: 21, other: 8}
    answer = director.post(f"{game}/seating", {"players": [other, one], "reason": "They sat the other way round."})
    assert answer.status_code == 201, answer.text
    assert seated(director, game) == [other, one]
    assert scores(director, path) == counted(director, path) == {other: 21, one: 8}
    diff = director.get(f"{path}/standings/diff?old=sequence:{answer.json()['sequence'] - 1}").json()
    assert [[act["name"] for act in table["acts"]] for table in diff["tables"]] == [["players.rectified/1"]]


def test_a_trial_of_it_changes_nothing(ended: tuple[str, str], director: Caller):
    _, game = ended
    before = seated(director, game)
    tried = director.post(f"{game}/seating?dry_run=true", {"players": before[::-1]})
    assert (tried.status_code, tried.json()["events"][0]["name"]) == (200, "players.rectified/1")
    assert seated(director, game) == before


@pytest.mark.parametrize(("role", "status"), [("director", 201), ("arbiter", 201), ("recorder", 403), ("committee", 403), ("viewer", 403)])
def test_officials_put_it_right(ended: tuple[str, str], service: Service, role: str, status: int):
    _, game = ended
    players = seated(service.caller("director"), game)
    assert service.caller(role).post(f"{game}/seating", {"players": players[::-1]}).status_code == status


def test_nobody_sits_down_any_more_and_the_refusal_says_who_puts_it_right(ended: tuple[str, str], recorder: Caller, director: Caller):
    for caller in (recorder, director):
        answer = caller.post(f"{ended[1]}/players", {"seat": 0, "player": "ghost"})
        assert (answer.status_code, answer.json()["code"]) == (422, "game_over")
        assert "arbiter or director" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"players": ["zoe"]}, "bad_players"),
        ({"players": ["zoe", "zoe"]}, "bad_players"),
        ({"players": ["zoe", None], "from_hand": 2}, "hand_not_dealt"),
        ({"players": ["zoe", None], "from_hand": 0}, "malformed_body"),
    ],
)
def test_what_cannot_have_been_is_refused(ended: tuple[str, str], director: Caller, body: object, code: str):
    assert director.post(f"{ended[1]}/seating", body).json()["code"] == code
