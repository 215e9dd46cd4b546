"""A file that is imported again adds nothing: its games are known by what was played."""

import asyncio
import json
from pathlib import Path
from typing import Any

from api.services import Services
from deploy.compose import open_services
from tests.api.at_once import crowd
from tests.api.conftest import Caller, Service, add_token, settings_of
from tests.api.records.test_records import NDJSON, case, head, lines
from tests.api.records.test_taking_over import disputed, full, taken_over
from tests.deploy.stores.stores import sql_of

GAME = case("hand-two-players-classic")
OTHER = {**GAME, "players": ["p-anna", "p-bert"]}


def imported(caller: Caller, *records: object, more: str = "") -> dict[str, Any]:
    answer = caller.call("POST", f"/v1/records{more}", content=lines(*records), headers=NDJSON)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def told(report: dict[str, Any]) -> tuple[int, int, int]:
    return report["recorded"], report["already"], report["refused"]


def games(report: dict[str, Any]) -> list[str]:
    return [record["game"] for record in report["records"]]


def test_a_file_that_comes_again_adds_nothing_and_each_line_names_the_game_that_is_here(new_service: Service):
    recorder = new_service.caller("recorder")
    first, before = imported(recorder, GAME, OTHER), head(new_service)
    again = imported(recorder, json.dumps(GAME, sort_keys=True, indent=None), {**OTHER, "name": "renamed"})
    assert (told(first), told(again)) == ((2, 0, 0), (0, 2, 0))
    assert games(again) == games(first)
    assert [record["already"] for record in again["records"]] == [True, True]
    assert head(new_service) == before


def test_two_equal_games_in_a_file_are_two_games_and_both_are_here_when_it_comes_again(new_service: Service):
    recorder = new_service.caller("recorder")
    first = imported(recorder, GAME, OTHER, GAME)
    assert (told(first), len(set(games(first)))) == ((3, 0, 0), 3)
    again = imported(recorder, GAME, OTHER, GAME, GAME)
    assert (told(again), games(again)[:3]) == ((1, 3, 0), games(first))


def test_one_record_that_comes_again_is_answered_with_its_game(new_service: Service):
    recorder = new_service.caller("recorder")
    first, again = recorder.post("/v1/records", GAME), recorder.post("/v1/records", GAME)
    assert (first.status_code, again.status_code) == (201, 200)
    [record] = again.json()["records"]
    assert record == {
        "line": 1,
        "name": GAME["name"],
        "ref": None,
        "already": True,
        "game": games(first.json())[0],
        "position": None,
        "sequence": None,
        "error": None,
    }


def test_who_sends_a_file_in_several_requests_says_which_of_the_equal_records_it_is(new_service: Service):
    recorder = new_service.caller("recorder")
    answers = [recorder.post(f"/v1/records?copy={copy}", GAME) for copy in (1, 2, 1, 2)]
    assert [answer.status_code for answer in answers] == [201, 201, 200, 200]
    assert [games(answer.json()) for answer in answers[:2]] == [games(answer.json()) for answer in answers[2:]]
    assert told(imported(recorder, GAME, GAME, more="?copy=2")) == (1, 1, 0)


def test_a_key_that_comes_again_gets_its_first_answer(new_service: Service):
    recorder, key = new_service.caller("recorder"), {"Idempotency-Key": "one"}
    first, again = (recorder.post("/v1/records", GAME, headers=key) for _ in range(2))
    assert (again.status_code, again.content, again.headers["idempotent-replayed"]) == (201, first.content, "true")
    assert recorder.post("/v1/records", GAME, headers={"Idempotency-Key": "other"}).status_code == 200


def test_after_the_keys_were_forgotten_a_file_still_adds_nothing(new_service: Service):
    recorder, key = new_service.caller("recorder"), {**NDJSON, "Idempotency-Key": "evening"}
    first = recorder.call("POST", "/v1/records", content=lines(GAME, GAME), headers=key).json()
    new_service.services.registers.forget_commands("2999-01-01T00:00:00Z")
    again = recorder.call("POST", "/v1/records", content=lines(GAME, GAME), headers=key).json()
    assert (told(again), games(again)) == ((0, 2, 0), games(first))


def test_a_dry_run_says_what_is_here_already_and_records_nothing(new_service: Service):
    recorder = new_service.caller("recorder")
    first, before = imported(recorder, GAME), head(new_service)
    trial = imported(recorder, GAME, OTHER, more="?dry_run=true")
    assert (told(trial), games(trial)) == ((1, 1, 0), [*games(first), None])
    assert recorder.post("/v1/records?dry_run=true", GAME).json()["already"] == 1
    assert head(new_service) == before


def test_a_full_record_that_comes_again_is_known_by_its_id_also_when_its_game_went_on(service: Service):
    director, game = service.caller("director"), disputed(service)
    record = full(director, game)
    director.post(f"/v1/games/{game}/notes", {"text": "later"})
    answer = taken_over(director, record)
    assert (answer.status_code, answer.json()["records"][0]["game"], answer.json()["already"]) == (200, game, 1)
    for more in ("", "?dry_run=true"):
        assert told(imported(director, record, more=more)) == (0, 1, 0)


def test_imports_of_the_same_file_at_the_same_time_record_it_once(tmp_path: Path):
    settings = settings_of(tmp_path)
    body = lines(GAME, GAME, OTHER)

    async def asked(services: Services) -> list[dict[str, Any]]:
        token = f"Bearer {add_token(services, 'recorder')}"
        async with crowd(services, settings.journal_url, Authorization=token) as callers:
            answers = await callers.together(*(callers.client.post("/v1/records", content=body, headers=NDJSON) for _ in range(3)))
            assert len((await callers.client.get("/v1/games")).json()["items"]) == 3
        return [answer.json() for answer in answers]

    with open_services(settings, alone=True) as services:
        reports = asyncio.run(asked(services))
    assert [sum(counts) for counts in zip(*map(told, reports), strict=True)] == [3, 6, 0]
    assert len({tuple(games(report)) for report in reports}) == 1


def test_what_makes_a_game_known_again_is_told_nowhere(new_service: Service):
    director = new_service.caller("director")
    [game] = games(imported(director, GAME))
    [(digest,)] = sql_of(new_service.services.registers).query("SELECT digest FROM refs")
    told_of = [
        director.get(f"/v1/games/{game}{path}").text for path in ("", "/record?full=true&texts=true", "/history?limit=1000", "/audit")
    ]
    told_of += [imported(director, GAME).__repr__(), director.get("/v1/feed?after=0&limit=100").text, director.get("/metrics").text]
    assert [digest in text for text in told_of] == [False] * len(told_of)
