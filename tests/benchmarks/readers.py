"""How long a move takes while 50 readers of each kind want what is expensive (``crowd.py`` says what), beside the same without them; and
what 1,000 slow readers take of memory.

The server is a process of its own. Moves come at their times, 50 a second, whether those before are answered or not; each is measured from
the time at which it was due. The readers (``crowd.py``) are a process that gives way to both, since they stand for other machines.
"""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count, cycle
from math import ceil
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
from msgspec.structs import replace

from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.config.tokens import issue
from domain.games import RULESETS
from replay.sample_games import random_record
from tests.benchmarks.crowd import KINDS, feed_reader
from tests.benchmarks.exports import stored_game
from tests.benchmarks.hall import announce, play_round
from tests.benchmarks.line import Line, hand, opened
from tests.benchmarks.measure import Figure, compared
from tests.benchmarks.moves.places import database_place, roomy_server
from tests.deploy.serving import KIEBITZ, Served, environment, greeted

RATE = 50
"""Moves a second."""
MOVES_A_GAME = 20
GOAL = 2.0
LONG = 4_500
"""Moves of the long game."""
SLOW, MEMORY = 1000, 128.0
"""Readers of the feed who read nothing, and the MB that the server may grow by for them."""
_SEEDS = count()
_VIEWERS = 10
_AT_ONCE = 100
_ENTRANTS = 200
_ALL = "all together"


def figures(quick: bool) -> Iterator[Figure]:
    games, seconds, kinds = (20, 1, ["standings", "draws"]) if quick else (300, 5, [*KINDS, _ALL])
    with TemporaryDirectory() as folder:
        yield from _figures(Settings(data=Path(folder)), games, seconds, kinds)
    if not quick:
        with roomy_server() as database, database_place(database) as place:
            yield from _figures(place.settings, games, seconds, kinds)


def _figures(settings: Settings, games: int, seconds: int, kinds: Sequence[str]) -> Iterator[Figure]:
    name = "SQLite" if settings.embedded else "PostgreSQL"
    recorder, director, *viewers = _filled(settings, games)
    with _serving(settings) as server:
        long = _published(server.url, director, 20 * games if len(kinds) < len(KINDS) else LONG)
        asyncio.run(_latencies(server.url, recorder, 1))  # warms up
        quiet: list[float] = []
        crowded, answers = dict[str, float](), dict[str, Counter[str]]()
        for kind in kinds:
            asyncio.run(_latencies(server.url, recorder, 1))  # until what the readers before began is done
            quiet.append(_p99(asyncio.run(_latencies(server.url, recorder, seconds / 2))))
            with _crowd(kind, server.url, (long, director, *viewers), games, answers):
                crowded[kind] = _p99(asyncio.run(_latencies(server.url, recorder, seconds)))
        for kind, among in crowded.items():
            figure = compared(f"p99 of a move beside 50 readers: {kind}, {name}", among, "without them", median(quiet), GOAL, 1e3, "ms")
            yield replace(figure, note=", ".join(f"{what}: {number}" for what, number in answers[kind].items()))
        if settings.embedded:
            grown = _grown(server, recorder, viewers)
            what = f"memory of the server, {SLOW:,} who ask for the feed and read nothing"
            yield Figure(what, grown, "MB", "the most", MEMORY, grown / MEMORY, 1.0)


def _grown(server: Served, recorder: str, viewers: list[str]) -> float:
    """MB that the server has more while so many have asked for the whole feed and read nothing."""
    before = _memory(server)
    with ExitStack() as lines:
        for _, viewer in zip(range(SLOW), cycle(viewers), strict=False):
            lines.enter_context(feed_reader(server.url, viewer))
        asyncio.run(_latencies(server.url, recorder, 5))  # time in which they are answered
        return _memory(server) - before


def _filled(settings: Settings, games: int) -> list[str]:
    """Records and projects so many games; answers tokens of a recorder, a director and viewers."""
    with open_services(settings, alone=settings.embedded, migrate_too=True) as services:
        for first in range(0, games, _AT_ONCE):
            some = range(first, min(first + _AT_ONCE, games))
            services.journal.store.insert_events([event for number in some for event in stored_game(number)])
        services.projector.prepare()
        services.projector.catch_up()
        return [issue(services.registers, services.clock, role, "bench")[1] for role in ("recorder", "director", *["viewer"] * _VIEWERS)]


def _published(url: str, director: str, moves: int) -> str:
    """Records a game of so many moves, which is over and which anybody may read; answers its id."""
    options = {"target_score": 1_000_000}
    record = random_record("long", RULESETS["canasta"], options, 2, Random(1), moves)
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {director}"}, timeout=60) as client:

        def posted(path: str, body: object) -> Any:
            return client.post(path, json=body).raise_for_status().json()

        posted("/v1/tournaments", {"id": "open", "ruleset": "canasta", "options": options, "seats": 2, "format": "manual"})
        posted("/v1/tournaments/open/publication", {"publication": "aliases"})
        announce(client, "field", [f"q-{number}" for number in range(_ENTRANTS)])
        play_round(client, "field", 1)
        posted("/v1/tournaments/field/publication", {"publication": "aliases"})
        game = posted("/v1/records", {**msgspec.to_builtins(record), "tournament": "open"})["records"][0]["game"]
        posted(f"/v1/games/{game}/abandonment", {"reason": "long enough"})
    return str(game)


@contextmanager
def _serving(settings: Settings) -> Iterator[Served]:
    command = [str(KIEBITZ), "serve", "--port", "0", "--data", str(settings.data)]
    variables = environment(**({"KIEBITZ_DATABASE_URL": settings.database_url} if settings.database_url else {}))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=variables) as process:
        try:
            yield greeted(process)
        finally:
            process.terminate()


@contextmanager
def _crowd(kind: str, url: str, readers: Sequence[str], games: int, answers: dict[str, Counter[str]]) -> Iterator[None]:
    """What they were answered is counted when they have ended."""
    command = [sys.executable, "-m", "tests.benchmarks.crowd", kind, url, str(games), *readers]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdout.readline()  # all of them are at work
        yield
        process.stdin.close()
        answers[kind] = Counter(json.loads(process.stdout.readline()))


async def _latencies(url: str, token: str, seconds: float) -> list[float]:
    """Seconds from the time at which each move was due until it was answered."""
    address, moves = urlsplit(url), ceil(seconds * RATE)
    games = ceil(moves / MOVES_A_GAME)
    lines = [Line(*await asyncio.open_connection(address.hostname, address.port), token) for _ in range(games)]
    hands = [hand(next(_SEEDS)) for _ in range(games)]
    paths = await asyncio.gather(*(opened(line, deal) for line, (deal, _) in zip(lines, hands, strict=True)))
    start = perf_counter()

    async def play(number: int) -> list[float]:
        taken = []
        for turn, move in enumerate(hands[number][1][:MOVES_A_GAME]):
            due = start + (turn * games + number) / RATE
            await asyncio.sleep(due - perf_counter())
            await lines[number].post(paths[number], move)
            taken.append(perf_counter() - due)
        return taken

    told = await asyncio.gather(*map(play, range(games)))
    for line in lines:
        line.close()
    return [latency for some in told for latency in some]


def _p99(latencies: list[float]) -> float:
    return sorted(latencies)[ceil(len(latencies) * 0.99) - 1]


def _memory(server: Served) -> float:
    """MB that the process has now; Linux only."""
    status = Path(f"/proc/{server.process.pid}/status")
    found = [line for line in status.read_text().splitlines() if line.startswith("VmRSS")] if status.exists() else []
    return int(found[0].split()[1]) / 1024 if found else 0.0
