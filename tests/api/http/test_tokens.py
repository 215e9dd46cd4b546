"""Who may do what."""

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from api.services import Limits, Services
from tests.api.conftest import Service, add_token, running, secret, settings_of, trailing

GAME = uuid4()
OPEN = ["/health/live", "/health/ready", "/openapi.json", "/docs", "/assets/page.css", "/schemas/record.json", "/v1/scores/schema"]


def readable(service: Service) -> list[str]:
    paths = service.contract.document["paths"]
    return sorted(_filled(path) for path, methods in paths.items() if "get" in methods)


def _filled(path: str) -> str:
    """The address with something in the place of each parameter."""
    return re.sub(r"\{\w+\}", "1", path.replace("{game}", str(GAME)).replace("{key}", "casino"))


def _tries(operation: dict[str, Any]) -> bool:
    """What any token may ask, because nothing is recorded."""
    return bool(operation["operationId"] == "try_moves")


def writable(service: Service) -> list[str]:
    paths = service.contract.document["paths"]
    found = [path for path, methods in paths.items() if "post" in methods and not _tries(methods["post"])]
    return sorted(_filled(path) for path in found)


def test_without_a_token_only_the_open_pages_answer(service: Service):
    nobody = service.caller(None)
    for path in readable(service):
        answer = nobody.get(path)
        assert (answer.status_code == 200) == (path in OPEN), path
        if path not in OPEN:
            assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
            assert answer.headers["www-authenticate"] == 'Bearer realm="kiebitz"'
    for path in writable(service):
        assert nobody.post(path, {}).status_code == 401


BAD = [
    "Bearer",
    "Bearer ",
    "Bearer kb_unknown",
    "Basic a2I6a2I=",
    "kb_secret_of_the_recorder",
    "Bearer kb_secret of the recorder",
    "Bearer \xe4",
]


@pytest.mark.parametrize("value", BAD)
def test_a_token_that_is_not_known_is_told_so(service: Service, value: str):
    answer = service.caller(None).get("/v1/games", headers={"Authorization": value.encode("latin-1")})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_a_viewer_may_write_nothing_and_is_told_who_may(service: Service):
    for path in writable(service):
        answer = service.caller("viewer").post(path, {})
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        assert "director" in answer.json()["needs"]
        assert "viewer" not in answer.json()["needs"]


def test_who_may_not_write_is_told_so_before_his_body_is_read(service: Service):
    answer = service.caller("viewer").call("POST", "/v1/games", content=b"\xff" * 2_000_000)
    assert answer.status_code == 403


@pytest.mark.parametrize("role", ["director", "recorder"])
def test_directors_and_recorders_read_and_write(service: Service, role: str):
    caller = service.caller(role)
    game = caller.open()
    caller.deal(game)
    card = caller.get(f"/v1/games/{game}/table").json()["hands"][0][0]
    assert caller.post(f"/v1/games/{game}/moves", trailing(0, card)).json()["events"][0]["by"] == f"p_{role}"


def test_the_scheme_may_be_written_as_one_likes(service: Service):
    assert service.caller(None).get("/v1/games", headers={"Authorization": f"bearer {secret('viewer')}"}).status_code == 200


def test_a_revoked_token_is_refused_after_a_second_at_most(service: Service):
    add_token(service.services, "viewer", "leaving")
    caller = service.caller("leaving")
    assert caller.get("/v1/games").status_code == 200
    service.services.registers.revoke_token("t_leaving", "2026-11-21T00:00:00Z")
    end = time.monotonic() + 1.5
    while caller.get("/v1/games").status_code == 200:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert caller.get("/v1/games").status_code == 401


def test_a_role_that_means_nothing_may_do_nothing(service: Service):
    add_token(service.services, "gardener")
    assert service.caller("gardener").get("/v1/games").status_code == 403


def test_no_secret_lies_in_the_register(service: Service):
    assert secret("viewer") not in str(service.services.registers.list_tokens())


def limited(services: Services) -> Services:
    return replace(services, limits=Limits(per_second=1.0, burst=5))


def test_a_viewer_who_asks_too_often_has_to_wait_and_recorders_have_not(tmp_path: Path):
    with running(settings_of(tmp_path), limited) as service:
        viewer, recorder = service.caller("viewer"), service.caller("recorder")
        answers = [viewer.get("/v1/rulesets") for _ in range(7)]
        assert [answer.status_code for answer in answers[:5]] == [200] * 5
        refused = answers[-1]
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
        assert refused.headers["retry-after"] == "1"
        assert refused.headers["ratelimit-policy"] == '"viewer";q=5'
        assert refused.headers["ratelimit"] == '"viewer";r=0;t=1'
        assert {recorder.get("/v1/rulesets").status_code for _ in range(20)} == {200}
        time.sleep(1.1)
        assert viewer.get("/v1/rulesets").status_code == 200
