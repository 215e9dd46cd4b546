"""Ready-made appends and whole commands, without HTTP, beside pgbench, and on SQLite beside the recorder of the library eventsourcing."""

from collections.abc import Callable, Iterator, Mapping

from tests.benchmarks.measure import Figure
from tests.benchmarks.moves.clients import Clients
from tests.benchmarks.moves.machine import SERVER
from tests.benchmarks.moves.pgbench import lay_out, pgbench
from tests.benchmarks.moves.places import Place, postgres_place, recorder_of, sqlite_place
from tests.benchmarks.moves.rounds import ROUNDS, cpu_figure, figure, interleaved, taken_of
from tests.benchmarks.moves.sender import Sent
from tests.benchmarks.moves.worker import worker

CLIENTS = {1: 400, 8: 150, 32: 60, 128: 25}
"""How many, and how often each."""
_LONGER = 3
"""So many times as often pgbench, which is through sooner: a round that is too short is chance."""
_POSTGRES: Mapping[str, Mapping[int, float]] = {"append": {1: 0.55, 32: 2.0}, "command": {1: 0.4, 32: 0.65, 128: 0.75}}
_SQLITE: Mapping[str, Mapping[int, float]] = {"append": {1: 0.75, 32: 8.0}, "command": {}}
_NAMES = {"append": "ready-made appends", "command": "whole commands"}


def figures(quick: bool) -> Iterator[Figure]:
    clients, rounds = ({2: 5}, 1) if quick else (CLIENTS, ROUNDS)
    with postgres_place() as place:
        url = place.bare
        lay_out(url)
        for number, times in clients.items():
            beside = taken_of(lambda number=number, times=times: pgbench(url, number, _LONGER * times))
            yield from _figures(place, number, times, rounds, "pgbench", beside, _POSTGRES)
    with sqlite_place("SQLite on disk") as place:
        for number, times in clients.items():
            yield from _figures(place, number, times, rounds, "stock recorder of eventsourcing", None, _SQLITE)


def _figures(
    place: Place, clients: int, times: int, rounds: int, limit: str, beside: Callable | None, goals: Mapping[str, Mapping[int, float]]
) -> Iterator[Figure]:
    recorder_of(place.settings)  # lays out the tables
    where = [str(place.settings.data), *filter(None, [place.settings.database_url])]
    with worker("tests.benchmarks.moves.clients", SERVER, Sent, *where) as ask:
        works = {what: taken_of(lambda what=what: ask(Clients(what, clients, times))) for what in _NAMES}
        works["beside"] = beside or taken_of(lambda: ask(Clients("stock", clients, times)))
        found = interleaved(works, rounds)
    what = f"{place.name}, {clients} client{'s' * (clients > 1)}"
    for one, name in _NAMES.items():
        yield figure(f"{name}, {what}", found[one], limit, found["beside"], goals[one].get(clients))
    yield figure(f"{limit}, {what}", found["beside"])
    yield cpu_figure(f"processor time of a whole command, {what}", found["command"])
