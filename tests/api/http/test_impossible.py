"""Times at which nothing can have happened, bodies that are packed, and what an answer of 412 names."""

import gzip
from datetime import UTC, datetime, timedelta

import pytest

from tests.api.conftest import BODY, Caller, Service, trailing
from tests.api.tournament import announced

NOW = datetime.now(UTC)
ACTS = {
    "a game": ("/v1/games", {"ruleset": "casino", "seats": 2}),
    "a hand": ("/v1/games/{game}/hands", {"dealer": 1}),
    "a move": ("/v1/games/{dealt}/moves", trailing(0, "KC")),
    "a note": ("/v1/games/{game}/notes", {"text": "late"}),
    "a suspension": ("PUT /v1/games/{game}/suspension", {}),
    "a tournament": ("/v1/tournaments", {"ruleset": "casino", "seats": 2, "format": "swiss"}),
    "a round": ("{tournament}/rounds", {}),
    "the end of a tournament": ("{tournament}/ending", {"how": "cancelled"}),
}


@pytest.fixture(scope="module")
def places(service: Service) -> dict[str, str]:
    director = service.caller("director")
    game, dealt = director.open(), director.open()
    director.deal(dealt)
    return {"game": game, "dealt": dealt, "tournament": announced(director)}


@pytest.mark.parametrize(
    "happened", ["1899-12-31T23:59:59Z", "0001-01-01T00:00:00Z", NOW + timedelta(days=1, hours=1), "9999-12-31T23:59:59Z"]
)
@pytest.mark.parametrize(("path", "body"), ACTS.values(), ids=ACTS)
def test_what_cannot_have_happened_then_is_refused(service: Service, places: dict[str, str], path: str, body: dict, happened: object):
    given = {**body, "happened_at": happened.isoformat() if isinstance(happened, datetime) else happened}
    answer = service.caller("director").post(path.format(**places), given)
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (422, "impossible_time", "happened_at")


@pytest.mark.parametrize("happened", ["1900-01-01T00:00:00Z", NOW + timedelta(hours=23)])
def test_an_old_evening_and_a_clock_that_goes_wrong_are_recorded(recorder: Caller, happened: object):
    given = {"ruleset": "casino", "seats": 2, "happened_at": happened.isoformat() if isinstance(happened, datetime) else happened}
    assert recorder.post("/v1/games", given).status_code == 201


PACKED = {
    "/v1/games": '{"ruleset":"casino","seats":2}',
    "/v1/players": '{"name":"Anna"}',
    "/v1/records": '{"ruleset":"casino","seats":2,"hands":[]}',
    "{tournament}/entries": '{"players":["p1"]}',
}


@pytest.mark.parametrize("coding", ["gzip", "br", "deflate", "gzip, identity", "x"])
@pytest.mark.parametrize(("path", "body"), PACKED.items())
def test_a_packed_body_is_not_read_and_how_one_is_read_is_told(service: Service, places: dict[str, str], path: str, body: str, coding: str):
    headers = {**BODY, "Content-Encoding": coding}
    answer = service.caller("director").call("POST", path.format(**places), content=gzip.compress(body.encode()), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert answer.headers["accept-encoding"] == "identity"
    assert coding in answer.json()["detail"]


def test_a_body_that_is_sent_as_it_is_may_say_so(recorder: Caller):
    headers = {**BODY, "Content-Encoding": "Identity"}
    assert recorder.call("POST", "/v1/games", content=PACKED["/v1/games"], headers=headers).status_code == 201


def test_who_was_overtaken_is_told_the_position_to_decide_on(service: Service):
    director = service.caller("director")
    game, tournament = director.open(), announced(director)
    director.deal(game)
    director.post("/v1/players", {"id": "p-412", "name": "Anna"})
    late = {"If-Match": '"7"'}
    answers = [
        director.post(f"/v1/games/{game}/notes", {"text": "late"}, headers=late),
        director.post(f"{tournament}/rounds", {}, headers=late),
        director.post("/v1/players/p-412/transfer", {"club": "lehrte"}, headers=late),
    ]
    assert [(answer.status_code, answer.headers["etag"]) for answer in answers] == [(412, '"2"'), (412, '"1"'), (412, '"1"')]
    assert director.post(f"/v1/games/{game}/notes", {"text": "again"}, headers={"If-Match": answers[0].headers["etag"]}).status_code == 201
