"""A change of the round in play over HTTP: its games, remarks, dry run, and taking it back."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, entered, opened, paired

SWAP = {"tables": [{"table": "1", "parties": [[1], [4]]}, {"table": "2", "parties": [[3], [2]]}]}


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def five(director: Caller) -> str:
    """Two tables and a bye, paired by hand."""
    path = announced(director, format="manual")
    entered(director, path, 5)
    paired(director, path, [[1], [2]], [[3], [4]], byes=[5])
    return path


def seats(caller: Caller, path: str) -> dict[str, Any]:
    round = caller.get(f"{path}/rounds/1").json()
    return {**{one["table"]: one["parties"] for one in round["tables"]}, "byes": round["byes"]}


def codes(answer: Any) -> list[str]:
    assert answer.status_code in (200, 201), answer.text
    return [one["code"] for one in answer.json().get("remarks", [])]


def test_games_in_which_nothing_was_dealt_are_opened_again_with_the_new_seats(director: Caller, recorder: Caller, five: str):
    games = opened(recorder, five)
    tried = director.post(f"{five}/rounds/1/change?dry_run=true", SWAP)
    assert (codes(tried), recorder.get(f"/v1/games/{games['1']}").json()["state"]) == (["game_replaced"], "open")
    assert codes(director.post(f"{five}/rounds/1/change", SWAP)) == ["game_replaced"]
    assert [recorder.get(f"/v1/games/{game}").json()["state"] for game in games.values()] == ["annulled", "annulled"]
    again = opened(recorder, five)
    assert [recorder.get(f"/v1/games/{again[table]}").json()["players"] for table in "12"] == [["p1", "p4"], ["p3", "p2"]]
    assert len(recorder.get(f"/v1/games?tournament={five.rpartition('/')[2]}").json()["items"]) == 4


def test_a_table_at_which_cards_were_dealt_stays_and_others_change(director: Caller, recorder: Caller, five: str):
    games = opened(recorder, five)
    recorder.deal(games["1"])
    refused = director.post(f"{five}/rounds/1/change", SWAP)
    assert (refused.status_code, refused.json()["code"]) == (422, "table_played")
    assert refused.json()["detail"].startswith("Table 1 has a result")
    assert recorder.get(f"/v1/games/{games['2']}").json()["state"] == "open"
    assert codes(director.post(f"{five}/rounds/1/change", {"tables": [{"table": "2", "parties": [[3], [5]]}], "byes": [4]})) == [
        "game_replaced"
    ]
    assert (opened(recorder, five)["1"], seats(director, five)) == (games["1"], {"1": [[1], [2]], "2": [[3], [5]], "byes": [4]})


def test_who_comes_late_gets_a_table_with_the_one_who_has_the_bye(director: Caller, five: str):
    assert codes(director.post(f"{five}/entries", {"players": ["p6"]})) == ["plays_after_pairing"]
    change = {"tables": [{"parties": [[5], [6]]}], "reason": "the train was late"}
    assert codes(director.post(f"{five}/rounds/1/change", change)) == ["plays_after_all"]
    assert seats(director, five) == {"1": [[1], [2]], "2": [[3], [4]], "3": [[5], [6]], "byes": []}


def test_the_last_change_is_taken_back(director: Caller, five: str):
    before = seats(director, five)
    assert director.post(f"{five}/rounds/1/change", {"take_back": True}).json()["code"] == "nothing_changed"
    assert codes(director.post(f"{five}/rounds/1/change", {"dissolve": ["2"], "byes": [3], "absent": [4]})) == ["not_there"]
    assert director.get(f"{five}/rounds/1").json()["changed"] is True
    assert codes(director.post(f"{five}/rounds/1/change", {"take_back": True})) == ["plays_after_all"]
    assert seats(director, five) == before
    assert director.post(f"{five}/rounds/1/change", {"take_back": True, "byes": [1]}).json()["code"] == "malformed_body"


def test_a_change_that_is_sent_again_is_recorded_once(director: Caller, recorder: Caller, five: str):
    opened(recorder, five)
    first = director.post(f"{five}/rounds/1/change", SWAP, headers={"Idempotency-Key": f"{five} swap"})
    games = opened(recorder, five)
    again = director.post(f"{five}/rounds/1/change", SWAP, headers={"Idempotency-Key": f"{five} swap"})
    assert (again.status_code, again.json()) == (201, first.json())
    assert (opened(recorder, five), director.post(f"{five}/rounds/1/change", SWAP, headers={"If-Match": '"1"'}).status_code) == (games, 412)
    assert opened(recorder, five) == games


def test_a_corrected_result_says_who_goes_on_now_and_the_next_table_follows(director: Caller, recorder: Caller):
    path = announced(director, format="knockout")
    entered(director, path, 4)
    first = paired(director, path)["events"][0]["body"]["tables"]
    (one, other), (third, _) = (table["seats"] for table in first)
    for table in "12":
        assert codes(director.put(f"{path}/rounds/1/tables/{table}/result", {"points": [9, 1]})) == []
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    paired(director, path)
    said = director.put(f"{path}/rounds/1/tables/1/result", {"points": [1, 9]})
    assert codes(said) == ["out_by_result", "in_by_result", "bracket_open"]
    assert recorder.get(f"{path}/rounds").json()["conflicts"] == said.json()["remarks"]
    change = {"tables": [{"table": "1", "parties": [[other], [third]]}], "absent": [one]}
    assert codes(director.post(f"{path}/rounds/2/change", change)) == ["plays_after_all", "out_now"]
    assert "conflicts" not in recorder.get(f"{path}/rounds").json()


def test_on_paper_others_sat_there_and_standings_and_histories_follow_also_after_the_end(director: Caller, five: str):
    for table, points in (("1", [9, 1]), ("2", [3, 4])):
        assert codes(director.put(f"{five}/rounds/1/tables/{table}/result", {"points": points})) == []
    for act in ("rounds/1/closing", "ending"):
        assert director.post(f"{five}/{act}", {}).status_code == 201
    assert director.post(f"{five}/rounds/1/change", SWAP).json()["code"] == "tournament_ended"
    assert codes(director.post(f"{five}/rounds/1/change", {**SWAP, "as_played": True})) == ["after_the_end"]
    lines = director.get(f"/v1/scores?tournament={five.rpartition('/')[2]}").json()["items"]
    assert {one["player"]: one["points"] for one in lines if one["state"] == "counted"} == {"p1": 9, "p4": 1, "p3": 3, "p2": 4}
    differences = {one["entrant"]: one["score"] for one in director.get(f"{five}/standings").json()["lines"]}
    assert differences == {1: 2, 2: 2, 3: 0, 4: 0, 5: 2}
