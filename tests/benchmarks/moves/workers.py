"""Several workers of one service on PostgreSQL beside one: moves at different tables, and all in one game. Nothing is kept to a core."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

import msgspec

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import cpu_of, memory_of
from tests.benchmarks.moves.over_http import Ask
from tests.benchmarks.moves.places import Running, database_place, kiebitz_by, recorder_of, roomy_server
from tests.benchmarks.moves.rounds import ROUNDS, Measured, Taken, figure, grown_figure, interleaved
from tests.benchmarks.moves.sender import Load, Sent
from tests.benchmarks.moves.tables import Requests, tables
from tests.benchmarks.moves.worker import worker
from tests.deploy.serving import client_of, done

CALLERS, MOVES = 16, 100
_CPU = 1.15
_GOALS = {"different games": 1.0, "one game": 0.9}
_TURN = msgspec.json.encode({"seat": 0, "move": {"type": "turn"}}).decode()
_MANY_CORES = 4


def figures(quick: bool) -> Iterator[Figure]:
    numbers = (1, 2, 4) if (os.cpu_count() or 1) >= _MANY_CORES else (1, 2)
    moves, rounds = (5, 1) if quick else (MOVES, ROUNDS)
    with ExitStack() as stack:
        ask = stack.enter_context(worker("tests.benchmarks.moves.sender", None, Sent))
        database = stack.enter_context(roomy_server())
        places = {number: stack.enter_context(database_place(database)) for number in numbers}
        servers = {number: stack.enter_context(kiebitz_by(number, place, recorder_of(place.settings))) for number, place in places.items()}
        works = {
            (what, number): partial(_round, ask, server, database.process.pid, made, moves)
            for number, server in servers.items()
            for what, made in (("different games", tables), ("one game", one_game))
        }
        found = interleaved({f"{what} {number}": work for (what, number), work in works.items()}, rounds)
        yield from _told({key: found[f"{key[0]} {key[1]}"] for key in works}, numbers)
        for number, server in servers.items():
            yield Figure(f"memory of the service with {_so_many(number)}, its other processes included", memory_of(server.process), "MB")


def _told(found: dict[tuple[str, int], Measured], numbers: tuple[int, ...]) -> Iterator[Figure]:
    for what, goal in _GOALS.items():
        one = found[what, 1]
        yield figure(f"moves in {what}, {CALLERS} at a time, one worker", one)
        for number in numbers[1:]:
            several, held = found[what, number], number == 2
            name = f"{what}, {CALLERS} at a time, {_so_many(number)}"
            yield figure(f"moves in {name}", several, "one worker", one, goal if held else None)
            # Nobody promised what it costs that all want the same game.
            most = _CPU if held and what == "different games" else None
            yield grown_figure(f"processor time of service and database a move in {name}", several, "one worker", one, most)


def _so_many(number: int) -> str:
    return "one worker" if number == 1 else f"{number} workers"


def _round(
    ask: Ask, server: Running, database: int, made: Callable[[Running, int, int], list[Requests]], moves: int
) -> Callable[[], Taken]:
    requests = made(server, CALLERS, moves)

    def send() -> Taken:
        before = cpu_of(server.process) + cpu_of(database)
        sent = ask(Load(server.ports, server.token, requests))
        return Taken(sent.seconds, sent.latencies, cpu_of(server.process) + cpu_of(database) - before)

    return send


def one_game(server: Running, callers: int, moves: int) -> list[Requests]:
    """Cascades without an end, as the cards lie: its player turns and never places anything. So a move is legal whoever comes first."""
    with client_of(f"http://127.0.0.1:{server.ports[0]}", server.token) as client:
        opened = client.post("/v1/games", json={"ruleset": "cascades", "seats": 1, "options": {"passes": 0}})
        path = f"/v1/games/{done(opened)['game']}"
        done(client.post(f"{path}/hands", json={"dealer": 0, "deck": [], "fill": "sorted"}))
    return [[(f"{path}/moves", _TURN)] * moves for _ in range(callers)]
