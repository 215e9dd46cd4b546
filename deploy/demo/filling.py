"""Fills a store with the season, through the API in this process. The games are played beforehand in processes of their own.

A round is recorded whole before the next one begins, and every request has its key: what broke off goes on where it was, without
doubles.
"""

import asyncio
import os
import signal
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import dropwhile, islice, takewhile
from multiprocessing import get_context

from litestar import Litestar
from msgspec import Struct

from deploy.demo.client import Client, open_client
from deploy.demo.scripts import Script, script
from deploy.demo.season import Round, players
from deploy.demo.tournaments import closing, pairing

_AHEAD = 3
"""Rounds for each process that are played before their turn comes."""


class Filled(Struct, frozen=True):
    """What was recorded now; ``known`` games were there already."""

    known: int
    games: int
    moves: int


async def fill(
    app: Litestar, secrets: Mapping[str, str], season: Iterator[Round], seed: int, games: int, advance: Callable[[int], None]
) -> Filled:
    """The first games of the season, so many. The last round may stay without some of its games. Raises ``Failure``."""
    async with open_client(app) as http:
        client = Client(http, secrets, f"season {seed}")
        await client.register(players())
        begun = await _begun(client, seed)
        rounds = takewhile(lambda round: round.fixtures[0].number <= games, season)
        left = dropwhile(lambda round: round.fixtures[-1].number < begun, rounds)
        known, recorded, moves = games, 0, 0
        async for round, played in _played(left, seed):
            scripts = [one for one in played if one.number <= games]
            await _record(client, round, scripts)
            known, recorded, moves = min(known, scripts[0].number - 1), recorded + len(scripts), moves + sum(one.moves for one in scripts)
            advance(known + recorded)
        return Filled(known, recorded, moves)


async def _record(client: Client, round: Round, scripts: Sequence[Script]) -> None:
    """A round: paired, played at all tables at once, and closed if all of it is wanted."""
    key = f"{round.tournament} {round.number}"
    for number, request in enumerate(pairing(round)):
        await client.post(f"{key} pairing {number}", request.path, request)
    await asyncio.gather(*(_send(client, one) for one in scripts))
    if len(scripts) == len(round.fixtures):
        for number, request in enumerate(closing(round, scripts)):
            await client.post(f"{key} closing {number}", request.path, request)


async def _send(client: Client, one: Script) -> None:
    await client.play(str(one.number), one.requests)


async def _begun(client: Client, seed: int) -> int:
    """How many games of the season are there already. All rounds but the last of them are whole: one begins when another is closed."""
    begun = 0
    query: str | None = ""
    while query is not None:
        page = await client.get(f"/v1/games?limit=200{query}")
        begun += sum((game["tournament"] or "").startswith(f"s{seed}-") for game in page["games"])
        query = page["next"] and f"&cursor={page['next']}"
    return begun


# Playing


async def _played(season: Iterable[Round], seed: int) -> AsyncIterator[tuple[Round, list[Script]]]:
    """Round by round in the order of the season, some ahead."""
    processes = os.cpu_count() or 1
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _ignore_interrupts)  # a fork would take this process's threads by surprise
    try:
        rounds = ((round, pool.submit(_scripts, round, seed)) for round in season)
        ahead = deque(islice(rounds, processes * _AHEAD))
        while ahead:
            round, scripts = ahead.popleft()
            yield round, await asyncio.wrap_future(scripts)
            ahead.extend(islice(rounds, 1))
    finally:
        pool.shutdown(cancel_futures=True)


def _scripts(round: Round, seed: int) -> list[Script]:
    return [script(fixture, seed) for fixture in round.fixtures]


def _ignore_interrupts() -> None:
    """Ctrl-C is for the process that records."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
