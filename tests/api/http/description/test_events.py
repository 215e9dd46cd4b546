"""Event bodies and messages of webhooks in the OpenAPI document."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema_rs import Draft202012, Draft202012Validator, Registry

from api.http.description.examples import examples_of_response, load_steps
from api.webhooks.sending.messages import TEST
from domain.events import NAMES
from tests.api.conftest import Service
from tests.golden.told import FOLDER

DOCUMENT = "urn:openapi"


@pytest.fixture(scope="module")
def document(service: Service) -> dict[str, Any]:
    return service.contract.document


def told(files: Iterator[Path]) -> Iterator[tuple[str, Any]]:
    """Name and body of every event as the public and a seat were told them."""
    for file in files:
        for name, _, views in json.loads(file.read_text(encoding="utf-8")):
            yield from ((name, body) for view in views.values() if view and (body := json.loads(view).get("body")) is not None)


def validator(document: dict[str, Any], where: str) -> Draft202012Validator:
    registry = Registry([(DOCUMENT, document)], draft=Draft202012)
    return Draft202012Validator({"$ref": f"{DOCUMENT}#{quote(where)}"}, registry=registry)


def test_every_event_and_the_test_message_is_a_webhook(document: dict[str, Any]):
    assert sorted(document["webhooks"]) == sorted({TEST, *(name.partition("/")[0] for name in NAMES.values())})


def test_bodies_are_listed_by_the_names_of_their_events(document: dict[str, Any]):
    listed = document["components"]["schemas"]["EventBodies"]["properties"]
    assert listed == {name: {"$ref": f"#/components/schemas/{kind.__name__}"} for kind, name in NAMES.items()}


def test_what_readers_are_told_of_an_event_fits_the_schema_under_its_name(document: dict[str, Any]):
    whole = validator(document, "/components/schemas/EventBodies")
    assert [error.message for name, body in told(FOLDER.glob("1/cas*.json")) for error in whole.iter_errors({name: body})] == []


def test_a_message_has_the_body_of_its_event_and_no_other(document: dict[str, Any]):
    schema = "/webhooks/move.played/post/requestBody/content/application~1json/schema"
    at = "2026-11-21T19:02:05Z"
    event = {"position": 2, "name": "move.played/1", "at": at, "by": "p_1"}
    place = {"epoch": "e", "sequence": 9, "kind": "game", "id": "0190", "position": 2, "name": "move.played/1", "at": at}
    right, wrong = ({"seat": 0, "move": {"type": "trail"}, "effects": []}, {"dealer": 1})
    valid = [
        validator(document, schema).is_valid({"type": type_, "timestamp": at, "data": {**place, "event": {**event, "body": body}}})
        for type_, body in (("move.played", right), ("move.played", wrong), ("hand.dealt", right))
    ]
    assert valid == [True, False, False]


def test_no_example_contains_a_reference():
    shown = [examples_of_response([step], step.status, step.media) for step in load_steps()]
    assert '"$ref"' not in json.dumps(shown)
