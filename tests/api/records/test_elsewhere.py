"""Records of what was played elsewhere, and when."""

from typing import Any

import pytest

from tests.api.conftest import Service
from tests.api.records.test_known_again import GAME, games, imported, told

CONTEXT: dict[str, Any] = {"played_at": "1998-03-07", "tournament": "spring-98", "round": 3, "table": "B", "openness": "hand_over"}


def test_a_game_counts_from_when_it_was_played_and_both_times_are_told(any_service: Service):  # COM-66
    recorder = any_service.caller("recorder")
    [game] = games(imported(recorder, {**GAME, **CONTEXT, "players": ["p-anna", "p-bert"]}))
    [row] = recorder.get("/v1/games?from=1998-03-01T00:00:00Z&to=1998-03-08T00:00:00Z").json()["games"]
    assert (row["id"], row["played_at"], row["opened_at"] > "2026") == (game, "1998-03-07T00:00:00Z", True)
    assert [row[key] for key in ("tournament", "round", "table", "openness")] == ["spring-98", 3, "B", "hand_over"]
    lines = recorder.get("/v1/scores?to=1999-01-01T00:00:00Z").json()["lines"]
    assert {line["played_at"] for line in lines} == {"1998-03-07T00:00:00Z"}
    assert [month["month"] for month in recorder.get("/v1/players/p-anna/scores").json()["months"]] == ["1998-03"]
    assert {one["played_at"] for one in recorder.get("/v1/results").json()["results"]} == {"1998-03-07T00:00:00Z"}
    assert recorder.get("/v1/games?from=1998-03-08T00:00:00Z").json()["games"] == []


def test_a_bare_date_is_given_back_as_one_and_the_record_is_known_again(any_service: Service):
    recorder = any_service.caller("recorder")
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
