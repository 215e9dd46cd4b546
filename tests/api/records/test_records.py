"""Records in and out."""

import json
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import CASES, Caller, Service
from tests.api.play import worked

NDJSON = {"Content-Type": "application/x-ndjson"}
SET_UP = ("ruleset", "options", "seats", "hands")


def case(name: str) -> dict[str, Any]:
    (file,) = [file for file in CASES if file.stem == name]
    return dict(json.loads(file.read_text(encoding="utf-8")))


def unheard() -> dict[str, Any]:
    """A hand that no test has imported yet."""
    return {**case("hand-two-players-classic"), "players": [f"p-{uuid4()}", None]}


def lines(*records: object) -> str:
    return "\n".join(record if isinstance(record, str) else json.dumps(record) for record in records)


def head(service: Service) -> int:
    return service.services.journal.head()


def test_what_goes_out_comes_in_again_as_the_same_game(either_service: Service):
    recorder = either_service.caller("recorder")
    game = worked(recorder, "game-two-players-classic")
    record = recorder.get(f"/v1/games/{game}/record")
    answer = recorder.post("/v1/records", record.text)
    copy = answer.json()["records"][0]["game"]
    assert (answer.status_code, answer.headers["location"]) == (201, f"/v1/games/{copy}")
    assert copy != game
    for path in ("table", "score-sheet"):
        assert recorder.get(f"/v1/games/{copy}/{path}").json() == recorder.get(f"/v1/games/{game}/{path}").json()
    again = recorder.get(f"/v1/games/{copy}/record").json()
    assert {**again, "name": ""} == {**record.json(), "name": ""}


def test_a_full_record_holds_every_event_void_ones_included(recorder: Caller):
    game = worked(recorder, "hand-two-players-classic")
    recorder.post(f"/v1/games/{game}/rewinds", {"to": 40})
    full = recorder.get(f"/v1/games/{game}/record?full=true").json()
    assert [event["position"] for event in full["events"]] == list(range(1, 52))
    assert len(full["hands"][0]["moves"]) == 38


def test_many_records_come_in_line_by_line_and_one_bad_one_keeps_no_other_out(service: Service):
    recorder = service.caller("recorder")
    good, bad = unheard(), case("owner-must-not-trail")
    body = lines(good, "", bad, "{", {"ruleset": "bridge", "seats": 4, "hands": []}, {"x": 1}, good)
    report = recorder.call("POST", "/v1/records", content=body, headers=NDJSON).json()
    assert (report["recorded"], report["refused"]) == (2, 4)
    assert [(record["line"], record["error"] and record["error"]["code"]) for record in report["records"]] == [
        (1, None),
        (3, "must_not_trail"),
        (4, "malformed_json"),
        (5, "unknown_ruleset"),
        (6, "malformed_record"),
        (7, None),
    ]
    error = report["records"][1]["error"]
    assert (error["hand"], error["index"], error["rules"]) == (0, 2, ["CNO-41"])
    assert recorder.get(f"/v1/games/{report['records'][0]['game']}").json()["position"] == 50


def test_a_dry_run_says_the_same_and_records_nothing(service: Service):
    recorder, before = service.caller("recorder"), head(service)
    body = lines(unheard(), case("owner-must-not-trail"))
    report = recorder.call("POST", "/v1/records?dry_run=true", content=body, headers=NDJSON).json()
    assert (report["dry_run"], report["recorded"], report["refused"]) == (True, 1, 1)
    assert recorder.post("/v1/records?dry_run=true", case("hand-two-players-classic")).status_code == 200
    assert head(service) == before


BAD = {
    "no record": ({"x": 1}, "malformed_record"),
    "no ruleset known": ({"ruleset": "bridge", "seats": 4, "hands": []}, "unknown_ruleset"),
    "a bad option": ({"ruleset": "casino", "options": {"x": 1}, "seats": 2, "hands": []}, "bad_option"),
    "a bad deck": ({"ruleset": "casino", "seats": 2, "hands": [{"dealer": 1, "deck": [], "moves": []}]}, "bad_deck"),
    "a player with an endless id": ({"ruleset": "casino", "seats": 2, "players": ["x" * 5000, None], "hands": []}, "bad_players"),
    "somebody on two seats": ({"ruleset": "casino", "seats": 2, "players": ["x", "x"], "hands": []}, "bad_players"),
}


@pytest.mark.parametrize(("record", "code"), BAD.values(), ids=BAD)
def test_one_record_that_is_refused_is_a_problem(service: Service, record: object, code: str):
    before = head(service)
    answer = service.caller("recorder").post("/v1/records", record)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert head(service) == before


def test_a_refused_record_names_the_hand_and_the_move(recorder: Caller):
    problem = recorder.post("/v1/records", case("owner-must-not-trail"), headers={"Accept-Language": "de"}).json()
    assert (problem["hand"], problem["index"], problem["code"]) == (0, 2, "must_not_trail")
    assert recorder.post("/v1/records", case("owner-must-not-trail")).json()["detail"] != problem["detail"]


def test_the_place_of_a_refused_deal_and_set_up_is_minus_one(recorder: Caller):
    deal, set_up = (recorder.post("/v1/records", BAD[name][0]).json() for name in ("a bad deck", "a bad option"))
    assert (deal["hand"], deal["index"]) == (0, -1)
    assert (set_up["hand"], set_up["index"]) == (-1, -1)


def test_an_import_under_a_key_that_comes_again_records_nothing_twice(service: Service):
    recorder, body = service.caller("recorder"), lines(*[unheard()] * 3)
    headers = {**NDJSON, "Idempotency-Key": "evening"}
    first = recorder.call("POST", "/v1/records", content=body, headers=headers)
    before = head(service)
    assert recorder.call("POST", "/v1/records", content=body, headers=headers).content == first.content
    assert head(service) == before


def test_one_record_under_a_key_is_answered_again(service: Service):
    recorder, record = service.caller("recorder"), unheard()
    first = recorder.post("/v1/records", record, headers={"Idempotency-Key": "one"})
    again = recorder.post("/v1/records", record, headers={"Idempotency-Key": "one"})
    assert (again.status_code, again.content, again.headers["location"]) == (201, first.content, first.headers["location"])


def test_many_records_are_read_without_holding_them_all(service: Service):
    record = json.dumps(unheard()).encode() + b"\n"
    answer = service.caller("recorder").call("POST", "/v1/records?dry_run=true", content=(record for _ in range(400)), headers=NDJSON)
    assert answer.json()["recorded"] == 400


def test_a_line_without_an_end_is_a_bad_request(recorder: Caller):
    answer = recorder.call("POST", "/v1/records", content=(b" " * 1024 * 1024 for _ in range(9)), headers=NDJSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "record_too_long")


def test_no_records_are_no_harm(recorder: Caller):
    assert recorder.call("POST", "/v1/records", content=b"\n\n", headers=NDJSON).json()["records"] == []


def test_a_key_that_is_none_is_refused_also_of_a_file_without_a_line(recorder: Caller):
    answer = recorder.post("/v1/records?dry_run=true", "", headers={**NDJSON, "Idempotency-Key": b"\xe9"})
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (400, "bad_header", "Idempotency-Key")
