"""What a move and reads cost the server, in processor time, as its store grows: servers on 1,000 to 1,000,000 events."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import islice

from deploy.compose import open_services
from tests.benchmarks import hall
from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.machine import OTHERS, memory_of, on_core
from tests.benchmarks.moves.over_http import Ask, sending
from tests.benchmarks.moves.places import Place, Running, database_place, kiebitz, recorder_of, roomy_server, sqlite_place
from tests.benchmarks.moves.rounds import ROUNDS, Taken, grown_figure, interleaved
from tests.benchmarks.moves.sender import Sent
from tests.benchmarks.moves.tables import Requests, tables
from tests.benchmarks.moves.worker import worker
from tests.benchmarks.rebuild import games_of_all, insert_postgres, insert_sqlite, played_together
from tests.deploy.serving import client_of, done

SIZES = (1_000, 10_000, 100_000, 1_000_000)
_CALLERS, _TIMES = 16, 50
_GOAL = 1.25
_READS = {
    "a list": "/v1/games",
    "standings": "/v1/tournaments/evening/standings",
    "a series": "/v1/series/cup/standings",
    "ratings": "/v1/ratings?ruleset=canasta",
}


def goals(quick: bool) -> Iterator[Figure]:
    with worker("tests.benchmarks.moves.sender", OTHERS, Sent) as ask:
        figures = _figures(lambda: sqlite_place("SQLite on disk"), ask, SIZES[:2] if quick else SIZES[0:3:2], quick)
        yield from (figure for figure in figures if figure.goal is not None)


def figures(quick: bool) -> Iterator[Figure]:
    sizes = SIZES[:2] if quick else SIZES
    with worker("tests.benchmarks.moves.sender", OTHERS, Sent) as ask:
        yield from _figures(lambda: sqlite_place("SQLite on disk"), ask, sizes, quick)
        if not quick:
            with ExitStack() as stack:
                with on_core(OTHERS):
                    server = stack.enter_context(roomy_server())
                yield from _figures(lambda: database_place(server), ask, sizes, quick)


def _figures(new_place: Callable[[], AbstractContextManager[Place]], ask: Ask, sizes: Sequence[int], quick: bool) -> Iterator[Figure]:
    times, works = 3 if quick else _TIMES, dict[str, Callable[[], Callable[[], Taken]]]()
    with ExitStack() as stack:
        servers = {size: _filled(stack, stack.enter_context(new_place()), size) for size in sizes}
        for size, (_, server) in servers.items():
            works |= {f"{what} {size}": ready for what, ready in _works(ask, server, times).items()}
        found = interleaved(works, 1 if quick else ROUNDS)
        for what in ("a move", "a table", *_READS):
            first = found[f"{what} {sizes[0]}"]
            for size in sizes[1:]:
                name = f"processor time of {what}, {size:,} events, {servers[size][0].name}"
                yield grown_figure(name, found[f"{what} {size}"], f"{sizes[0]:,} events", first, _GOAL)
        yield from (
            Figure(f"memory of the server, {size:,} events, {place.name}", memory_of(server.process), "MB")
            for size, (place, server) in servers.items()
        )


def _works(ask: Ask, server: Running, times: int) -> dict[str, Callable[[], Callable[[], Taken]]]:
    """A table that is read is that of a game that is played here; lists are first pages."""

    def read() -> Callable[[], Taken]:
        games: list[Requests] = tables(server, _CALLERS, 1)
        return sending(ask, server, [[(path.replace("/moves", "/table"), "")] * times for ((path, _),) in games])

    def ask_for(path: str) -> Callable[[], Callable[[], Taken]]:
        return lambda: sending(ask, server, [[(path, "")] * max(1, times // 5)] * _CALLERS)

    return {
        "a move": lambda: sending(ask, server, tables(server, _CALLERS, times)),
        "a table": read,
        **{what: ask_for(path) for what, path in _READS.items()},
    }


def _filled(stack: ExitStack, place: Place, size: int) -> tuple[Place, Running]:
    """With an evening of a series, the same in each."""
    filled(place, size)
    server = stack.enter_context(kiebitz(place, recorder_of(place.settings, "director")))
    with client_of(f"http://127.0.0.1:{server.port}", server.token) as client:
        hall.announce(client, "evening", [f"guest{number}" for number in range(16)])
        hall.play_round(client, "evening", 1)
        done(client.post("/v1/series", json={"id": "cup"}))
        done(client.post("/v1/series/cup/tournaments", json={"tournament": "evening"}))
    return place, server


def filled(place: Place, size: int) -> str:
    """So many events, and all projections of them; a recorder's token."""
    token = recorder_of(place.settings)
    insert = insert_sqlite if place.settings.embedded else insert_postgres
    insert(place.settings, islice(played_together(games_of_all(1)), size))
    with open_services(place.settings, alone=place.settings.embedded) as services:
        services.projector.prepare()
        services.projector.catch_up()
    return token
