"""Every answer names its request, and so do the log and the problem of a fault."""

import asyncio
import json
import logging
import re
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest

from api.http.sending import current_request_id, note_request
from deploy.system.log_lines import JsonLines
from tests.api.conftest import Caller, Service, running, settings_of, without_limits
from tests.api.http.test_strictness import as_sent

ANSWERS = {
    "a read": ("GET", "/v1/games", 200),
    "a page": ("GET", "/docs", 200),
    "lines": ("GET", "/v1/feed", 200),
    "health": ("GET", "/health/live", 200),
    "what is allowed": ("OPTIONS", "/v1/games", 204),
    "a head": ("HEAD", "/v1/games", 200),
    "nothing there": ("GET", "/v1/nowhere", 404),
    "no such method": ("PUT", "/v1/games", 405),
    "a refusal": ("POST", "/v1/games", 415),
}
every = pytest.mark.parametrize(("method", "path", "status"), ANSWERS.values(), ids=ANSWERS)


@every
def test_an_answer_names_the_request_by_the_id_that_its_caller_gave_it(recorder: Caller, method: str, path: str, status: int):
    answer = recorder.call(method, path, headers={"Request-Id": "hall-3:table-12/move.7"})
    assert (answer.status_code, answer.headers.get_list("request-id")) == (status, ["hall-3:table-12/move.7"])


@every
def test_or_by_one_of_its_own_that_no_other_has(recorder: Caller, method: str, path: str, status: int):
    ids = [recorder.call(method, path).headers["request-id"] for _ in range(2)]
    assert len(set(ids)) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", id) for id in ids)


def test_without_a_token_too(nobody: Caller):
    assert nobody.get("/v1/games", headers={"Request-Id": "who"}).headers["request-id"] == "who"


@pytest.mark.parametrize("id", ["", "x" * 129, "two words", "k\u00e4se", "a\tb", "a,b", 'a"b', "<script>"])
def test_what_could_forge_a_line_of_the_log_is_not_taken_over(recorder: Caller, id: str):
    answer = recorder.get("/v1/rulesets", headers={"Request-Id": id.encode()})
    assert (answer.status_code, re.fullmatch("[0-9a-f]{32}", answer.headers["request-id"]) is not None) == (200, True)


def test_of_two_neither_is_taken_over(service: Service):
    answer = as_sent(service, "GET", "/health/live", [("Request-Id", "one"), ("Request-Id", "two")])
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["request-id"])


def test_a_fault_is_found_in_the_log_by_the_id_of_its_answer(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with running(settings_of(tmp_path), without_limits) as service, caplog.at_level(logging.ERROR, "kiebitz.api"):
        recorder = service.caller("recorder")
        game = recorder.open()
        service.services.store.close()
        given = recorder.get("/v1/games", headers={"Request-Id": "evening-1"})
        made = recorder.get(f"/v1/games/{game}/score-sheet")
    assert (given.status_code in (500, 503), given.json()["id"], given.headers["request-id"]) == (True, "evening-1", "evening-1")
    assert made.json()["id"] == made.headers["request-id"]
    assert ["problem evening-1 at" in caplog.text, f"problem {made.json()['id']} at" in caplog.text] == [True, True]


def test_a_thread_that_works_for_a_request_knows_of_which_and_a_task_that_goes_on_for_others_of_none():
    async def others() -> str | None:
        note_request(None)
        return current_request_id()

    async def answered() -> tuple[str | None, str | None, str | None]:
        note_request("evening-1")
        return await asyncio.to_thread(current_request_id), await asyncio.create_task(others()), current_request_id()

    assert asyncio.run(answered()) == ("evening-1", None, "evening-1")
    assert current_request_id() is None


def test_a_line_of_the_log_names_the_request_whichever_way_it_went(tmp_path: Path):
    told = StringIO()
    handler = logging.StreamHandler(told)
    handler.setFormatter(JsonLines(current_request_id))
    with running(settings_of(tmp_path), without_limits) as service:
        recorder = service.caller("recorder")
        service.services.store.close()
        service.services.journal.store.close()
        logging.getLogger("kiebitz.api").addHandler(handler)
        recorder.get("/v1/games", headers={"Request-Id": "long"})
        recorder.post(f"/v1/games/{uuid4()}/moves", {"seat": 0, "move": {}}, headers={"Request-Id": "short"})
        logging.getLogger("kiebitz.api").removeHandler(handler)
    lines = [line for line in map(json.loads, told.getvalue().splitlines()) if "error_id" in line]  # who sends webhooks complains, too
    assert [(line["request_id"], line["error_id"]) for line in lines] == [("long", "long"), ("short", "short")]


def test_the_document_tells_of_it_at_every_answer(service: Service):
    for path, methods in service.contract.document["paths"].items():
        for operation in methods.values():
            told = {status: answer.get("headers", {}) for status, answer in operation["responses"].items() if status[0] == "2"}
            assert all("Request-Id" in headers for headers in told.values()), path
