"""How long an answer may take to begin, and what is said when that time is over."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from api.http.limits import TimeoutMiddleware, more_time
from api.http.request import Request, part_of
from tests.api.conftest import Service, running, settings_of, without_limits
from tests.deploy.stores.stores import writing_stopped


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with running(settings_of(tmp_path), without_limits) as service:
        yield service


@contextmanager
def hurried(service: Service, seconds: float = 0.5) -> Iterator[None]:
    """From here on answers have this time; what a test asks before and after has as long as ever, on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(part_of(service.client.app, TimeoutMiddleware), "_seconds", seconds)
        yield


def journal_of(folder: Path) -> str:
    return f"sqlite://{folder / 'data' / 'journal.db'}"


def test_a_move_that_the_store_does_not_take_in_time_may_be_recorded(service: Service, tmp_path: Path):
    recorder = service.caller("recorder")
    game = recorder.open()
    hand = recorder.deal(game)
    card = recorder.get(f"/v1/games/{game}/table").json()["hands"][0][0]
    with writing_stopped(journal_of(tmp_path)), hurried(service):
        answer = recorder.trail(game, 0, card, headers={"Idempotency-Key": "once"})
    assert (answer.status_code, answer.json()["code"], answer.json()["unclear"]) == (503, "unavailable", True)
    assert answer.json()["detail"].startswith("The time for this answer ran out, ")
    assert answer.json()["detail"].endswith("The change may have been recorded, or not. Retry with the same key.")
    assert answer.headers["retry-after"] == "1"
    again = recorder.trail(game, 0, card, headers={"Idempotency-Key": "once"})
    assert (again.status_code, again.json()["position"]) == (201, hand["position"] + 1)


def test_a_read_that_the_store_keeps_waiting_recorded_nothing(migrated: str, tmp_path: Path):
    with running(settings_of(tmp_path, migrated), without_limits) as service:
        recorder = service.caller("recorder")
        game = recorder.open()
        with psycopg.connect(migrated) as other:
            other.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
            with hurried(service):
                answer = recorder.get(f"/v1/games/{game}/history")
        assert (answer.status_code, answer.json()["code"], answer.json()["unclear"]) == (503, "unavailable", False)
        assert recorder.get(f"/v1/games/{game}/history").status_code == 200


def test_every_part_of_an_import_has_its_time():
    sent: list[str] = []

    async def importing(scope: Any, receive: Any, send: Any) -> None:
        for _ in range(3):
            more_time(Request(scope))
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.Event().wait(), 0.1)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message["type"])

    async def receive() -> Any:
        raise AssertionError("nobody asked for a body")

    scope: Any = {"type": "http", "method": "POST", "state": {}}
    asyncio.run(TimeoutMiddleware(0.29).keep(importing, scope, receive, send))
    assert sent == ["http.response.start"]


def test_who_asked_to_wait_has_his_time_besides(service: Service):
    recorder = service.caller("recorder")
    recorder.open()
    head = recorder.get("/v1/feed").json()["head"]
    with hurried(service, 2.5):
        answer = recorder.get(f"/v1/feed?after={head}&wait=3")
    assert (answer.status_code, answer.json()["entries"]) == (200, [])


def test_a_player_whose_event_is_recorded_and_whose_name_is_not_may_be_registered(migrated: str, tmp_path: Path):
    with psycopg.connect(migrated, autocommit=True) as other:
        other.execute(f"ALTER DATABASE {other.info.dbname} SET lock_timeout = '200ms'".encode())
        with running(settings_of(tmp_path, migrated), without_limits) as service:
            director = service.caller("director")
            with other.transaction():
                other.execute("LOCK TABLE people IN SHARE MODE")
                one = director.post("/v1/players", {"id": "GER-1", "name": "Anna"}, headers={"Idempotency-Key": "one"})
                many = director.post("/v1/players", '{"id": "GER-2", "name": "Ben"}', headers={"Content-Type": "application/x-ndjson"})
            assert [(answer.status_code, answer.json()["unclear"]) for answer in (one, many)] == [(503, True), (503, True)]
            again = director.post("/v1/players", {"id": "GER-1", "name": "Anna"}, headers={"Idempotency-Key": "one"})
            assert again.status_code == 201
            assert director.get("/v1/players/GER-1").json()["name"] == "Anna"
