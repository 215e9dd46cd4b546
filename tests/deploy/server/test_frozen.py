"""Frozen PostgreSQL server: no request waits without limit, and responses about writes are true."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import httpx

from domain.version import VERSION
from tests.deploy.freezing import frozen
from tests.deploy.serving import IMPATIENT, Served, done, open_game, play_on, served, until
from tests.postgres import Server

PATIENCE = 60.0  # seconds: beyond what the service allows itself, on a busy machine
Ask = Callable[[httpx.Client], httpx.Response]


def asked_together(server: Served, *asks: Ask) -> list[httpx.Response]:
    def ask(one: Ask) -> httpx.Response:
        with server.client() as client:
            client.timeout = httpx.Timeout(PATIENCE)
            return one(client)

    with ThreadPoolExecutor(len(asks)) as callers:
        return list(callers.map(ask, asks))


def reading(path: str, token: str | None = None) -> Ask:
    return lambda client: client.get(path, headers={"Authorization": f"Bearer {token}"} if token else {})


def test_while_postgresql_is_frozen_every_request_is_answered_and_afterwards_all_works_again(postgres_server: Server, migrated: str):
    with served("--database-url", migrated, command=IMPATIENT) as server, server.client() as client:
        games = [open_game(client) for _ in range(4)]
        for game in games:
            play_on(client, game)
        moves = [moving(client, game) for game in games]
        reads = [reading(f"/v1/games/{game}/{what}") for game in games for what in ("table", "history", "legal-moves")]
        others = [reading("/v1/games"), reading("/v1/feed"), *(reading("/v1/games", f"kb_{n}") for n in range(4))]
        with frozen(postgres_server.process.pid):
            *answers, metrics = asked_together(server, *moves, *reads, *others, reading("/metrics"))
            ready, live = client.get("/health/ready"), client.get("/health/live")
        assert {answer.status_code for answer in answers} == {503}
        assert metrics.status_code in (200, 503)  # most of it this process knows by itself
        assert {answer.headers["retry-after"] for answer in answers} == {"1"}
        assert {answer.json()["unclear"] for answer in answers[4:]} == {False}
        assert (ready.status_code, ready.json(), ready.headers["retry-after"]) == (503, {"status": "not_ready"}, "1")
        assert (live.status_code, live.json()) == (200, {"status": "live", "version": VERSION})
        until(lambda: client.get("/health/ready").status_code == 200)
        for game, answer in zip(games, answers, strict=False):
            events = done(client.get(f"/v1/games/{game}/history"))["events"]
            assert len(events) == 2 or (len(events) == 3 and answer.json()["unclear"])
            play_on(client, game)


def moving(client: httpx.Client, game: str) -> Ask:
    """A legal move of an open hand."""
    table = done(client.get(f"/v1/games/{game}/table"))
    body = {"seat": table["turn"], "move": {"type": "trail", "card": table["hands"][table["turn"]][0]}}
    return lambda caller: caller.post(f"/v1/games/{game}/moves", json=body, headers={"Idempotency-Key": uuid4().hex})
