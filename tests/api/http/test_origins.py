"""Which pages of elsewhere a browser lets read an answer: none, unless they are set."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from api.http.sending import ALLOWED, EXPOSED
from api.services import Services
from tests.api.conftest import Caller, Service, running, settings_of, without_limits

CLUB = "https://club.example"
ASKING = {"Origin": CLUB, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization, if-match"}


def cors(caller: Caller, path: str, method: str = "GET", **headers: str) -> dict[str, str]:
    answer = caller.call(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control-")}


def opened(*origins: str) -> Callable[[Services], Services]:
    def changed(services: Services) -> Services:
        return replace(without_limits(services), origins=origins)

    return changed


def test_nothing_is_said_where_none_is_set(service: Service):
    recorder = service.caller("recorder")
    for method in ("GET", "OPTIONS"):
        assert cors(recorder, "/v1/games", method, **ASKING) == {}
    assert "origin" not in recorder.get("/v1/games", headers={"Origin": CLUB}).headers["vary"]


def test_a_page_of_a_club_that_is_set_may_ask_and_read(tmp_path: Path):
    with running(settings_of(tmp_path), opened(CLUB, "http://127.0.0.1:3000")) as service:
        recorder, nobody = service.caller("recorder"), service.caller(None)
        read = {"access-control-allow-origin": CLUB, "access-control-expose-headers": ", ".join(EXPOSED)}
        leave = {
            "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
            "access-control-allow-headers": ", ".join(ALLOWED),
            "access-control-max-age": "600",
        }
        assert cors(nobody, "/v1/games", "OPTIONS", **ASKING) == {**read, **leave}
        assert cors(recorder, "/v1/games", Origin=CLUB) == read
        assert cors(nobody, "/v1/games", Origin=CLUB) == read  # so that a page can tell why it was refused
        assert cors(recorder, "/v1/nowhere", Origin=CLUB) == read
        assert cors(recorder, "/v1/feed", Origin=CLUB, Accept="application/x-ndjson") == read
        assert cors(recorder, "/v1/games", Origin="http://127.0.0.1:3000")["access-control-allow-origin"] == "http://127.0.0.1:3000"


@pytest.mark.parametrize("origin", ["https://other.example", "http://club.example", "https://club.example.evil.example", "null", ""])
def test_no_other_may_and_no_cache_takes_one_answer_for_the_other(tmp_path: Path, origin: str):
    with running(settings_of(tmp_path), opened(CLUB)) as service:
        recorder = service.caller("recorder")
        for method in ("GET", "OPTIONS"):
            assert cors(recorder, "/v1/games", method, **{**ASKING, "Origin": origin}) == {}
        vary = recorder.get("/v1/games", headers={"Origin": origin}).headers["vary"].split(", ")
        assert {"authorization", "origin"} <= set(vary)
        assert "origin" in recorder.get("/v1/games").headers["vary"]


def test_where_any_page_may_the_answer_is_the_same_for_all(tmp_path: Path):
    with running(settings_of(tmp_path), opened("*")) as service:
        recorder = service.caller("recorder")
        assert {cors(recorder, "/v1/games", Origin=origin)["access-control-allow-origin"] for origin in (CLUB, "null")} == {"*"}
        assert "origin" not in recorder.get("/v1/games").headers["vary"]


def test_every_header_that_is_described_can_be_sent_and_read_by_such_a_page(service: Service):
    operations = [one for methods in service.contract.document["paths"].values() for one in methods.values()]
    # Set-Cookie no script can read, and none of elsewhere gets one: it is from our own pages alone.
    told = {name for one in operations for answer in one["responses"].values() for name in answer.get("headers", {})}
    taken = {one["name"] for operation in operations for one in operation["parameters"] if one["in"] == "header"}
    assert (told - {"Set-Cookie"} - set(EXPOSED), taken - set(ALLOWED)) == (set(), set())
