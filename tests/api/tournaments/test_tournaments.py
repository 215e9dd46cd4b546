"""Tournaments over HTTP: announcing, the list, the history, the end; and who may do what."""

import re
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import Caller, Service, link
from tests.api.tournament import announced, entered, opened, paired, scored
from tests.evening.book import below


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


def test_everything_that_decides_who_wins_is_pinned(director: Caller, viewer: Caller):
    path = announced(director, title="Spring Open", options={"sweeps": True}, tie_breaks=["buchholz", "lots"], seed="s1", rounds=3)
    answer = viewer.get(path)
    assert (answer.status_code, answer.headers["etag"].partition(".")[0]) == (200, '"1')
    assert answer.json() == {
        "id": path.rpartition("/")[2],
        "title": "Spring Open",
        "position": 1,
        "state": "announced",
        "ruleset": "casino",
        "options": {"variant": "classic", "partners": False, "sweeps": True, "target": 21, "count_out": "total", "last_sweep": "counts"},
        "seats": 2,
        "parties": [[0], [1]],
        "format": "swiss",
        "entrants": "parties",
        "scoring": {"by": "match_points", "places": [2, 0], "bye": 2, "forfeit": ["bye", 0]},
        "tie_breaks": ["buchholz", "lots"],
        "rounds": 3,
        "games": 1,
        "openness": "game_over",
        "live": True,
        "own_moves": False,
        "own_results": False,
        "third_place": False,
        "shuffle": None,
        "smaller_tables": False,
        "pairing": {"first_table": 1, "apart": None, "late": None},
        "imported": False,
        "half_required": True,
        "seed": "s1",
        "lots": {"how": "open", "commitment": None, "digits": None, "dice": 0, "thrown": None, "secret": None, "unpaired": 0},
        "entered": 0,
        "paired": 0,
        "closed": 0,
        "publication": "no",
        "hall_names": "names",
        "time_zone": "UTC",
        "starts": [],
    }


@pytest.mark.parametrize(
    ("scoring", "bye"),
    [
        ({"by": "points"}, "average"),
        ({"by": "points", "bye": 12}, 12),
        ({"by": "points", "bye": "average"}, "average"),
        ({"by": "match_points"}, 2),
        ({"by": "match_points", "bye": "average"}, "average"),
    ],
)
def test_a_bye_brings_the_average_of_its_round_where_game_points_count_and_nothing_else_is_said(director: Caller, scoring: Any, bye: Any):
    assert director.get(announced(director, scoring=scoring)).json()["scoring"]["bye"] == bye


def test_the_answer_leads_to_the_tournament(director: Caller):
    answer = director.post("/v1/tournaments", {"ruleset": "casino", "seats": 2, "format": "manual"})
    done = answer.json()
    assert (answer.status_code, answer.headers["etag"], done["position"]) == (201, '"1"', 1)
    assert answer.headers["location"] == f"/v1/tournaments/{done['tournament']}"
    assert re.fullmatch(r"casino-\d{4}-\d\d-\d\d(-\d+)?", done["tournament"]), "can be read and typed"
    told = director.get(answer.headers["location"]).json()
    assert (told["seed"], told["lots"]["how"]) == ("", "bound")
    again = director.post("/v1/tournaments", {"ruleset": "casino", "seats": 2, "format": "manual"})
    assert (again.status_code, again.json()["tournament"] != done["tournament"]) == (201, True)


def test_an_id_is_taken_once(director: Caller):
    path = announced(director)
    again = director.post("/v1/tournaments", {"id": path.rpartition("/")[2], "ruleset": "casino", "seats": 2, "format": "manual"})
    assert (again.status_code, again.json()["code"]) == (409, "tournament_exists")
    assert path.rpartition("/")[2] in again.json()["detail"]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"options": {"sweeps": 1}}, "bad_option"),
        ({"seats": 9}, "bad_seats"),
        ({"ruleset": "bridge"}, "unknown_ruleset"),
        ({"id": "no/slash"}, "malformed_body"),
        ({"title": "Open \u202e6202"}, "bad_name"),
        ({"title": "Spring\nOpen"}, "bad_name"),
        ({"title": "\u00a0"}, "bad_name"),
        ({"scoring": {"by": "match_points", "places": [1, 2]}}, "places_rise"),
        ({"format": "ladder"}, "malformed_body"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(director: Caller, wanted: dict[str, Any], code: str):
    answer = director.post("/v1/tournaments", {"ruleset": "casino", "seats": 2, "format": "swiss", **wanted})
    assert (answer.status_code, answer.json()["code"]) == (422, code)


def test_a_title_is_kept_in_composed_form_and_an_id_of_other_letters_leads_to_its_address(director: Caller, viewer: Caller):
    body = {"id": "Frühling 1", "title": "Fru\u0308hling", "ruleset": "casino", "seats": 2, "format": "manual"}
    answer = director.post("/v1/tournaments", body)
    assert answer.status_code == 201, answer.text
    address = answer.headers["location"]
    assert viewer.get(address).json()["title"] == "Fr\u00fchling"
    recorded = director.post(f"{address}/entries", {"entries": [{"players": ["p1"]}, {"players": ["p2"]}]})
    assert viewer.get(recorded.headers["location"]).status_code == 200
    first = viewer.get(f"{address}/history?limit=1")
    assert viewer.get(link(first)).json()["events"][0]["position"] == 2


def test_a_dry_run_announces_nothing(director: Caller):
    id = f"t-{uuid4().hex}"
    tried = director.post("/v1/tournaments?dry_run=true", {"id": id, "title": "T", "ruleset": "casino", "seats": 2, "format": "manual"})
    assert (tried.status_code, tried.json()["id"], tried.json()["position"]) == (200, id, 0)
    assert director.get(f"/v1/tournaments/{id}").json()["code"] == "unknown_tournament"


def test_a_request_that_is_sent_again_is_answered_again(director: Caller):
    wanted = {"ruleset": "casino", "seats": 2, "format": "manual", "title": "T"}
    key = {"Idempotency-Key": uuid4().hex}
    first, second = (director.post("/v1/tournaments", wanted, headers=key) for _ in range(2))
    assert (first.status_code, second.json()) == (201, first.json())


def test_the_list_is_newest_first_with_filters_and_pages(director: Caller, viewer: Caller):
    names = [announced(director, ruleset="alcasan", title=title).rpartition("/")[2] for title in ("A", "B", "C")]
    director.post(f"/v1/tournaments/{names[1]}/ending", {"how": "cancelled"})
    listed = viewer.get("/v1/tournaments?ruleset=alcasan&limit=2")
    page = listed.json()
    assert [(one["id"], one["title"], one["state"]) for one in page["items"]] == [
        (names[2], "C", "announced"),
        (names[1], "B", "cancelled"),
    ]
    assert f"cursor={page['next']}" in listed.headers["link"]
    rest = viewer.get(f"/v1/tournaments?ruleset=alcasan&limit=2&cursor={page['next']}").json()
    assert ([one["id"] for one in rest["items"]], rest["next"]) == ([names[0]], None)
    assert [one["id"] for one in viewer.get("/v1/tournaments?state=cancelled&ruleset=alcasan").json()["items"]] == [names[1]]
    assert viewer.get("/v1/tournaments?announced_to=2001-01-01T00:00:00Z").json()["items"] == []
    assert viewer.get("/v1/tournaments?cursor=x").json()["code"] == "bad_cursor"


def test_the_history_tells_what_was_recorded_and_digests_to_officials_only(director: Caller, viewer: Caller):
    path = announced(director, title="T")
    entered(director, path, 2)
    director.post(f"{path}/entries/1/withdrawal", {"reason": "ill"})
    full = director.get(f"{path}/history").json()
    assert [event["name"] for event in full["events"]] == [
        "tournament.announced/1",
        "entry.accepted/1",
        "entry.accepted/1",
        "entry.withdrawn/1",
    ]
    assert set(full["events"][3]["body"]["reason"]) == {"id", "digest"}
    assert "link" in full["events"][1]
    page = viewer.get(f"{path}/history?after=2&limit=1")
    assert 'rel="next"' in page.headers["link"]
    assert (page.json()["after"], page.json()["position"]) == (3, 4)
    told = viewer.get(f"{path}/history?after=3").json()
    assert (told["events"][0]["body"]["reason"], told["after"], "link" in told["events"][0]) == (None, None, False)


def test_words_are_told_to_officials_and_erased_by_a_director(director: Caller, recorder: Caller, viewer: Caller):
    path = announced(director, title="Anna's birthday")
    entered(recorder, path, 1)
    recorder.post(f"{path}/entries/1/withdrawal", {"reason": "ill"})
    notes = recorder.get(f"{path}/notes").json()["notes"]
    assert [(note["position"], note["text"]) for note in notes] == [(1, "Anna's birthday"), (3, "ill")]
    assert viewer.get(f"{path}/notes").status_code == 403
    assert recorder.delete(f"{path}/notes/1").status_code == 403
    etag = viewer.get(path).headers["etag"]
    assert [director.delete(f"{path}/notes/{position}").json()["erased"] for position in (1, 1, 3)] == [True, False, True]
    assert viewer.get(path, headers={"If-None-Match": etag}).json()["title"] is None
    assert viewer.get("/v1/tournaments?limit=1").json()["items"][0]["title"] is None
    assert {note["text"] for note in recorder.get(f"{path}/notes").json()["notes"]} == {None}
    assert director.delete(f"{path}/notes/2").json()["code"] == "unknown_note"


def test_a_tournament_ends_when_its_rounds_are_closed(director: Caller, recorder: Caller):
    path = announced(director)
    entered(director, path, 2)
    paired(director, path)
    assert director.post(f"{path}/ending", {}).json()["code"] == "round_not_closed"
    scored(director, opened(recorder, path)["1"], 3, 5)
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    assert director.post(f"{path}/ending?dry_run=true", {}).json()["events"][0]["name"] == "tournament.ended/1"
    assert director.post(f"{path}/ending", {"reason": "that was it"}).status_code == 201
    assert director.get(path).json()["state"] == "finished"
    assert director.post(f"{path}/rounds", {}).json()["code"] == "tournament_ended"


def test_an_early_end_and_results_after_the_end_leave_a_remark(director: Caller):
    path = announced(director, rounds=3)
    entered(director, path, 2)
    paired(director, path)
    table = f"{path}/rounds/1/tables/1"
    assert "remarks" not in director.put(f"{table}/result", {"points": [3, 5]}).json()
    director.post(f"{path}/rounds/1/closing", {})
    rounds_left = {"code": "rounds_left", "sentence": "Ended after round 1 of 3 that were announced."}
    assert director.post(f"{path}/ending?dry_run=true", {}).json()["remarks"] == [rounds_left]
    assert "remarks" not in director.post(f"{path}/ending?dry_run=true", {"how": "cancelled"}).json()
    assert director.post(f"{path}/ending", {}).json()["remarks"] == [rounds_left]
    late = {"code": "after_the_end", "sentence": "The tournament has ended: its final standings follow this change."}
    for act, body in (("PUT result", {"points": [5, 3]}), ("forfeit", {"absent": [1]}), ("DELETE result", {})):
        assert director.post(below(table, act), body).json()["remarks"] == [late], act


def test_an_undecided_dispute_is_remarked_when_a_round_closes_the_next_is_paired_and_the_tournament_ends(
    director: Caller, recorder: Caller
):
    path = announced(director, format="manual", rounds=2)
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    game = opened(recorder, path)["1"]
    scored(director, game, 21, 8)
    director.post(f"/v1/games/{game}/disputes", {"claim": "the sweep was never made"})
    remark = {
        "code": "dispute_undecided",
        "sentence": "A dispute at table 1 of round 1 is undecided: its ruling may still change the result.",
    }
    assert director.post(f"{path}/rounds/1/closing", {}).json()["remarks"] == [remark]
    assert remark in director.post(f"{path}/rounds?dry_run=true", {"tables": [{"parties": [[2], [1]]}]}).json()["remarks"]
    assert remark in director.post(f"{path}/ending?dry_run=true", {}).json()["remarks"]
    director.post(f"/v1/games/{game}/disputes/1/withdrawal", {})
    assert [one["code"] for one in director.post(f"{path}/ending", {}).json()["remarks"]] == ["rounds_left"]


def test_what_is_not_there_is_unknown(director: Caller):
    path = announced(director)
    for address, code in (
        ("/v1/tournaments/none", "unknown_tournament"),
        ("/v1/tournaments/none/entries", "unknown_tournament"),
        (f"{path}/rounds/1", "unknown_round"),
        (f"{path}/rounds/1/seating", "unknown_round"),
    ):
        answer = director.get(address)
        assert (answer.status_code, answer.json()["code"]) == (404, code)
    for address, body, code in (
        ("/v1/tournaments/none/rounds", {}, "unknown_tournament"),
        (f"{path}/entries/7/withdrawal", {}, "unknown_entrant"),
        (f"PUT {path}/rounds/1/tables/1/result", {"points": [1, 2]}, "unknown_round"),
    ):
        answer = director.post(address, body)
        assert (answer.status_code, answer.json()["code"]) == (404, code)


def test_who_decided_on_an_older_position_is_told_what_he_missed(director: Caller):
    path = announced(director)
    entered(director, path, 1)
    answer = director.post(f"{path}/entries/1/withdrawal", {}, headers={"If-Match": '"1"'})
    assert (answer.status_code, answer.json()["position"]) == (412, 2)
    assert [event["name"] for event in answer.json()["missed"]] == ["entry.accepted/1"]


@pytest.mark.parametrize("role", ["recorder", "arbiter", "committee", "viewer", None])
def test_only_a_director_directs(service: Service, director: Caller, role: str | None):
    path, other = announced(director), service.caller(role)
    for address, body in (
        ("/v1/tournaments", {"ruleset": "casino", "seats": 2, "format": "manual"}),
        (f"{path}/rounds", {}),
        (f"{path}/unpairing", {}),
        (f"{path}/rounds/1/closing", {}),
        (f"{path}/rounds/1/tables/1/forfeit", {"absent": [1]}),
        (f"{path}/rounds/1/tables/1/adjournment", {}),
        (f"DELETE {path}/rounds/1/tables/1/result", {}),
        (f"{path}/ending", {}),
    ):
        assert other.post(address, body).status_code == (403 if role else 401)


@pytest.mark.parametrize("role", ["arbiter", "committee", "viewer", None])
def test_only_who_records_enters(service: Service, director: Caller, role: str | None):
    path, other = announced(director), service.caller(role)
    for address, body in (
        (f"{path}/entries", {"players": ["p1"]}),
        (f"{path}/entries/1/withdrawal", {}),
        (f"{path}/entries/1/return", {}),
        (f"{path}/entries/1/substitution", {"players": ["p2"]}),
        (f"{path}/rounds/1/games", {}),
        (f"PUT {path}/rounds/1/tables/1/result", {"points": [1, 2], "side": 1}),
        (f"{path}/rounds/1/tables/1/confirmation", {"side": 1}),
    ):
        assert other.post(address, body).status_code == (403 if role else 401)
