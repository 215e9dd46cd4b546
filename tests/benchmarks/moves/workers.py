"""Several workers of one service on PostgreSQL beside one: moves at different tables, and all in one game. Nothing is kept to a core."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

import msgspec
from msgspec import Struct

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import cpu_of, memory_of
from tests.benchmarks.moves.over_http import Ask
from tests.benchmarks.moves.places import Running, database_place, kiebitz_by, recorder_of, roomy_server
from tests.benchmarks.moves.rounds import ROUNDS, Measured, Taken, figure, grown_figure, interleaved
from tests.benchmarks.moves.sender import Load, Sent
from tests.benchmarks.moves.tables import Requests, tables
from tests.benchmarks.moves.worker import worker
from tests.deploy.serving import client_of, done

CPU = 1.15
"""So many times the processor time of one worker may a move take at different tables."""
_MANY_CORES = 4
_TURN = msgspec.json.encode({"seat": 0, "move": {"type": "turn"}}).decode()


class Scene(Struct, frozen=True):
    """``goal``: of two workers, moves a second beside one."""

    name: str
    made: Callable[[Running, int, int], list[Requests]]
    callers: int
    moves: int
    goal: float
    cpu: float | None = None


def one_game(server: Running, callers: int, moves: int) -> list[Requests]:
    """Cascades without an end, as the cards lie: its player turns and never places anything. So a move is legal whoever comes first."""
    with client_of(f"http://127.0.0.1:{server.ports[0]}", server.token) as client:
        opened = client.post("/v1/games", json={"ruleset": "cascades", "seats": 1, "options": {"passes": 0}})
        path = f"/v1/games/{done(opened)['game']}"
        done(client.post(f"{path}/hands", json={"dealer": 0, "deck": [], "fill": "sorted"}))
    return [[(f"{path}/moves", _TURN)] * moves for _ in range(callers)]


SCENES = (
    Scene("different games, 16 at a time", tables, 16, 100, 1.0, CPU),
    Scene("different games, 64 at a time", tables, 64, 30, 1.0, CPU),
    Scene("one game, 16 at a time", one_game, 16, 60, 0.9),
)


def figures(quick: bool) -> Iterator[Figure]:
    numbers = (1, 2, 4) if (os.cpu_count() or 1) >= _MANY_CORES else (1, 2)
    with ExitStack() as stack:
        ask = stack.enter_context(worker("tests.benchmarks.moves.sender", None, Sent))
        database = stack.enter_context(roomy_server())
        places = {number: stack.enter_context(database_place(database)) for number in numbers}
        servers = {number: stack.enter_context(kiebitz_by(number, place, recorder_of(place.settings))) for number, place in places.items()}
        works = {
            f"{scene.name}, {_so_many(number)}": partial(_round, ask, server, database.process.pid, scene, 3 if quick else scene.moves)
            for scene in SCENES
            for number, server in servers.items()
        }
        found = interleaved(works, 1 if quick else ROUNDS)
        for scene in SCENES:
            yield from _told(scene, {number: found[f"{scene.name}, {_so_many(number)}"] for number in numbers})
        for number, server in servers.items():
            yield Figure(f"memory of the service with {_so_many(number)}, all its processes", memory_of(server.process), "MB")


def _told(scene: Scene, found: dict[int, Measured]) -> Iterator[Figure]:
    one = found.pop(1)
    yield figure(f"moves in {scene.name}, one worker", one)
    for number, several in found.items():
        name, held = f"{scene.name}, {_so_many(number)}", number == 2
        yield figure(f"moves in {name}", several, "one worker", one, scene.goal if held else None)
        yield grown_figure(
            f"processor time of service and database a move in {name}", several, "one worker", one, scene.cpu if held else None
        )


def _so_many(number: int) -> str:
    return "one worker" if number == 1 else f"{number} workers"


def _round(ask: Ask, server: Running, database: int, scene: Scene, moves: int) -> Callable[[], Taken]:
    requests = scene.made(server, scene.callers, moves)

    def send() -> Taken:
        before = cpu_of(server.process) + cpu_of(database)
        sent = ask(Load(server.ports, server.token, requests))
        return Taken(sent.seconds, sent.latencies, cpu_of(server.process) + cpu_of(database) - before)

    return send
