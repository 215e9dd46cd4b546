"""Over HTTP: the wrong member was entered; a substitute for a round; and players who changed sides within a game."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, entered, opened, paired, scored


@pytest.fixture
def played(director: Caller) -> tuple[str, str]:
    """A tournament by points, and a game of its closed first round: entrant 1 has 21 there, entrant 2 has 8; 3 and 4 have 5 each."""
    path = announced(director, rounds=2, scoring={"by": "points"})
    entered(director, path, 4)
    paired(director, path, [[1], [2]], [[3], [4]])
    games = opened(director, path)
    scored(director, games["1"], 21, 8)
    scored(director, games["2"], 5, 5)
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    return path, f"/v1/games/{games['1']}"


def rectify(caller: Caller, path: str, entrant: int, players: list[str], **told: Any) -> Any:
    return caller.post(f"{path}/entries/{entrant}/rectification", {"players": players, **told})


def sums(caller: Caller, path: str) -> tuple[dict[str, float], dict[str, int]]:
    """By standings, and by score lines."""
    lines = caller.get(f"{path}/standings").json()["lines"]
    counted: dict[str, int] = {}
    for line in caller.get(f"/v1/scores?tournament={path.rpartition('/')[2]}").json()["items"]:
        counted[line["player"]] = counted.get(line["player"], 0) + line["points"]
    return {player: line["score"] for line in lines for player in line["players"]}, counted


def test_the_wrong_member_is_put_right_and_everything_follows(played: tuple[str, str], director: Caller):
    path, game = played
    answer = rectify(director, path, 1, ["m2"], reason="Two of the same name.")
    assert answer.status_code == 201, answer.text
    assert [event["name"] for event in answer.json()["events"]] == ["entry.rectified/1"]
    assert director.get(game).json()["players"] == ["m2", "p2"]
    standing, counted = sums(director, path)
    assert standing == counted == {"m2": 21, "p2": 8, "p3": 5, "p4": 5}
    seats = director.get(f"{path}/rounds/1").json()["tables"][0]["seats"]
    assert [seat["player"] for seat in seats] == ["m2", "p2"]
    diff = director.get(f"{path}/standings/diff?old=sequence:{answer.json()['sequence'] - 1}").json()
    assert [act["name"] for table in diff["tables"] for act in table["acts"]] == ["players.rectified/1"]
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_two_who_were_entered_for_each_other_change_places_in_one_act(played: tuple[str, str], director: Caller):
    path, game = played
    told = {"exchange": True, "reason": "They took each other's cards."}
    tried = director.post(f"{path}/entries/1/rectification?dry_run=true", {"players": ["p3"], **told})
    assert (tried.status_code, director.get(game).json()["players"]) == (200, ["p1", "p2"])
    answer = rectify(director, path, 1, ["p3"], **told)
    assert answer.status_code == 201, answer.text
    said = "Entered for each other: entrants 1, 3 change players from round 1 on."
    assert [one["sentence"] for one in answer.json()["remarks"]] == [one["sentence"] for one in tried.json()["remarks"]] == [said]
    other = director.get(f"{path}/rounds/1").json()["tables"][1]
    assert [seat["player"] for seat in other["seats"]] == ["p1", "p4"]
    assert director.get(f"/v1/games/{other['games'][0]['game']}").json()["players"] == ["p1", "p4"]
    standing, counted = sums(director, path)
    assert standing == counted == {"p3": 21, "p2": 8, "p1": 5, "p4": 5}
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_a_trial_of_it_changes_nothing(played: tuple[str, str], director: Caller):
    path, game = played
    tried = director.post(f"{path}/entries/1/rectification?dry_run=true", {"players": ["m2"]})
    assert (tried.status_code, tried.json()["events"][0]["body"]["from_round"]) == (200, 1)
    assert director.get(game).json()["players"] == ["p1", "p2"]


@pytest.mark.parametrize(("role", "status"), [("director", 201), ("arbiter", 201), ("recorder", 403), ("committee", 403)])
def test_officials_put_an_entry_right_also_after_the_end(played: tuple[str, str], service: Service, role: str, status: int):
    path, _ = played
    assert service.caller("director").post(f"{path}/ending", {}).status_code == 201
    answer = rectify(service.caller(role), path, 1, ["m2"])
    assert answer.status_code == status
    assert [one["code"] for one in answer.json().get("remarks", ())] == (["after_the_end"] if status == 201 else [])


def test_somebody_who_was_entered_or_sat_elsewhere_is_refused(played: tuple[str, str], director: Caller):
    path, _ = played
    assert rectify(director, path, 1, ["p3"]).json()["code"] == "entered_already"
    other = director.get(f"{path}/rounds/1").json()["tables"][1]["games"][0]["game"]
    assert director.post(f"/v1/games/{other}/seating", {"players": ["p3", "guest"]}).status_code == 201
    refused = rectify(director, path, 1, ["guest"]).json()
    assert refused["code"] == "sat_elsewhere"
    assert refused["detail"] == "In round 1 this player sat at table 2. Put right who sat there first."


def test_a_substitute_of_one_round_has_that_round_and_no_other(played: tuple[str, str], director: Caller):
    path, _ = played
    assert director.post(f"{path}/entries/1/substitution", {"players": ["yara"], "back_from": 3}).status_code == 201
    paired(director, path, [[1], [3]], [[2], [4]])
    assert director.put(f"{path}/rounds/2/tables/1/result", {"points": [7, 3]}).status_code == 201
    rounds = [director.get(f"{path}/rounds/{number}").json()["tables"][0]["seats"][0]["player"] for number in (1, 2)]
    assert rounds == ["p1", "yara"]
    assert sums(director, path)[1] == {"p1": 21, "yara": 7, "p2": 8, "p3": 8, "p4": 5}
    (line,) = [line for line in director.get(f"{path}/standings").json()["lines"] if line["entrant"] == 1]
    assert (line["players"], line["score"]) == (["p1"], 28)


def test_points_of_players_who_changed_sides_go_with_the_hands(director: Caller):
    path = announced(director, rounds=1, scoring={"by": "points"})
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    game = opened(director, path)["1"]
    for dealer, points in ((0, [4, 1]), (1, [2, 9]), (0, [20, 3])):
        assert director.post(f"/v1/games/{game}/hands", {"dealer": dealer, "result": {"points": points}}).status_code == 201
    assert director.post(f"/v1/games/{game}/seating", {"players": ["p2", "p1"], "from_hand": 2}).status_code == 201
    standing, counted = sums(director, path)
    assert standing == counted == {"p1": 4 + 9 + 3, "p2": 1 + 2 + 20}


def test_a_substitute_sits_down_at_the_game_in_progress_at_once(played: tuple[str, str], director: Caller):
    path, over = played
    paired(director, path, [[1], [3]], [[2], [4]])
    game = f"/v1/games/{opened(director, path, 2)['1']}"
    assert director.post(f"{game}/hands", {"dealer": 0, "result": {"points": [4, 1]}}).status_code == 201
    assert director.post(f"{path}/entries/1/substitution", {"players": ["yara"]}).status_code == 201
    assert (director.get(game).json()["players"], director.get(over).json()["players"]) == (["yara", "p3"], ["p1", "p2"])
    seat = director.get(f"{path}/rounds/2").json()["tables"][0]["seats"][0]
    assert ([one["player"] for one in seat["earlier"]], seat["player"]) == (["p1"], "yara")
