"""Who may do what."""

import asyncio
import re
import time
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from litestar import Request as LitestarRequest

import api
from api.app import MOST_ASKED
from api.http.guards import authenticate, stream_response
from api.http.request import Principal, Request, Tokens, add_part, part_of
from api.services import Limits, Services
from domain.access import Grant, OfTournament
from tests.api.conftest import Service, add_token, app_of, running, secret, settings_of, trailing

GAME = uuid4()
OPEN = [
    "/",
    "/in",
    "/v1/tournaments",  # those that are published
    "/v1/series",
    "/v1/ratings/lists",
    "/v1/statistics?ruleset=casino",
    "/assets/1/ground.css",
    "/health/live",
    "/health/ready",
    "/openapi.json",
    "/docs",
    "/docs/verifier",
    "/schemas/record.json",
    "/v1/schemas/scores",
]

LOG = ("/v1/log/checkpoint", "/v1/log/consistency", "/v1/log/keys", "/v1/log/tile/1/1")
"""Open to everybody, and none is kept here; ``tests/api/log`` tries one that is."""


def readable(service: Service) -> list[str]:
    paths = service.contract.document["paths"]
    return sorted(_filled(path) for path, methods in paths.items() if "get" in methods)


def _filled(path: str) -> str:
    """The address with something in the place of each parameter."""
    known = {"game": str(GAME), "name": "ground.css", "key": "casino", "schema": "scores"}
    path = "/v1/statistics?ruleset=casino" if path == "/v1/statistics" else path  # the ruleset is required
    return re.sub(r"\{(\w+)\}", lambda name: known.get(name[1], "1"), path)


def _is_open(operation: dict[str, Any]) -> bool:
    """How one comes in and goes out."""
    return operation["operationId"] in ("sign_in", "sign_out")


def _tries(operation: dict[str, Any]) -> bool:
    """What any token may ask, because nothing is recorded; of streams, each topic is asked for by itself."""
    return operation["operationId"] in ("try_moves", "reconcile", "follow_streams")


def writable(service: Service) -> list[str]:
    paths = service.contract.document["paths"]
    found = [path for path, methods in paths.items() if "post" in methods and not _tries(methods["post"]) and not _is_open(methods["post"])]
    return sorted(_filled(path) for path in found)


def test_without_a_token_only_the_open_pages_answer(service: Service):
    nobody = service.caller(None)
    for path in readable(service):
        answer = nobody.get(path)
        assert (answer.status_code == 200) == (path in OPEN), path
        if path in LOG:
            assert (answer.status_code, answer.json()["code"]) == (404, "no_log")
        elif path not in OPEN:
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
        assert "director" in answer.json()["needs"] or answer.json()["needs"] == ["player"]
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


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_who_waits_at_the_feed_is_sent_away_soon_after_his_token_was_revoked(
    service: Service, accept: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("api.service.feed._LOOK_AGAIN", 0.2)
    name = f"waiting for {accept}"
    add_token(service.services, "viewer", name)
    head = service.services.journal.head()
    known = part_of(service.client.app, Tokens)
    with ThreadPoolExecutor() as threads:
        before, begun = set(known._known), time.monotonic()
        waiting = threads.submit(service.caller(name).get, f"/v1/feed?after={head}&wait=30", headers={"Accept": accept})
        while set(known._known) <= before:  # until he is let in
            assert not waiting.done()
        service.services.registers.revoke_token(f"t_{name}", "2026-11-21T00:00:00Z")
        answer = waiting.result()
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert time.monotonic() - begun < 30


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("role", ["revoked", "known"])
def test_an_answer_in_pieces_is_broken_off_before_the_next_one_once_the_token_is_revoked(tmp_path: Path, role: str):
    with running(settings_of(tmp_path)) as service, app_of(service.services) as app:
        add_token(service.services, "viewer", "reader")
        clock, sent = Clock(), list[Any]()
        add_part(app, Tokens(service.services.registers, service.services.clock, clock, used=lambda token: None))
        scope: Any = {"type": "http", "method": "GET", "litestar_app": app, "app": app, "state": {}, "headers": []}
        scope["route_handler"] = MOST_ASKED[1][1]
        scope["headers"].append((b"authorization", f"Bearer {secret('reader')}".encode()))
        request: Request = LitestarRequest(scope)

        async def pieces() -> AsyncGenerator[bytes, None]:
            for number in range(4):
                if number == 2 and role == "revoked":
                    service.services.registers.revoke_token("t_reader", "2026-11-21T00:00:00Z")
                clock.now += 0.6
                yield b"%d" % number

        async def send(message: Any) -> None:
            sent.append(message)

        async def run() -> None:
            await authenticate(request)
            await stream_response(request, pieces(), media_type="text/plain")(scope, asyncio.Event().wait, send)  # pyrefly: ignore[bad-argument-type]

        asyncio.run(run())
        told = b"".join(message.get("body", b"") for message in sent)
        whole = sent[-1].get("more_body") is False
        assert (told, whole) == ((b"012", False) if role == "revoked" else (b"0123", True))


def test_every_answer_in_pieces_looks_its_token_up_again():
    """Wings make none themselves: ``stream_response`` does, which also takes a place for it."""
    wings = {file.name: file.read_text() for file in Path(*api.__path__).rglob("*.py") if "http" not in file.parts}
    assert sum(text.count("return stream_response(") for text in wings.values()) >= 4
    assert [name for name, text in wings.items() if "StreamedResponse" in text] == []


def test_a_role_that_means_nothing_may_do_nothing(service: Service):
    add_token(service.services, "gardener")
    assert service.caller("gardener").get("/v1/games").status_code == 403


def test_who_is_beyond_his_scope_is_not_what_he_was_within():
    official = Principal("p_recorder", "recorder", Grant(OfTournament("cup")))
    assert (official.has_record_role, official.has_full_view, official.is_anonymous) == (True, True, False)
    beyond = official.as_viewer()
    assert (beyond.has_record_role, beyond.has_full_view, beyond.is_anonymous) == (False, False, False)


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
        assert [answer.headers["ratelimit"] for answer in answers[:4]] == [f'"viewer";r={left}' for left in (4, 3, 2, 1)]
        assert answers[4].headers["ratelimit"] == '"viewer";r=0;t=1'
        assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"viewer";q=5'}
        assert "ratelimit" not in recorder.get("/v1/rulesets").headers
        assert refused.headers["ratelimit"] == '"viewer";r=0;t=1'
        assert {recorder.get("/v1/rulesets").status_code for _ in range(20)} == {200}
        time.sleep(1.1)
        assert viewer.get("/v1/rulesets").status_code == 200


def test_what_takes_long_counts_as_several_requests(tmp_path: Path):
    def without_refill(services: Services) -> Services:
        return replace(services, limits=Limits(per_second=1e-6, burst=100))

    with running(settings_of(tmp_path), without_refill) as service:
        game, viewer = service.caller("recorder").open(), service.caller("viewer")
        paths = ("", "/proof", "/record", "/audit")
        left = [int(viewer.get(f"/v1/games/{game}{path}").headers["ratelimit"].split("r=")[1].split(";")[0]) for path in paths]
        assert [before - after for before, after in pairwise(left)] == [5, 5, 5]
