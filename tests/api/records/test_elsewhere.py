"""Records of what was played elsewhere, and when."""

import asyncio
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from api.services import Services
from deploy.compose import open_services
from tests.api.at_once import crowd
from tests.api.conftest import Caller, Service, add_token, running, settings_of
from tests.api.records.test_known_again import GAME, games, imported, told
from tests.api.records.test_records import NDJSON, head, lines
from tests.api.records.test_taking_over import taken_over

CONTEXT: dict[str, Any] = {"played_at": "1998-03-07", "tournament": "spring-98", "round": 3, "table": "B", "openness": "hand_over"}


STOOD = {
    "seat": 0,
    "move": {"type": "trail", "card": "KS"},
    "stood": {"effects": [["moved", ["KS"], "hand:0", "board", False, False], ["turn", "play", 1, [1]]]},
}
"""Out of turn."""


def test_a_game_counts_from_when_it_was_played_and_both_times_are_told(new_service: Service):  # COM-66
    recorder = new_service.caller("recorder")
    [game] = games(imported(recorder, {**GAME, **CONTEXT, "players": ["p-anna", "p-bert"]}))
    [row] = recorder.get("/v1/games?from=1998-03-01T00:00:00Z&to=1998-03-08T00:00:00Z").json()["items"]
    assert (row["id"], row["played_at"], row["opened_at"] > "2026") == (game, "1998-03-07T00:00:00.000000Z", True)
    assert [row[key] for key in ("tournament", "round", "table", "openness")] == ["spring-98", 3, "B", "hand_over"]
    lines = recorder.get("/v1/scores?to=1999-01-01T00:00:00Z").json()["items"]
    assert {line["played_at"] for line in lines} == {"1998-03-07T00:00:00.000000Z"}
    assert [month["month"] for month in recorder.get("/v1/players/p-anna/scores").json()["months"]] == ["1998-03"]
    assert {one["played_at"] for one in recorder.get("/v1/results").json()["items"]} == {"1998-03-07T00:00:00.000000Z"}
    assert recorder.get("/v1/games?from=1998-03-08T00:00:00Z").json()["items"] == []


def test_a_bare_date_is_given_back_as_one_and_the_record_is_known_again(new_service: Service):
    recorder = new_service.caller("recorder")
    [game] = games(imported(recorder, {**GAME, **CONTEXT}))
    record = recorder.get(f"/v1/games/{game}/record").json()
    assert {key: record[key] for key in CONTEXT} == CONTEXT
    assert told(imported(recorder, record)) == (0, 1, 0)
    assert told(imported(recorder, {**GAME, **CONTEXT, "played_at": "1998-03-14"})) == (1, 0, 0)


@pytest.mark.parametrize(
    ("said", "code", "where"),
    [
        ({"played_at": "2999-01-01"}, "impossible_time", "record.played_at"),
        ({"played_at": "yesterday"}, "malformed_record", "record.played_at"),
        ({"round": 0}, "malformed_record", "record.round"),
        ({"hands": [{**GAME["hands"][0], "played_at": "2999-01-01"}]}, "impossible_time", "record.hands[0].played_at"),
    ],
)
def test_what_cannot_be_so_is_refused_with_its_place(service: Service, said: dict[str, Any], code: str, where: str):
    answer = service.caller("recorder").post("/v1/records", {**GAME, **said})
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (422, code, where)


# What a record is called elsewhere, and what was written beside it

REF = {"system": "club-archive", "id": "1998-17"}
META = {"sheet": "blue", "signed by": ["Änne"], "a large number": 2**70, "share": 0.1, "empty": {}}
NAMED = {**GAME, "ref": REF}


def record_of(caller: Caller, game: str, more: str = "") -> dict[str, Any]:
    answer = caller.get(f"/v1/games/{game}/record{more}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_record_that_is_here_under_its_ref_adds_nothing_whatever_else_it_is_called(new_service: Service):  # COM-66
    recorder = new_service.caller("recorder")
    first = imported(recorder, NAMED, {**NAMED, "name": "renamed", "meta": META})
    assert (told(first), first["records"][0]["ref"], len(set(games(first)))) == ((1, 1, 0), REF, 1)
    answer = recorder.post("/v1/records", NAMED)
    assert (answer.status_code, games(answer.json())) == (200, games(first)[:1])
    assert told(imported(recorder, NAMED, more="?dry_run=true")) == (0, 1, 0)


def test_equal_records_of_different_refs_are_two_games_and_one_without_is_another(new_service: Service):
    recorder, other = new_service.caller("recorder"), {**NAMED, "ref": {**REF, "system": "other"}}
    assert told(imported(recorder, NAMED, other, GAME)) == (3, 0, 0)
    assert told(imported(recorder, other, GAME, NAMED, GAME)) == (1, 3, 0)


@pytest.mark.parametrize("changed", [{"players": ["p-anna", None]}, {"played_at": "1998-03-07"}, {"hands": []}])
def test_a_ref_that_is_there_with_other_content_is_refused(new_service: Service, changed: dict[str, Any]):
    recorder = new_service.caller("recorder")
    [game] = games(imported(recorder, NAMED))
    before, answer = head(new_service), recorder.post("/v1/records", {**NAMED, **changed})
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["rules"], problem["where"]) == (409, "ref_taken", ["COM-66"], "record.ref")
    assert game in problem["detail"]
    report = imported(recorder, {**NAMED, **changed}, more="?dry_run=true")
    assert (told(report), report["records"][0]["error"]["code"], report["records"][0]["ref"]) == ((0, 0, 1), "ref_taken", REF)
    assert head(new_service) == before


def test_a_refused_record_tells_its_name_and_ref_also_if_it_cannot_be_read_any_further(service: Service):  # COM-69
    report = imported(service.caller("recorder"), {**NAMED, "hands": 7}, {**NAMED, "seats": 9}, "{", {"ref": REF, "name": 7})
    assert [(one["line"], one["name"], one["ref"]) for one in report["records"]] == [
        (1, GAME["name"], REF),
        (2, GAME["name"], REF),
        (3, None, None),
        (4, None, REF),
    ]


def test_imports_of_one_ref_at_the_same_time_record_it_once(tmp_path: Path):
    settings = settings_of(tmp_path)
    bodies = [lines(NAMED), lines({**NAMED, "played_at": "1998-03-07"}), lines(NAMED)]

    async def asked(services: Services) -> list[dict[str, Any]]:
        token = f"Bearer {add_token(services, 'recorder')}"
        async with crowd(services, settings.journal_url, Authorization=token) as callers:
            answers = await callers.together(*(callers.client.post("/v1/records", content=body, headers=NDJSON) for body in bodies))
            assert len((await callers.client.get("/v1/games")).json()["items"]) == 1
        return [answer.json() for answer in answers]

    with open_services(settings, alone=True) as services:
        reports = asyncio.run(asked(services))
    counts = [sum(counts) for counts in zip(*map(told, reports), strict=True)]
    assert (counts[0], sum(counts)) == (1, 3)


def test_the_export_gives_the_ref_back_to_everybody_and_what_was_written_beside_it_to_officials(new_service: Service):
    director, viewer = new_service.caller("director"), new_service.caller("viewer")
    record = {**NAMED, "openness": "hand_over", "meta": META}
    [game] = games(imported(director, record))
    assert [record_of(director, game, more).get("meta") for more in ("", "?full=true")] == [META, META]
    shown = record_of(viewer, game)
    assert (shown["ref"], "meta" in shown) == (REF, False)
    exported = record_of(director, game)
    assert told(imported(director, exported)) == (0, 1, 0)
    [copy] = games(imported(director, {**exported, "ref": {**REF, "system": "copy"}}))
    assert {**record_of(director, copy), "name": game, "ref": REF} == exported


def test_no_other_answer_tells_what_was_written_beside_a_record(service: Service):
    director = service.caller("director")
    [game] = games(imported(director, {**GAME, "meta": {"who": "Wilhelmine"}}))
    reads = ("", "/history?limit=1000", "/audit", "/replay", "/table", "/notes")
    assert ["Wilhelmine" in director.get(f"/v1/games/{game}{path}").text for path in reads] == [False] * len(reads)


def test_what_was_written_beside_a_record_is_erased_for_good(new_service: Service):
    director = new_service.caller("director")
    [game] = games(imported(director, {**NAMED, "meta": META}))
    before = director.get(f"/v1/games/{game}/record")
    assert new_service.caller("arbiter").delete(f"/v1/games/{game}/meta").status_code == 403
    answers = [director.call("DELETE", f"/v1/games/{game}/meta").json() for _ in range(2)]
    assert answers == [{"game": game, "erased": True}, {"game": game, "erased": False}]
    after = director.get(f"/v1/games/{game}/record", headers={"If-None-Match": before.headers["etag"]})
    assert (after.status_code, after.json()["ref"], "meta" in after.json()) == (200, REF, False)
    assert told(imported(director, {**NAMED, "meta": META})) == (0, 1, 0)
    assert "meta" not in record_of(director, game)
    assert director.call("DELETE", f"/v1/games/{uuid4()}/meta").status_code == 404


def test_a_game_is_found_by_its_ref(new_service: Service):
    recorder = new_service.caller("recorder")
    game, _ = games(imported(recorder, NAMED, GAME))
    found = recorder.get(f"/v1/games?ref_system={REF['system']}&ref_id={REF['id']}").json()["items"]
    assert [one["id"] for one in found] == [game]
    assert recorder.get(f"/v1/games?ref_system={REF['system']}&ref_id=18").json()["items"] == []
    half = recorder.get("/v1/games?ref_id=1998-17")
    assert (half.status_code, half.json()["code"], half.json()["where"]) == (400, "bad_parameter", "ref_system")


def test_a_full_record_brings_its_ref_and_what_was_written_beside_it(service: Service, tmp_path: Path):
    director = service.caller("director")
    [game] = games(imported(director, {**NAMED, "meta": META}))
    full = record_of(director, game, "?full=true")
    answer = taken_over(director, json.dumps(full))
    assert (answer.status_code, answer.json()["already"]) == (200, 1)
    with running(settings_of(tmp_path)) as other:
        there = other.caller("director")
        assert taken_over(there, json.dumps(full)).status_code == 201
        assert record_of(there, game, "?full=true") == full
        assert told(imported(there, NAMED)) == (0, 1, 0)


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ({"ref": "17"}, "record.ref"),
        ({"ref": {"system": "club"}}, "record.ref"),
        ({"ref": {"system": "club", "id": 17}}, "record.ref"),
        ({"ref": {"system": "", "id": "17"}}, "record.ref"),
        ({"ref": {"system": "club", "id": "1\n7"}}, "record.ref"),
        ({"ref": {"system": "club", "id": "1" * 201}}, "record.ref"),
        ({"ref": {**REF, "page": 1}}, "record.ref"),
        ({"ref": None}, "record.ref"),
        ({"meta": []}, "record.meta"),
        ({"meta": None}, "record.meta"),
        ({"meta": {"words": "ä" * 2048}}, "record.meta"),
    ],
)
def test_a_ref_or_what_was_written_beside_a_record_that_cannot_be_kept_is_refused(service: Service, said: dict[str, Any], where: str):
    answer = service.caller("recorder").post("/v1/records", {**GAME, **said})
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (422, "malformed_record", where)


def test_what_was_written_beside_a_record_may_have_four_kilobytes(service: Service):
    recorder, meta = service.caller("director"), {"w": "ä" * 2043 + "ab"}
    assert len(json.dumps(meta, ensure_ascii=False, separators=(",", ":")).encode()) == 4096
    [game] = games(imported(recorder, {**GAME, "players": ["p-kilo", None], "meta": meta}))
    assert record_of(recorder, game)["meta"] == meta


# What an official did at the table

FINE = {**GAME, "hands": [{**GAME["hands"][0], "adjustments": [{"party": 0, "points": -3, "reason": "slow play"}]}]}
STANDING = {**GAME, "hands": [{**GAME["hands"][0], "moves": [STOOD]}]}


def test_points_of_a_record_stand_on_the_sheet_with_their_reason_by_who_imports(new_service: Service):  # COM-68
    director = new_service.caller("director")
    [game] = games(imported(director, FINE))
    [adjustment] = director.get(f"/v1/games/{game}/score-sheet").json()["adjustments"]
    assert {key: adjustment[key] for key in ("hand", "party", "points", "reason")} == {
        "hand": 1,
        "party": 0,
        "points": -3,
        "reason": "slow play",
    }
    last = director.get(f"/v1/games/{game}/history?limit=1000").json()["events"][-1]
    assert (last["name"], last["body"]["imported"], last["by"]) == ("points.adjusted/1", True, "p_director")
    assert director.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"
    assert record_of(director, game)["hands"][0]["adjustments"] == FINE["hands"][0]["adjustments"]
    assert told(imported(director, record_of(director, game))) == (0, 1, 0)


def test_a_reason_that_was_erased_is_in_no_record_any_more(new_service: Service):
    director = new_service.caller("director")
    [game] = games(imported(director, FINE))
    position = director.get(f"/v1/games/{game}").json()["position"]
    assert director.call("DELETE", f"/v1/games/{game}/notes/{position}").json()["erased"] is True
    assert record_of(director, game)["hands"][0]["adjustments"] == [{"party": 0, "points": -3}]
    assert told(imported(director, FINE)) == (0, 1, 0)


def test_a_reason_is_for_officials(new_service: Service):
    director, viewer = new_service.caller("director"), new_service.caller("viewer")
    [game] = games(imported(director, {**FINE, "openness": "hand_over"}))
    assert record_of(viewer, game)["hands"][0]["adjustments"] == [{"party": 0, "points": -3}]


def test_a_move_that_stood_is_recorded_as_one(new_service: Service):
    director = new_service.caller("director")
    [game] = games(imported(director, STANDING))
    last = director.get(f"/v1/games/{game}/history?limit=1000").json()["events"][-1]
    assert (last["name"], last["body"]["code"], last["body"]["imported"]) == ("move.stood/1", "not_your_turn", True)
    assert record_of(director, game)["hands"][0]["moves"] == [STOOD]


@pytest.mark.parametrize(("record", "where"), [(FINE, "record.hands[0].adjustments"), (STANDING, "record.hands[0].moves[0]")])
def test_who_is_no_arbiter_is_refused_with_the_place(service: Service, record: dict[str, Any], where: str):
    recorder = service.caller("recorder")
    problem = recorder.post("/v1/records", record).json()
    assert (problem["status"], problem["code"], problem["where"], problem["needs"]) == (403, "forbidden", where, ["director", "arbiter"])
    [refused, accepted] = imported(recorder, record, {**GAME, "players": ["p-role", None]}, more="?dry_run=true")["records"]
    assert (refused["error"]["code"], refused["error"]["where"], accepted["error"]) == ("forbidden", where, None)
