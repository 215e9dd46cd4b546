"""For those who run it: health, numbers, the description of the API, and what happens when something breaks."""

import logging
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import UUID

import psycopg
import pytest
from jsonschema_rs import Draft202012Validator, meta
from litestar.handlers import HTTPRouteHandler
from prometheus_client.parser import text_string_to_metric_families

from api.http.description.openapi import list_described, operations
from api.services import Services
from deploy.compose import PROJECTIONS
from deploy.stores.epochs import ADD_UPGRADE
from domain.version import VERSION
from tests.api.conftest import Caller, Service, running, settings_of, trailing, without_limits
from tests.deploy.serving import until
from tests.deploy.stores.stores import sql_of
from tests.migrated import migrated_file


def test_it_lives_and_is_ready(service: Service):
    nobody, viewer = service.caller(None), service.caller("viewer")
    assert nobody.get("/health/live").json() == {"status": "live", "version": VERSION}
    assert nobody.get("/health/ready").json() == {"status": "ready"}
    details = viewer.get("/health/ready").json()
    assert details["status"] == "ready"
    assert {projection["name"] for projection in details["projections"]} == {projection.name for projection in PROJECTIONS}
    assert nobody.get("/health/ready", headers={"Authorization": "Bearer kb_no"}).status_code == 401


def test_without_its_store_it_lives_but_is_not_ready(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with running(settings_of(tmp_path), without_limits) as service:
        recorder = service.caller("recorder")
        game = recorder.open()
        service.services.projector.stop()
        service.services.journal.store.close()
        assert recorder.get("/health/live").status_code == 200
        ready = recorder.get("/health/ready")
        assert (ready.status_code, ready.json()) == (503, {"status": "not_ready"})
        for answer in (recorder.post(f"/v1/games/{game}/hands", {"dealer": 1}), recorder.get(f"/v1/games/{game}/history")):
            assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "unavailable", "1")
            assert "closed" not in answer.text
            assert answer.json()["id"] in caplog.text
        assert "kiebitz_moves_recorded_total" in recorder.get("/metrics").text


def test_while_another_file_lies_in_the_place_of_the_store_nothing_is_recorded_and_anybody_is_told_why(tmp_path: Path):
    settings = settings_of(tmp_path)
    with running(settings, without_limits) as service:
        recorder = service.caller("recorder")
        game = recorder.open()
        why = (
            "Another file lies in the place of journal.db, which the service has open. Nothing is recorded until that is settled. "
            "Stop the service and start it again."
        )
        migrated_file(tmp_path / "laid" / "journal.db")
        (tmp_path / "laid" / "journal.db").replace(settings.journal_file)
        answer = recorder.post(f"/v1/games/{game}/hands", {"dealer": 1})
        assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (503, "store_halted", why)
        ready = service.caller(None).get("/health/ready")
        assert (ready.status_code, ready.json()) == (503, {"status": "not_ready", "problem": why})
        assert len(recorder.get(f"/v1/games/{game}/history").json()["events"]) == 1


def test_where_a_newer_version_upgrades_the_store_meanwhile_and_keeps_it_for_itself_nothing_more_is_recorded(tmp_path: Path):
    with running(settings_of(tmp_path), without_limits) as service:
        recorder = service.caller("recorder")
        game = recorder.open()
        sql_of(service.services.registers).change(ADD_UPGRADE, (2, "9.9.1", "2031-05-01T18:00:00Z", "9.9.0"))
        ready = until(lambda: (found := service.caller(None).get("/health/ready")).status_code == 503 and found)
        assert ready.json()["problem"].startswith("Kiebitz 9.9.1 upgraded this store on 2031-05-01")
        answer = recorder.post(f"/v1/games/{game}/hands", {"dealer": 1}, headers={"Accept-Language": "de"})
        assert (answer.status_code, answer.json()["code"]) == (503, "store_halted")
        assert answer.json()["detail"].startswith("Kiebitz 9.9.1 hat diesen Speicher am 2031-05-01 aktualisiert")


def test_readiness_is_tried_by_writing_and_at_most_once_a_second_whoever_asks(tmp_path: Path):
    log = tmp_path / "data" / "journal.db-wal"
    with running(settings_of(tmp_path), without_limits) as service:
        service.services.registers.try_writing()
        before = log.stat().st_size
        service.services.registers.try_writing()
        each = log.stat().st_size - before
        nobody, start, size = service.caller(None), monotonic(), log.stat().st_size
        with ThreadPoolExecutor(10) as probes:
            answers = list(probes.map(nobody.get, ["/health/ready"] * 50))
        trials = (log.stat().st_size - size) / each
        assert {answer.text for answer in answers} == {'{"status":"ready"}'}
        assert 1 <= trials <= monotonic() - start + 1


def test_who_may_not_write_is_not_ready(migrated: str, tmp_path: Path):
    with psycopg.connect(migrated, autocommit=True) as other, running(settings_of(tmp_path, migrated), without_limits) as service:
        nobody = service.caller(None)
        assert nobody.get("/health/ready").json() == {"status": "ready"}
        other.execute(f"ALTER DATABASE {other.info.dbname} SET default_transaction_read_only = on".encode())
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        answer = until(lambda: (found := nobody.get("/health/ready")).status_code == 503 and found)
        assert (answer.json(), answer.headers["retry-after"]) == ({"status": "not_ready"}, "1")


def test_the_numbers_are_for_officials(service: Service):
    assert service.caller(None).get("/metrics").status_code == 401
    refused = service.caller("viewer").get("/metrics")
    assert (refused.status_code, refused.json()["code"], "viewer" in refused.json()["needs"]) == (403, "forbidden", False)
    assert all(service.caller(role).get("/metrics").status_code == 200 for role in ("director", "recorder", "arbiter", "committee"))


def numbers(caller: Caller) -> dict[tuple[str, str], float]:
    families = text_string_to_metric_families(caller.get("/metrics").text)
    return {(sample.name, ",".join(sample.labels.values())): sample.value for family in families for sample in family.samples}


def test_the_numbers_count_moves_refusals_and_answers(service: Service):
    recorder = service.caller("recorder")
    before = numbers(recorder)
    game = recorder.open()
    recorder.deal(game)
    card = recorder.get(f"/v1/games/{game}/table").json()["hands"][0][0]
    headers = {"Idempotency-Key": f"counted-{game}"}
    for _ in range(2):
        recorder.trail(game, 0, card, headers=headers)
    recorder.trail(game, 0, card)
    after = numbers(recorder)

    def more(name: str, label: str = "") -> float:
        return after[name, label] - before.get((name, label), 0)

    assert more("kiebitz_moves_recorded_total") == 1
    assert more("kiebitz_refusals_total", "not_your_turn") == 1
    assert more("kiebitz_requests_total", "4xx") == 1
    assert more("kiebitz_requests_total", "2xx") == 6
    assert ("kiebitz_projection_lag", "score_sheets") in after


def without_schemas(node: Any) -> Any:
    """The validator of OpenAPI takes 4 s for the schemas; what it asks of them is asked below."""
    match node:
        case dict():
            return {name: {} if name == "schema" else without_schemas(value) for name, value in node.items() if name != "schemas"}
        case list():
            return [without_schemas(value) for value in node]
    return node


def schemas(node: Any) -> Iterator[Any]:
    """Every schema of the document that stands in no other."""
    match node:
        case dict():
            yield from (value for name, value in node.items() if name == "schema")
            yield from (one for name, value in node.items() if name == "schemas" for one in value.values())
            yield from (one for name, value in node.items() if name not in ("schema", "schemas", "examples") for one in schemas(value))
        case list():
            yield from (one for value in node for one in schemas(value))


def inner(schema: Any) -> Iterator[Any]:
    """The schema, and every one in it."""
    yield schema
    within = [schema[name] for name in ("items", "additionalProperties") if isinstance(schema.get(name), dict)]
    within += [one for name in ("properties", "$defs") for one in schema.get(name, {}).values()]
    within += [one for name in ("prefixItems", "anyOf", "oneOf", "allOf") for one in schema.get(name, ())]
    for one in within:
        yield from inner(one)


def test_every_schema_of_the_description_is_sound(service: Service):
    document = service.contract.document
    outer = list(schemas(document))
    assert [one for one in outer if not meta.is_valid(one)] == []
    every = [one for schema in outer for one in inner(schema)]
    assert [one for one in every if "properties" in one and not one["properties"].keys() >= set(one.get("required", ()))] == []
    by_default = [one for one in every if one.get("default") is not None]
    assert len(by_default) > 100
    one_each = Draft202012Validator({"components": document["components"], "prefixItems": by_default})
    assert [error.message for error in one_each.iter_errors([one["default"] for one in by_default])] == []


def test_the_description_is_sound_and_tells_of_every_route(service: Service):
    from openapi_spec_validator import validate  # takes 0.4 s, which every test process would spend

    document = service.caller(None).get("/openapi.json").json()
    validate(without_schemas(document))
    app = service.client.app
    handlers = [handler for route in app.routes for handler in getattr(route, "route_handlers", ())]
    undescribed = [handler for handler in handlers if isinstance(handler, HTTPRouteHandler) and "operation" not in handler.opt]
    assert {method for handler in undescribed for method in handler.http_methods} == {"OPTIONS"}
    found = list(list_described(app))
    assert {(path, method) for path, methods in document["paths"].items() for method in methods} == {
        (path, method) for path, method, _ in found
    }
    everything = list(operations(app))
    assert len({operation.id for _, _, operation in everything}) == len(everything)


def test_every_operation_says_what_it_takes_and_answers(service: Service):
    document = service.contract.document
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            assert any(status.startswith("2") for status in operation["responses"])
            assert {"400", "500"} <= operation["responses"].keys()
            assert "401" in operation["responses"] or operation["security"] == []
            for answer in operation["responses"].values():
                assert "$ref" in answer or answer["description"]


def test_every_reference_of_the_description_leads_somewhere(service: Service):
    text = service.caller(None).get("/openapi.json").text
    components = service.contract.document["components"]
    for kind, name in re.findall(r'"#/components/(\w+)/(\w+)"', text):
        assert name in components[kind]


def test_the_page_for_people_needs_nothing_from_elsewhere(service: Service):
    nobody = service.caller(None)
    page = nobody.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert "<script" not in page.text
    links = set(re.findall(r'(?:src|href)="([^"#]+)"', page.text))
    assert {link for link in links if not link.startswith("/docs/")} == {"/openapi.json", "/docs"}
    anchors = set(re.findall(r'id="([^"]+)"', page.text))
    assert set(re.findall(r'href="#([^"]+)"', page.text)) <= anchors


def test_the_type_of_every_problem_leads_to_the_page(service: Service):
    anchors = set(re.findall(r'id="([^"]+)"', service.caller(None).get("/docs").text))
    recorder = service.caller("recorder")
    for answer in (
        recorder.get("/nothing"),
        recorder.call("PUT", "/v1/games"),
        recorder.post("/v1/games", "{"),
        recorder.post("/v1/games", {}),
    ):
        assert answer.json()["type"].removeprefix("/docs#") in anchors


@pytest.mark.parametrize("path", ["/v1", "/v1/games/", "/v1/games/not-an-id", "/v1/games/not-an-id/table", "/v2/games", "/favicon.ico"])
def test_an_address_without_anything_is_a_problem(service: Service, path: str):
    answer = service.client.get(path)
    if path == "/v1/games/":
        assert answer.status_code == 401
        return
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/v1/games"), ("DELETE", "/v1/games/7f1c5c1e-8a55-4a53-9a63-4e4ed1f0ac6e"), ("POST", "/docs")]
)
def test_a_method_that_an_address_does_not_know_is_a_problem_that_names_the_others(service: Service, method: str, path: str):
    answer = service.caller("recorder").call(method, path)
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert "GET" in answer.headers["allow"]


def test_what_an_address_allows_can_be_asked(service: Service):
    answer = service.client.options("/v1/games")
    assert (answer.status_code, answer.headers["allow"], answer.content) == (204, "GET, HEAD, OPTIONS, POST", b"")


def test_every_answer_forbids_guessing_its_type_and_sets_no_cookie(service: Service):
    for path in ("/health/live", "/docs", "/nothing", "/v1/games"):
        answer = service.client.get(path)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers


def clumsy(services: Services) -> Services:
    def dropped(cards: Sequence[str]) -> tuple[str, ...]:
        raise RuntimeError("the cards KC and 7D fell under the table")

    return replace(services, shuffle=dropped)


def test_a_fault_of_our_own_is_told_without_details_and_found_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with running(settings_of(tmp_path), clumsy) as service:
        recorder = service.caller("recorder")
        game = recorder.open()
        with caplog.at_level(logging.ERROR):
            answer = recorder.post(f"/v1/games/{game}/hands", {"dealer": 1})
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (500, "internal_error")
        assert "KC" not in answer.text
        assert "Traceback" not in answer.text
        assert problem["id"] in caplog.text
        assert "fell under the table" in caplog.text
        assert recorder.get(f"/v1/games/{game}").json()["position"] == 1


def test_a_game_whose_opening_cannot_be_read_is_told_so(tmp_path: Path):
    with running(settings_of(tmp_path), without_limits) as service:
        game = service.caller("recorder").open()
    with running(settings_of(tmp_path / "copy"), without_limits) as other:
        sql_of(other.services.registers).change(
            "INSERT INTO events (originator_id, originator_version, topic, state) VALUES (?, 1, 'game.opened/1', ?)",
            (UUID(game).bytes, b"{}"),
        )
        answer = other.caller("recorder").post(f"/v1/games/{game}/moves", trailing(0, "KC"))
        assert (answer.status_code, answer.json()["code"]) == (500, "corrupt")
        assert "id" in answer.json()
