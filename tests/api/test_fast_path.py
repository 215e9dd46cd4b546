"""The short way of moves and tables: whoever takes it is answered as Litestar answers who spells the address in another way."""

import json
import re
from dataclasses import replace
from typing import Any, cast

import pytest

from api.app import App
from tests.api.conftest import BODY, Caller, Service, app_of, trailing

UNKNOWN = "00000000-0000-4000-8000-000000000000"
MOVE = json.dumps(trailing(0, "2C")).encode()

READS: dict[str, tuple[str | None, str, dict[str, str]]] = {
    "a table": ("recorder", "/table", {}),
    "a table that is packed": ("recorder", "/table", {"Accept-Encoding": "gzip"}),
    "a table that is known": ("recorder", "/table", {"If-None-Match": "*"}),
    "a table of before": ("viewer", "/table?position=1&view=public", {}),
    "a table with an id for the request": ("viewer", "/table", {"Request-Id": "mine"}),
    "a view that is closed": ("viewer", "/table?view=arbiter", {"Accept-Language": "de"}),
    "a parameter that nobody knows": ("viewer", "/table?colour=red", {}),
    "an epoch that is not": ("viewer", "/table", {"Kiebitz-Epoch": "elsewhere"}),
    "nobody": (None, "/table", {}),
    "a page of a table": ("viewer", "/table", {"Accept": "text/html", "Sec-Fetch-Dest": "document"}),
}
WRITES: dict[str, tuple[str | None, str, dict[str, str], bytes]] = {
    "a dry run": ("recorder", "/moves?dry_run=true", BODY, MOVE),
    "a move that breaks a rule": ("recorder", "/moves", {**BODY, "Accept-Language": "de"}, json.dumps(trailing(0, "KS")).encode()),
    "a move decided on another position": ("recorder", "/moves", {**BODY, "If-Match": '"1"'}, MOVE),
    "no JSON": ("recorder", "/moves", BODY, b"{"),
    "another media type": ("recorder", "/moves", {"Content-Type": "text/plain"}, MOVE),
    "a body that is too long": ("recorder", "/moves", BODY, b" " * (1024 * 1024 + 1)),
    "a key of the wrong form": ("recorder", "/moves", {**BODY, "Idempotency-Key": ""}, MOVE),
    "a viewer's move": ("viewer", "/moves", BODY, MOVE),
    "nobody's move": (None, "/moves", BODY, MOVE),
}


@pytest.fixture(scope="module")
def game(service: Service) -> str:
    recorder = service.caller("recorder")
    game = recorder.open()
    recorder.deal(game, "2C")
    return game


def told(answer: Any) -> tuple[int, list[tuple[str, str]], bytes]:
    """All of an answer but what differs between two that are the same: the moment, what is left of a limit, the id of the request."""
    headers = [pair for pair in answer.headers.multi_items() if pair[0] not in ("ratelimit", "request-id") or pair[1] == "mine"]
    return answer.status_code, headers, re.sub(rb'"at":"[^"]+"', b'"at":""', answer.content)


def both(caller: Caller, method: str, path: str, **given: Any) -> list[tuple[int, list[tuple[str, str]], bytes]]:
    """Asked at the address as it is told, and at the same one with a slash too many, which Litestar passes over."""
    ways = (f"/v1/games/{path}", f"/v1//games/{path}")
    return [told(caller.client.request(method, way, headers=headers_of(caller, given), content=given.get("content"))) for way in ways]


def headers_of(caller: Caller, given: dict[str, Any]) -> dict[str, str]:
    return {**given["headers"], **({"Authorization": f"Bearer {caller.token}"} if caller.token else {})}


@pytest.mark.parametrize("name", READS)
def test_who_reads_is_answered_as_by_litestar(service: Service, game: str, name: str):
    role, path, headers = READS[name]
    short, usual = both(service.caller(role), "GET", f"{game}{path}", headers=headers)
    assert short == usual


@pytest.mark.parametrize("name", WRITES)
def test_who_writes_is_answered_as_by_litestar(service: Service, game: str, name: str):
    role, path, headers, body = WRITES[name]
    short, usual = both(service.caller(role), "POST", f"{game}{path}", headers=headers, content=body)
    assert short == usual


@pytest.mark.parametrize(("method", "path"), [("GET", "/table"), ("POST", "/moves")])
def test_a_game_that_is_not_there_is_unknown_on_either_way(service: Service, method: str, path: str):
    short, usual = both(service.caller("recorder"), method, f"{UNKNOWN}{path}", headers=BODY, content=MOVE)
    assert (short, short[0]) == (usual, 404)


def test_a_move_by_the_short_way_is_recorded_as_any_other(service: Service):
    recorder, answers = service.caller("recorder"), []
    for slash in ("", "/"):
        game = recorder.open()
        recorder.deal(game, "2C")
        headers = headers_of(recorder, {"headers": BODY})
        answer = recorder.client.post(f"/v1/{slash}games/{game}/moves", headers=headers, content=MOVE)
        event = answer.json()["events"][0]
        answers.append((answer.status_code, sorted(answer.headers), event["position"], event["body"], answer.json()["turn"]))
    assert (answers[0], answers[0][0]) == (answers[1], 201)


def scope(method: str, path: str, host: bytes = b"kiebitz.example:8000") -> Any:
    return {"type": "http", "method": method, "path": path, "root_path": "", "headers": [(b"host", host)]}


@pytest.mark.parametrize(
    ("asked", "enters"),
    [
        (scope("GET", f"/v1/games/{UNKNOWN}/table"), True),
        (scope("POST", f"/v1/games/{UNKNOWN}/moves"), True),
        (scope("HEAD", f"/v1/games/{UNKNOWN}/table"), False),
        (scope("GET", f"/v1/games/{UNKNOWN}/moves"), False),
        (scope("GET", f"/v1/games/{UNKNOWN}/table/"), False),
        (scope("GET", f"/v1/games/{UNKNOWN.replace('a', 'A')}/Table"), False),
        (scope("GET", "/v1/games/0/table"), False),
        (scope("GET", f"/v1/games/{UNKNOWN}/table", b"a host"), False),
        (scope("GET", f"/v1/games/{UNKNOWN}/table") | {"root_path": "/club"}, False),
    ],
)
def test_only_what_is_plain_goes_the_short_way(service: Service, asked: Any, enters: bool):
    app = cast(App, service.client.app)
    assert app.short_way.prepare_scope(asked) == enters


def test_nothing_goes_the_short_way_where_the_fast_path_is_off(service: Service):
    asked = [scope("GET", f"/v1/games/{UNKNOWN}/table"), scope("POST", f"/v1/games/{UNKNOWN}/moves")]
    with app_of(replace(service.services, fast_path=False)) as app:
        assert [cast(App, app).short_way.prepare_scope(one) for one in asked] == [False, False]
