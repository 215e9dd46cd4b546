"""Access log: who requested what, the outcome and the duration, and no secrets."""

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.deploy.serving import done, open_game, play_on, served


@contextmanager
def logged(data: Path, said: list[str], **more: str) -> Iterator[httpx.Client]:
    """A client of a service that is over at the end of the context; then ``said`` is all that its log has."""
    with served("--data", data, **{"KIEBITZ_LOG_FORMAT": "json", **more}) as server, server.client() as client:
        assert server.process.stdout
        reading = threading.Thread(target=lambda: said.extend(server.process.stdout or ()))
        reading.start()
        yield client
        server.end(signal.SIGTERM)
        reading.join()


def accesses(said: list[str]) -> list[dict]:
    return [line for line in map(json.loads, said) if line["logger"] == "kiebitz.access"]


def test_each_request_leaves_a_line_with_its_id_and_the_principal_and_no_token(tmp_path: Path):
    said: list[str] = []
    with logged(tmp_path, said, KIEBITZ_ACCESS_LOG="on") as client:
        game = open_game(client)
        play_on(client, game)  # a table and a hand: one of them goes the short way
        move = done(client.get(f"/v1/games/{game}/legal-moves"))["moves"][0]
        client.headers["request-id"] = "evening-1"
        seat = done(client.get(f"/v1/games/{game}/table"))["turn"]
        done(client.post(f"/v1/games/{game}/moves", json={"seat": seat, "move": move}))
        client.get("/v1/players?search=mueller")
        client.delete(f"/v1/tokens/{client.headers['authorization'].split()[1]}")
        httpx.get(client.base_url.join("/health/live"), headers={"Request-Id": "evening-1"})
        with client.stream("GET", f"/v1/games/{game}/stream") as stream:
            assert stream.status_code == 200
    told = accesses(said)
    asked = [(one["access"]["method"], one["access"]["path"].replace(game, "…"), one["access"].get("status")) for one in told]
    assert asked == [
        ("POST", "/v1/games", 201),
        ("GET", "/v1/games/…/table", 200),
        ("POST", "/v1/games/…/hands", 201),
        ("GET", "/v1/games/…/legal-moves", 200),
        ("GET", "/v1/games/…/table", 200),
        ("POST", "/v1/games/…/moves", 201),
        ("GET", "/v1/players", 200),
        ("DELETE", "/v1/tokens/kb_…", 404),
        ("GET", "/health/live", 200),
        ("GET", "/v1/games/…/stream", 200),
    ]
    assert [one["request_id"] for one in told[4:]] == ["evening-1"] * 6
    assert len({one["request_id"] for one in told}) == 5
    principals = [one["access"].get("principal") for one in told]
    assert (len({*principals}), principals[-2]) == (2, None)
    assert all(one["access"]["milliseconds"] >= 0 and one["level"] == "info" for one in told)
    assert not any("kb_" in line.replace("kb_…", "") or "mueller" in line for line in said)


def test_none_does_where_that_is_not_asked_for(tmp_path: Path):
    said: list[str] = []
    with logged(tmp_path, said) as client:
        open_game(client)
    assert said == []


def test_as_text_it_is_one_line_too(tmp_path: Path):
    said: list[str] = []
    with logged(tmp_path, said, KIEBITZ_ACCESS_LOG="on", KIEBITZ_LOG_FORMAT="text") as client:
        client.get("/v1/nothing%0A2026", headers={"Request-Id": "evening-1"})
    assert [line.split()[3:7] for line in said] == [["kiebitz.access:", "GET", "/v1/nothing%0A2026", "404"]]
    assert said[0].split()[-1] == "evening-1"
