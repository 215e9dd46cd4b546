"""Wishes and presence over HTTP: recorded by directors, heeded by draws, and remarked on where they are not kept."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.markup import rows, words
from tests.api.tournament import announced, entered, paired


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def six(director: Caller) -> str:
    path = announced(director)
    entered(director, path, 6)
    return path


def wish(director: Caller, path: str, kind: str, *entrants: int, **more: Any) -> dict[str, Any]:
    answer = director.post(f"{path}/wishes", {"kind": kind, "entrants": entrants, **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json()["events"][0]["body"])


def seats(answer: dict[str, Any]) -> list[set[int]]:
    return [{*table["seats"]} for table in answer["events"][-1]["body"]["tables"]]


def test_wishes_are_listed_until_they_are_withdrawn(director: Caller, recorder: Caller, six: str):
    wish(director, six, "apart", 1, 2)
    wish(director, six, "table", 3, table="7")
    assert director.post(f"{six}/wishes/1/withdrawal", {}).status_code == 201
    listed = recorder.get(f"{six}/wishes").json()["wishes"]
    assert listed == [{"wish": 2, "kind": "table", "entrants": [3], "round": None, "table": "7"}]
    assert director.post(f"{six}/wishes/3/withdrawal", {}).json()["code"] == "unknown_wish"


def test_a_half_point_bye_is_told_with_the_draw_and_counts_half(director: Caller, recorder: Caller, six: str):
    wish(director, six, "half_bye", 4)
    drawn = paired(director, six)
    assert [one["code"] for one in drawn["remarks"]] == ["half_bye"]
    assert recorder.get(f"{six}/rounds/1").json()["half_byes"] == [4]
    assert recorder.get(f"{six}/entries").json()["entrants"][3]["half_byes"] == [1]
    free = [one for one in recorder.get(f"{six}/rounds/1/seating").json()["players"] if one["table"] is None]
    byes = recorder.get(f"{six}/rounds/1").json()["byes"]
    assert {one["entrant"]: one.get("half_bye", False) for one in free} == {4: True, **dict.fromkeys(byes, False)}
    printed = rows(recorder.get(f"{six}/rounds/1/seating?format=html", headers={"Accept-Language": "de"}).text)
    assert [row[2] for row in printed if row[1] == "4"] == ["halbes Freilos"]
    wall = words(director.get(f"/t/{six.rpartition('/')[2]}/wall?show=pairings&by=name").text)
    assert wall.count("half a free round") == 1
    (row,) = (one for one in recorder.get(f"{six}/standings").json()["lines"] if one["entrant"] == 4)
    assert (row["score"], row["parts"][0]["how"], row["parts"][0]["value"]) == (1, "bye", 1)


def test_a_draw_keeps_its_wishes_or_says_so(director: Caller, six: str):
    wish(director, six, "meet", 1, 2)
    wish(director, six, "apart", 3, 4, 5, 6)
    wish(director, six, "table", 1, table="9")
    drawn = paired(director, six)
    assert seats(drawn)[-1] == {1, 2}
    assert [one["code"] for one in drawn["remarks"]] == ["not_apart", "not_apart"]
    assert drawn["remarks"][0]["sentence"].endswith("are to be kept apart, and meet.")


def test_members_of_a_club_are_kept_apart_where_it_was_announced(director: Caller):
    path = announced(director, pairing={"apart": "club", "first_table": 5})
    entered(director, path, 6)
    for player, club in (("p1", "celle"), ("p2", "celle"), ("p3", "celle"), ("p4", "peine"), ("p5", "peine")):
        assert director.post("/v1/players", {"id": player, "name": f"Player {player}", "club": club}).status_code == 201
    tried = director.post(f"{path}/rounds?dry_run=true", {}).json()
    drawn = paired(director, path)
    assert [one["name"] for one in drawn["events"]] == ["clubs.grouped/1", "round.paired/1"] == [one["name"] for one in tried["events"]]
    assert drawn["events"][0]["body"] == {"groups": [[1, 2, 3], [4, 5]]}
    assert [one for one in seats(drawn) if one <= {1, 2, 3} or one <= {4, 5}] == []
    assert [table["table"] for table in drawn["events"][1]["body"]["tables"]] == ["5", "6", "7"]
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_rules_of_the_draw_are_corrected_whole_and_shown(director: Caller):
    path = announced(director, pairing={"first_table": 5})
    assert director.get(path).json()["pairing"] == {"first_table": 5, "apart": None, "late": None}
    assert director.post(f"{path}/correction", {"pairing": {"late": "half_bye"}}).status_code == 201
    assert director.get(path).json()["pairing"] == {"first_table": 1, "apart": None, "late": "half_bye"}
    refused = director.post(f"{path}/correction", {"format": "round_robin"})
    assert (refused.status_code, refused.json()["code"]) == (422, "no_half_byes")


def test_who_is_absent_is_not_drawn_and_a_recorder_may_tick(director: Caller, recorder: Caller, six: str):
    answer = recorder.post(f"{six}/presence", {"absent": [2, 5]})
    assert [one["code"] for one in answer.json()["remarks"]] == ["absent"]
    assert recorder.post(f"{six}/presence", {"absent": [5, 6]}).json()["events"][0]["body"] == {"round": 1, "absent": [6], "present": [2]}
    assert set().union(*seats(paired(director, six))) == {1, 2, 3, 4}
    assert director.post(f"{six}/presence", {"absent": [], "round": 1}).json()["code"] == "round_is_paired"


def test_tables_paired_by_hand_without_names_are_named_like_drawn_ones(director: Caller, six: str):
    wish(director, six, "table", 3, table="1")
    answer = paired(director, six, [[1], [2]], [[3], [4]], [[5], [6]])
    assert [table["table"] for table in answer["events"][0]["body"]["tables"]] == ["2", "1", "3"]
