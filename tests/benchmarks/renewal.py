"""A series of 50 tournaments and 2,000 players: what reading its tables costs the server after one result has changed, beside reading them
for the first time; and what the server keeps in memory of a game of 60,000 events that is read in full.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Thread
from uuid import UUID

import httpx

from deploy.compose import open_services
from deploy.config.settings import Settings
from domain.journal.commits import Call
from tests.benchmarks import hall
from tests.benchmarks.games import endless
from tests.benchmarks.measure import Figure, compared
from tests.benchmarks.moves.machine import cpu_of, family
from tests.deploy.serving import Served, done, served

TOURNAMENTS, PLAYERS, ENTRANTS = 50, 2_000, 40
RENEWED = 0.2
"""So much of reading the whole series may it cost when one tournament changed."""
EVENTS, MEMORY = 60_000, 96.0
"""Of the long game, and the MB that the server and its processes may have more while it is read."""
_GAME = UUID(int=1, version=4)


def figures(quick: bool) -> Iterator[Figure]:
    tournaments, players, events = (2, 16, 500) if quick else (TOURNAMENTS, PLAYERS, EVENTS)
    with TemporaryDirectory() as folder:
        with open_services(Settings(data=Path(folder)), alone=True, migrate_too=True) as services:
            services.journal.open_now(Call("bench"), _GAME, tuple(islice(endless(1), events)))
            services.projector.prepare()
            services.projector.catch_up()
        with served("--data", folder) as house, house.client() as client:
            _fill(client, tournaments, players)
        with served("--data", folder) as again, again.client(house.token) as client:  # it has no answer ready
            yield from _renewed(again, client, tournaments, players, 1 if quick else 3)
            yield from _read_in_full(again, client, events)


def _fill(client: httpx.Client, tournaments: int, players: int) -> None:
    chance, pool = Random(1), [f"member{number}" for number in range(players)]
    done(client.post("/v1/series", json={"id": "season"}))
    for number in range(tournaments):
        hall.announce(client, f"t{number}", chance.sample(pool, min(ENTRANTS, players)))
        hall.play_round(client, f"t{number}", 1)
        done(client.post("/v1/series/season/tournaments", json={"tournament": f"t{number}"}))
    hall.draw(client, "t0")


def _renewed(house: Served, client: httpx.Client, tournaments: int, players: int, rounds: int) -> Iterator[Figure]:
    first = _cost(house, client)
    again = []
    for table in range(1, rounds + 1):
        hall.enter(client, "t0", 2, str(table), table)
        again.append(_cost(house, client))
    what = f"a series of {tournaments} tournaments and {players:,} players after a result"
    yield compared(what, median(again), "reading it first", first, RENEWED, 1e3, "ms")


def _cost(house: Served, client: httpx.Client) -> float:
    before = cpu_of(house.process.pid)
    done(client.get("/v1/series/season/standings", timeout=60))
    return cpu_of(house.process.pid) - before


def _read_in_full(house: Served, client: httpx.Client, events: int) -> Iterator[Figure]:
    """As a record with all events, and as a replay page by page."""
    for what, path in {"its full record": "record?full=true", "its history": "history?limit=1000"}.items():
        most, over, before = [0.0], Event(), _memory(house.process.pid)
        watching = Thread(target=_watch, args=(house.process.pid, most, over))
        watching.start()
        size, next = 0, f"/v1/games/{_GAME}/{path}"
        while next:
            with client.stream("GET", next, timeout=120) as answer:
                answer.raise_for_status()
                size += sum(map(len, answer.iter_raw(65536)))
                next = answer.links.get("next", {}).get("url", "")
        over.set()
        watching.join()
        grown = max(0.0, most[0] - before)
        yield Figure(
            f"memory of the server while a game of {events:,} events is read: {what}, {size / 1e6:.1f} MB", grown, "MB", "the most", MEMORY,
            grown / MEMORY, 1.0,
        )  # fmt: skip


def _watch(process: int, most: list[float], over: Event) -> None:
    while not over.wait(0.05):
        most[0] = max(most[0], _memory(process))


def _memory(process: int) -> float:
    """MB of the process and those that it started; what several of them share counts once. 0 where the system does not say."""
    found = 0
    for one in family(process):
        with suppress(OSError):  # it has ended
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
            found += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return found / 1024
