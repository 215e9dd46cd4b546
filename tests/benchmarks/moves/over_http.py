"""A move over HTTP beside the smallest authenticated endpoint with one INSERT, in an app of its own, and an app that does nothing."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import OTHERS, cpu_of, memory_of
from tests.benchmarks.moves.pgbench import lay_out, pgbench
from tests.benchmarks.moves.places import Place, Running, bare, kiebitz, places, recorder_of
from tests.benchmarks.moves.rounds import ROUNDS, Measured, Taken, cpu_figure, figure, grown_figure, interleaved, taken_of
from tests.benchmarks.moves.sender import Load, Sent
from tests.benchmarks.moves.tables import Requests, tables
from tests.benchmarks.moves.worker import worker

CALLERS = {1: 800, 16: 100, 64: 30}
"""How many send at the same time, and how many moves each of them in a round."""
GOALS = {
    "SQLite on disk": {1: 0.5, 16: 1.4, 64: 1.6},
    "SQLite in memory": {1: 0.55, 16: 0.6, 64: 0.65},
    "PostgreSQL": {1: 0.65, 16: 0.75, 64: 1.1},
}
_ENDPOINT = "smallest endpoint with one INSERT"
_STOCK = "recorder of eventsourcing as it comes, behind Litestar"
_LEAST, _MOST = 0.55, 1.6
"""In memory: of the endpoint's moves a second with one caller, and times its processor time with 16."""
_SHORT = {"SQLite on disk": {16: 60}, "SQLite in memory": {1: 800, 16: 100}, "PostgreSQL": {1: 200, 16: 60}}

Ask = Callable[[object], Sent]


def figures(quick: bool) -> Iterator[Figure]:
    callers = {2: 5} if quick else CALLERS
    with worker("tests.benchmarks.moves.sender", OTHERS, Sent) as ask, places() as each:
        for place in islice(each, 1 if quick else 0, None):
            yield from _figures(place, ask, callers, 1 if quick else ROUNDS)


def goals(quick: bool) -> Iterator[Figure]:
    """What carries a goal, beside what users would take instead."""
    with worker("tests.benchmarks.moves.sender", OTHERS, Sent) as ask, places() as each:
        for place in each:
            callers = {2: 5} if quick else _SHORT[place.name]
            yield from _beside_others(place, ask, callers, 1 if quick else ROUNDS)


def _beside_others(place: Place, ask: Ask, callers: dict[int, int], rounds: int) -> Iterator[Figure]:
    token, memory = recorder_of(place.settings), place.name == "SQLite in memory"
    with ExitStack() as stack:
        moves = stack.enter_context(kiebitz(place, token))
        servers = {"plain": stack.enter_context(bare(token, place.bare)), "stock": stack.enter_context(bare(token, place.bare, "stock"))}
        if place.settings.database_url:
            lay_out(place.bare)
        for number, times in callers.items():
            works = {name: _same(ask, server, number, times) for name, server in servers.items()}
            if place.settings.database_url:
                works["pgbench"] = taken_of(lambda number=number, times=times: pgbench(place.bare, number, 3 * times))
            found = interleaved({"moves": _moves(ask, moves, number, times), **works}, rounds)
            what = f"moves, {place.name}, {number} caller{'s' * (number > 1)}"
            yield figure(what, found["moves"], _ENDPOINT, found["plain"], _LEAST if memory and number < 16 else None)
            if memory and number > 1:
                yield grown_figure(f"processor time of {what}", found["moves"], _ENDPOINT, found["plain"], _MOST)
            yield figure(what, found["moves"], _STOCK, found["stock"])
            if "pgbench" in found:
                yield figure(what, found["moves"], "pgbench, one INSERT without HTTP", found["pgbench"])


def _figures(place: Place, ask: Ask, callers: dict[int, int], rounds: int) -> Iterator[Figure]:
    token = recorder_of(place.settings)
    with ExitStack() as stack:
        moves = stack.enter_context(kiebitz(place, token))
        servers = {"constant": stack.enter_context(bare(token)), "plain": stack.enter_context(bare(token, place.bare))}
        if place.settings.database_url:
            servers["pool"] = stack.enter_context(bare(token, place.bare, "pool"))
        for number, times in callers.items():
            works = {name: _same(ask, server, number, times) for name, server in servers.items()}
            yield from _told(place, number, interleaved({"moves": _moves(ask, moves, number, times), **works}, rounds))
        yield Figure(f"memory of the server after all of them, {place.name}", memory_of(moves.process), "MB")


def _told(place: Place, callers: int, found: dict[str, Measured]) -> Iterator[Figure]:
    what = f"{place.name}, {callers} at a time"
    endpoints = [name for name in found if name not in ("moves", "constant")]
    best = max(endpoints, key=lambda name: found[name].a_second)
    limit = _ENDPOINT if len(endpoints) == 1 else f"{_ENDPOINT}, {best}"
    yield figure(f"moves over HTTP, {what}", found["moves"], limit, found[best], GOALS.get(place.name, {}).get(callers))
    yield from (figure(f"{_ENDPOINT}, {what}, {name}", found[name]) for name in endpoints)
    yield figure(f"bare ASGI, {what}", found["constant"])
    yield cpu_figure(f"processor time of the server a move, {what}", found["moves"])
    yield cpu_figure(f"the same of the {limit}, {what}", found[best])


def _moves(ask: Ask, server: Running, callers: int, times: int) -> Callable[[], Callable[[], Taken]]:
    return lambda: sending(ask, server, tables(server, callers, times))


def _same(ask: Ask, server: Running, callers: int, times: int) -> Callable[[], Callable[[], Taken]]:
    """Bodies as long as those of moves."""
    body = '{"seat": 0, "move": {"type": "trail", "card": "10H"}}'
    return lambda: sending(ask, server, [[("/insert", body)] * times for _ in range(callers)])


def sending(
    ask: Ask, server: Running, requests: list[Requests], rate: float | None = None, cpu: Callable[[int], float] = cpu_of
) -> Callable[[], Taken]:
    """One round, made ready: everything but sending has been done. ``cpu``: seconds of processor time of a process."""

    def send() -> Taken:
        before = cpu(server.process)
        sent = ask(Load(server.ports, server.token, requests, rate))
        return Taken(sent.seconds, sent.latencies, cpu(server.process) - before)

    return send
