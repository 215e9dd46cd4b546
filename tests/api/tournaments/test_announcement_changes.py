"""Correcting an announcement and ratings over HTTP, until the first draw."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, entered, paired


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


def test_what_is_named_is_announced_otherwise_and_the_rest_stays(director: Caller, viewer: Caller):
    path = announced(director, title="Sprng", options={"sweeps": True}, tie_breaks=["buchholz"], rounds=3, seed="s")
    before = director.get(path).json()
    changed = {"title": "Spring Open", "rounds": 4, "scoring": {"by": "points"}, "tie_breaks": ["wins", "lots"]}
    tried = director.post(f"{path}/correction?dry_run=true", changed)
    assert (tried.status_code, tried.json()["dry_run"], director.get(path).json()) == (200, True, before)
    answer = director.post(f"{path}/correction", changed, headers={"If-Match": '"1"'})
    assert (answer.status_code, answer.headers["etag"], answer.json()["events"][0]["name"]) == (201, '"2"', "tournament.corrected/1")
    scoring = {"by": "points", "places": [2, 0], "bye": "average", "forfeit": ["bye", 0]}
    assert director.get(path).json() == {**before, **changed, "position": 2, "scoring": scoring}
    (row,) = [one for one in viewer.get("/v1/tournaments?limit=200").json()["items"] if one["id"] == before["id"]]
    assert (row["title"], row["format"]) == ("Spring Open", "swiss")
    assert [one["text"] for one in director.get(f"{path}/notes").json()["notes"]] == ["Sprng", "Spring Open"]
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_a_title_is_taken_away_and_another_ruleset_has_its_own_options(director: Caller):
    path = announced(director, title="Spring", options={"sweeps": True})
    assert director.post(f"{path}/correction", {"title": None, "ruleset": "canasta", "seats": 4}).status_code == 201
    told = director.get(path).json()
    assert (told["title"], told["ruleset"], told["parties"], "sweeps" in told["options"]) == (None, "canasta", [[0, 2], [1, 3]], False)


@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        ({"id": "other"}, "never_corrected", "never changes of a tournament: id"),
        ({"seed": "other"}, "never_corrected", "never changes of a tournament: seed"),
        ({}, "nothing_corrected", "announced already"),
        ({"tie_breaks": ["lots", "wins"]}, "lots_not_last", "Put them last"),
        ({"ruleset": "skat"}, "unknown_ruleset", "skat"),
        ({"format": "league"}, "malformed_body", ""),
    ],
)
def test_what_never_changes_and_what_makes_no_sense_is_refused(director: Caller, body: Any, code: str, says: str):
    path = announced(director, seed="s")
    refused = director.post(f"{path}/correction", body)
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert says in refused.json()["detail"]


def test_the_whole_announcement_may_be_sent_again_with_what_never_changes(director: Caller):
    path = announced(director, seed="s")
    body = {"id": path.rpartition("/")[2], "seed": "s", "ruleset": "casino", "seats": 2, "format": "swiss", "rounds": 5}
    assert director.post(f"{path}/correction", body).status_code == 201


def test_after_the_first_draw_it_holds_and_the_answer_says_what_can_be_done(director: Caller, recorder: Caller):
    path = announced(director)
    entered(recorder, path, 2)
    assert recorder.post(f"{path}/entries/1/rating", {"rating": 1612}).json()["events"][0]["body"] == {"entrant": 1, "rating": 1612}
    paired(director, path)
    refused = director.post(f"{path}/correction", {"games": 2}, headers={"Accept-Language": "de"}).json()
    assert refused["code"] == "announcement_holds"
    assert refused["detail"].startswith("Runde 1 ist gepaart; damit gilt, was ausgeschrieben ist")
    said = [
        director.post(f"{path}/{what}", body).json()["remarks"]
        for what, body in (("correction", {"rounds": 4}), ("entries/2/rating", {"rating": 7}))
    ]
    assert [[one["code"] for one in remarks] for remarks in said] == [["rounds_after_draw"], ["rated_after_draw"]]
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"
    assert director.post(f"{path}/unpairing", {}).status_code == 201
    assert director.post(f"{path}/correction", {"rounds": 2}).status_code == 201
    assert [one["rating"] for one in recorder.get(f"{path}/entries").json()["entrants"]] == [1612, 7]


def test_only_a_director_corrects_what_was_announced(director: Caller, recorder: Caller, viewer: Caller):
    path = announced(director)
    assert recorder.post(f"{path}/correction", {"rounds": 2}).status_code == 403
    assert viewer.post(f"{path}/entries/1/rating", {"rating": 2}).status_code == 403
    stale = director.post(f"{path}/correction", {"rounds": 2}, headers={"If-Match": '"7"'})
    assert stale.status_code == 412


def test_a_preset_is_resolved_at_the_announcement_and_again_at_a_correction(director: Caller):  # COM-45
    path = announced(director, ruleset="casino", options={"preset": "source", "variant": "royal"}, seed="s")
    effective = {"variant": "royal", "partners": False, "sweeps": True, "target": 21, "count_out": "order", "last_sweep": "not"}
    assert director.get(path).json()["options"] == effective
    assert director.post(f"{path}/correction", {"options": effective}).json()["code"] == "nothing_corrected"
    assert director.post(f"{path}/correction", {"options": {"preset": "usual", "sweeps": True}}).status_code == 201
    usual = {"variant": "classic", "sweeps": True, "count_out": "total", "last_sweep": "counts"}
    assert director.get(path).json()["options"] == {**effective, **usual}
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"
