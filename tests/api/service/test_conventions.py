"""The conventions of docs/api.md, held over the whole description. An exception stands in a table, with its reason on the line."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.conftest import Service
from tests.api.tournament import announced

Json = dict[str, Any]

NO_ITEMS = {"list_legal_moves": "`moves`, to which `effects`, `asks`, `written` and `said` run parallel"}


@pytest.fixture(scope="module")
def document(service: Service) -> Json:
    return service.contract.document


def operations(document: Json, *methods: str) -> Iterator[tuple[str, Json]]:
    return ((path, one) for path, paths in document["paths"].items() for method, one in paths.items() if method in methods)


def schema_of(document: Json, content: Json) -> Json:
    """Return the JSON Schema of a JSON body, the reference followed."""
    schema: Json = content.get("application/json", {}).get("schema", {})
    return document["components"]["schemas"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def test_a_list_has_items_and_the_cursor_of_the_next_page(document: Json):
    found = {}
    for _, one in operations(document, "get"):
        schema = schema_of(document, one["responses"]["200"].get("content", {}))
        properties = schema.get("properties", {})
        if schema.get("type") == "array" or "next" in properties:
            found[one["operationId"]] = (properties.get("items", {}).get("type"), [one["type"] for one in properties["next"]["anyOf"]])
    assert {name for name, types in found.items() if types != ("array", ["string", "null"])} == NO_ITEMS.keys()


def test_what_is_read_by_position_names_where_the_next_page_begins(document: Json):
    for _, one in operations(document, "get"):
        if {"after", "limit"} <= set(map(_name, one["parameters"])):
            assert "after" in schema_of(document, one["responses"]["200"]["content"])["properties"], one["operationId"]


def test_a_page_is_as_long_as_its_neighbours(document: Json):
    limits = {
        (limit["schema"]["default"], limit["schema"]["maximum"])
        for _, one in operations(document, "get")
        for limit in one["parameters"]
        if _name(limit) == "limit"
    }
    assert limits == {(50, 200), (100, 1000), (10, 20)}, "of rows, of events and scores, and of schedules"


NO_EVENT = {
    "name_player": "a person's name is no event, so that it can be erased",
    "erase_player": "the id stays; the body confirms it, which a DELETE could not",
    "judge_move": "a question with a body",
    "try_moves": "a question with a body",
    "reconcile": "a question with a body",
    "try_result": "a question with a body",
    "follow_streams": "a question with a body",
    "open_round_games": "makes only what lacks, so that it may be repeated without a key",
}
"""POSTs that neither record an event nor make a thing."""


def test_a_post_records_or_makes_something_and_what_ends_or_is_switched_is_no_post(document: Json):
    found = {one["operationId"] for _, one in operations(document, "post") if not {"201", "202"} & set(one["responses"])}
    assert found - {"sign_in", "sign_out"} == NO_EVENT.keys()
    recorded = {one["operationId"] for _, one in operations(document, "put", "delete", "patch") if "201" in one["responses"]}
    assert recorded == {"suspend", "resume", "enter_result", "withdraw_result"}, (
        "what is set by PUT and ended by DELETE, though it is an event"
    )


NO_DRY_RUN = {
    "sign_in": "whether a secret is valid is found out by using it, so that attempts count",
    "sign_out": "ends the session of this browser and nothing else",
    **{name: why for name, why in NO_EVENT.items() if why == "a question with a body"},
}


def test_every_act_can_be_tried(document: Json):
    acts = operations(document, "post", "put", "patch", "delete")
    assert {one["operationId"] for _, one in acts if "dry_run" not in map(_name, one["parameters"])} == NO_DRY_RUN.keys()


def _name(parameter: Json) -> str:
    return str(parameter["name"])


def test_where_nothing_is_required_the_body_may_be_empty(service: Service, document: Json):
    bodies = {
        one["operationId"]: one["requestBody"] for _, one in operations(document, "post", "put", "patch", "delete") if "requestBody" in one
    }
    needed = {"play", "tell"} | {id for id, body in bodies.items() if schema_of(document, body["content"]).get("required")}
    assert [id for id, body in bodies.items() if body["required"] == (id not in needed) and len(body["content"]) == 1] == []
    director = service.caller("director")
    token = director.post("/v1/tokens", {"role": "viewer", "scope": "everything"}).json()["id"]
    assert director.post(f"/v1/tokens/{token}/rotation").status_code == 201
    assert director.post("/v1/tokens").status_code == 415


@pytest.mark.parametrize("path", ["/v1/games", "/v1/tournaments", "/v1/results", "/v1/scores", "/v1/rulings", "/v1/disputes"])
def test_a_filter_by_a_ruleset_that_is_not_here_is_refused(service: Service, path: str):
    answer = service.caller("director").get(f"{path}?ruleset=whist")
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (400, "bad_parameter", "ruleset")


def test_from_and_to_filter_by_dates_and_nothing_else(document: Json):
    dated = [{"format": "date"}, {"format": "date-time"}]
    found = {
        (one["operationId"], _name(parameter)): parameter["schema"]
        for _, one in operations(document, "get", "post")
        for parameter in one.get("parameters", ())
        if _name(parameter) in ("from", "to") or _name(parameter).endswith(("_from", "_to", "_before"))
    }
    assert len(found) > 10
    assert [name for name, schema in found.items() if schema.get("anyOf") != dated] == []


NO_STATE = {
    "Health": "`status` is what probes of other services have",
    "Problem": "`status` is a number, as RFC 9457 says",
    "DeliveryView": "`status` is the number of an HTTP answer",
}


def test_how_far_a_thing_has_come_is_its_state(document: Json):
    words = {"stage", "standing", "status"}
    found = {name for name, schema in document["components"]["schemas"].items() if words & set(schema.get("properties", ()))}
    assert found == NO_STATE.keys()
    assert [one["operationId"] for _, one in operations(document, "get") if words & set(map(_name, one["parameters"]))] == []


NOT_IN_FORM = re.compile(r'(?<!\\)"\d{4}-\d\d-\d\d[Tt][^"\\]*(?<!\.\d{6}Z)"')


def test_a_time_has_six_digits_of_a_second_and_is_in_utc(document: Json):
    found = {
        one["operationId"]
        for _, one in operations(document, "get", "post", "put", "patch", "delete")
        if NOT_IN_FORM.search(json.dumps(one["responses"]))
    }
    assert found == set()


UNCHANGED = {
    "CorrectAnnouncement": "left out stays as it is, null makes empty",
    **dict.fromkeys(("CorrectSeries", "NamePlayer", "NotifyTable"), "as CorrectAnnouncement"),
}


def test_null_in_a_body_means_left_out(service: Service, document: Json):
    sent, answered = set[str](), set[str]()
    for _, one in operations(document, "get", "post", "put", "patch", "delete"):
        _collect_components(document, one.get("requestBody", {}).get("content"), sent)
        _collect_components(document, one["responses"], answered)
    schemas = {name: document["components"]["schemas"][name] for name in sent - answered}
    found = {
        name
        for name, schema in schemas.items()
        for field, one in schema.get("properties", {}).items()
        if field not in schema.get("required", ()) and {"type", "enum", "$ref"} & one.keys() and one.get("type") != "null"
    }
    assert found == UNCHANGED.keys()
    options = {"sweeps": None, "preset": None, "target": 11}
    game = {"ruleset": "casino", "seats": 2, "options": options, "players": None, "live": None, "openness": None, "shuffle": None}
    opened = service.caller("director").post("/v1/games?dry_run=true", game)
    assert (opened.status_code, opened.json()["events"][0]["body"]["setup"]["options"]["target"]) == (200, 11), opened.text


def test_null_in_a_correction_is_refused_where_nothing_may_be_empty(service: Service):
    director = service.caller("director")
    answer = director.post(f"{announced(director)}/correction", {"title": None, "format": None})
    assert (answer.status_code, answer.json()["where"]) == (422, "format")


def _collect_components(document: Json, part: Any, found: set[str]) -> None:
    match part:
        case {"$ref": str(ref)} if ref.startswith("#/components/schemas/") and (name := ref.rpartition("/")[2]) not in found:
            found.add(name)
            _collect_components(document, document["components"]["schemas"][name], found)
        case dict():
            for one in part.values():
                _collect_components(document, one, found)
        case list():
            for one in part:
                _collect_components(document, one, found)


PLACES = {"tournament", "round", "table", "game", "ruleset", "from", "to", "changed_since"}
"""By what every list of what happens in games is filtered."""
NOT_BY = {
    ("list_games", "game"): "`GET /v1/games/{game}`",
    ("list_results", "changed_since"): "a result follows from score lines, which have it",
    ("list_rulings", "round"): "the case book looks for like cases, wherever they were",
    ("list_rulings", "table"): "as round",
}


def test_what_happens_in_games_is_filtered_by_the_same_names(service: Service, document: Json):
    lists = {one["operationId"]: set(map(_name, one["parameters"])) for _, one in operations(document, "get")}
    of_games = ("list_games", "list_results", "list_scores", "list_hands", "list_moves", "list_all_disputes", "list_rulings")
    assert {(name, missing) for name in of_games for missing in PLACES - lists[name]} == NOT_BY.keys()
    director = service.caller("director")
    games = {table: director.open(tournament="filters", round=1, table=table, players=[f"p{table}", None]) for table in "78"}
    for game in games.values():
        assert director.post(f"/v1/games/{game}/hands", {"dealer": 0, "result": {"points": [7, 4]}}).status_code == 201
        assert director.post(f"/v1/games/{game}/disputes", {"claim": "late"}).status_code == 201
    for path in ("/v1/disputes", "/v1/tables/hands", "/v1/results", "/v1/scores"):
        every = director.get(f"{path}?tournament=filters&round=1").json()["items"]
        assert {one["game"] for one in every} == set(games.values())
        for table, game in games.items():
            own = [one for one in every if one["table"] == table]
            for query in (f"table={table}", f"game={game}"):
                assert director.get(f"{path}?tournament=filters&{query}").json()["items"] == own, path
