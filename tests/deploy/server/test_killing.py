"""Durability of acknowledged events when the server is killed during writes."""

import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from tests.deploy.serving import Served, done, open_game, play_on, served, until
from tests.projections.helpers import end_lease

TABLES = 4
MOVES = 60


def test_a_killed_server_loses_no_acknowledged_move_on_sqlite(tmp_path: Path):
    kill_and_look(["--data", tmp_path])


def test_a_killed_server_loses_no_acknowledged_move_on_postgresql(migrated: str):
    kill_and_look(["--database-url", migrated])


def kill_and_look(arguments: Sequence[object]) -> None:
    with served(*arguments) as server:
        acknowledged = play_until_killed(server)
    assert sum(map(len, acknowledged.values())) >= MOVES
    end_lease(str(arguments[-1]))
    with served(*arguments) as again, again.client(server.token) as client:
        for game, answers in acknowledged.items():
            stands = everything_is_there(client, game, answers)
            assert play_on(client, game)["position"] == stands + 1


def play_until_killed(server: Served) -> dict[str, list[dict]]:
    """Several tables at a time, so that the kill falls into a write; answers what was acknowledged by then."""
    enough = threading.Semaphore(0)

    def play(game: str) -> list[dict]:
        answers: list[dict] = []
        with server.client() as client:
            try:
                while True:
                    answers.append(play_on(client, game))
                    enough.release()
            except httpx.TransportError:
                return answers

    with server.client() as client:
        games = [open_game(client) for _ in range(TABLES)]
    with ThreadPoolExecutor(TABLES) as tables:
        playing = [tables.submit(play, game) for game in games]
        for _ in range(MOVES):
            assert enough.acquire(timeout=60)
        os.kill(server.process.pid, signal.SIGKILL)
        return {game: played.result() for game, played in zip(games, playing, strict=True)}


def everything_is_there(client: httpx.Client, game: str, answers: list[dict]) -> int:
    """The position at which the game stands: at most one move was stored that nobody was told of."""
    history = done(client.get(f"/v1/games/{game}/history", params={"limit": 1000}))["events"]
    assert [what(event) for event in history[1 : 1 + len(answers)]] == [what(event) for answer in answers for event in answer["events"]]
    assert len(answers) + 1 <= len(history) <= len(answers) + 2
    assert until(lambda: done(client.get(f"/v1/games/{game}"))["position"] == len(history))
    return len(history)


def what(event: dict) -> tuple:
    return event["position"], event["name"], event["at"], event["body"]
