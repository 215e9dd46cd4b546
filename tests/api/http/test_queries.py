"""A parameter that is given says something, at every operation: neither an empty one nor the word null is passed over."""

from typing import Any, NamedTuple

import pytest

from api.http.description.parameters import ANY_TEXT
from tests.api.conftest import Caller, Service
from tests.api.http.test_tokens import LOG
from tests.api.series.test_series import night
from tests.api.tournament import announced, entered, paired


class Asked(NamedTuple):
    operation: str
    address: str
    name: str
    schema: dict[str, Any]


@pytest.fixture(scope="module")
def asked(service: Service) -> list[Asked]:
    """Every parameter of every operation that only reads."""
    director = service.caller("director")
    tournament, game = announced(director), director.open(players=["p1", None])
    entered(director, tournament, 4)
    paired(director, tournament)
    director.deal(game)
    director.post("/v1/players", {"id": "p1", "name": "Anna"})
    night(director, 21, 17)
    director.post("/v1/ratings/lists", {"ruleset": "casino", "publication": "no"})
    known = {
        "{ruleset}": "casino",
        "{number}": "1",
        "/v1/tournaments/{tournament}": tournament,
        "{game}": game,
        "{player}": "p1",
        "{round}": "1",
        "{key}": "casino",
    }
    found = []
    for path, methods in service.contract.document["paths"].items():
        address = path
        for name, value in known.items():
            address = address.replace(name, value)
        for one in methods.get("get", {}).get("parameters", []):
            if one["in"] == "query" and address not in LOG:  # none is kept here
                found.append(Asked(methods["get"]["operationId"], address, one["name"], one["schema"]))
    assert len(found) > 60
    return found


def takes_any_text(schema: dict[str, Any]) -> bool:
    kinds = [schema, *schema.get("anyOf", ())]
    return any(
        kind.get("type") == "string" and not {"enum", "format"} & set(kind) and kind.get("pattern", ANY_TEXT) == ANY_TEXT for kind in kinds
    )


def refused(caller: Caller, one: Asked, value: str) -> tuple[int, object]:
    answer = caller.get(f"{one.address}?{one.name}={value}")
    return answer.status_code, answer.json().get("where")


@pytest.mark.parametrize("value", ["null", "NULL", "Null"])
def test_the_word_null_is_no_value_of_what_is_no_text(director: Caller, asked: list[Asked], value: str):
    told = {(one.operation, one.name): refused(director, one, value) for one in asked if not takes_any_text(one.schema)}
    assert {"state", "decision", "instance", "format", "kind"} <= {name for _, name in told}
    assert {place: one for place, one in told.items() if one != (400, place[1])} == {}


def test_an_empty_parameter_is_refused_and_named(director: Caller, asked: list[Asked]):
    told = {(one.operation, one.name): refused(director, one, "") for one in asked}
    assert {place: one for place, one in told.items() if one != (400, place[1])} == {}


def test_a_choice_that_is_none_is_told_those_that_are(recorder: Caller):
    answer = recorder.get("/v1/games?state=null")
    assert (answer.json()["code"], answer.json()["detail"]) == (
        "bad_parameter",
        '"null" is not known here. Known are: "abandoned", "annulled", "open", "suspended".',
    )


def test_who_is_called_null_is_found(recorder: Caller):
    game = recorder.open(players=["null", None], table="null")
    assert [one["id"] for one in recorder.get("/v1/games?player=null&table=null").json()["items"]] == [game]


BY_TEXT = ("/v1/players?search=anna", "/v1/clubs", "/v1/ratings/lists")
CURSORS = (
    "/v1/games",
    "/v1/tournaments",
    "/v1/series",
    "/v1/players",
    "/v1/rulings",
    "/v1/scores",
    "/v1/players/p1/scores",
    "/v1/results",
    "/v1/disputes",
    "/v1/ratings?ruleset=casino",
    "/v1/ratings/lists/casino/1",
    "/v1/players/p1/ratings",
    "/v1/tables/hands",
    "/v1/tables/moves",
    "/v1/tables/standings",
    *BY_TEXT,
)
ELSEWHERE = (
    "list_legal_moves",
    "list_looks",
    "list_all_looks",
    "list_tournament_looks",
    "list_tokens",
    "list_codes",
    "list_sessions",
    "list_webhooks",
    "list_deliveries",
)
"""Whose cursors the tests of their wings ask for."""
TEXTS = ("OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "null")
"""Places in an order of texts, and in no other."""


@pytest.mark.parametrize("cursor", ["", "x", "*", "%C3%A4", "MQ==", *TEXTS])
def test_a_cursor_that_was_not_given_out_is_a_bad_request_everywhere(recorder: Caller, cursor: str):
    paths = [path for path in CURSORS if path not in BY_TEXT or cursor not in TEXTS]
    answers = {path: recorder.get(f"{path}{'&' if '?' in path else '?'}cursor={cursor}") for path in paths}
    told = {path: (answer.status_code, answer.json()["code"], answer.json().get("where")) for path, answer in answers.items()}
    assert told == dict.fromkeys(paths, (400, "bad_cursor", "cursor"))


def test_every_operation_that_takes_a_cursor_is_asked_here(asked: list[Asked]):
    assert {one.address for one in asked if one.name == "cursor"} == {
        *(path.partition("?")[0] for path in CURSORS),
        *(one.address for one in asked if one.operation in ELSEWHERE and one.name == "cursor"),
    }
