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
from typing import Any

import httpx
import msgspec
from litestar import Litestar
from msgspec import Struct

from deploy.demo.evening import open_client
from deploy.demo.scripts import Request, Script, script
from deploy.demo.season import Round, players
from deploy.demo.tournaments import closing, pairing
from deploy.failures import Failure
from deploy.language import say

_AHEAD = 3
"""Rounds for each process that are played before their turn comes."""


class Filled(Struct, frozen=True):
    """What was recorded now; ``known`` games were there already."""

    known: int
    games: int
    moves: int


class _Client(Struct, frozen=True):
    """``secrets`` are tokens by role, always of the same principals: keys belong to a principal."""

    http: httpx.AsyncClient
    secrets: Mapping[str, str]
    seed: int

    async def post(self, key: str, path: str, request: Request) -> dict[str, Any]:
        headers = {**_headers(self.secrets[request.role]), "Idempotency-Key": f"season {self.seed} {key}"}
        return _body(await self.http.post(path, content=request.body, headers=headers))

    async def get(self, path: str) -> dict[str, Any]:
        return _body(await self.http.get(path, headers=_headers(self.secrets["director"])))


async def fill(
    app: Litestar, secrets: Mapping[str, str], season: Iterator[Round], seed: int, games: int, advance: Callable[[int], None]
) -> Filled:
    """The first games of the season, so many. The last round may stay without some of its games. Raises ``Failure``."""
    async with open_client(app) as http:
        client = _Client(http, secrets, seed)
        await _register(client)
        begun = await _begun(client)
        rounds = takewhile(lambda round: round.fixtures[0].number <= games, season)
        left = dropwhile(lambda round: round.fixtures[-1].number < begun, rounds)
        known, recorded, moves = games, 0, 0
        async for round, played in _played(left, seed):
            scripts = [one for one in played if one.number <= games]
            await _record(client, round, scripts)
            known, recorded, moves = min(known, scripts[0].number - 1), recorded + len(scripts), moves + sum(one.moves for one in scripts)
            advance(known + recorded)
        return Filled(known, recorded, moves)


async def _record(client: _Client, round: Round, scripts: Sequence[Script]) -> None:
    """A round: paired, played at all tables at once, and closed if all of it is wanted."""
    key = f"{round.tournament} {round.number}"
    for number, request in enumerate(pairing(round)):
        await client.post(f"{key} pairing {number}", request.path, request)
    await asyncio.gather(*(_send(client, one) for one in scripts))
    if len(scripts) == len(round.fixtures):
        for number, request in enumerate(closing(round, scripts)):
            await client.post(f"{key} closing {number}", request.path, request)


async def _send(client: _Client, one: Script) -> None:
    path = "/v1/games"
    for number, request in enumerate(one.requests):
        opened = await client.post(f"{one.number} {number}", path + request.path, request)
        path = f"/v1/games/{opened['game']}"


async def _register(client: _Client) -> None:
    """Everybody who plays; who is in the directory already stays as he is."""
    lines = b"".join(msgspec.json.encode(player) + b"\n" for player in players())
    headers = {**_headers(client.secrets["director"]), "Content-Type": "application/x-ndjson"}
    _body(await client.http.post("/v1/players", content=lines, headers=headers))


async def _begun(client: _Client) -> int:
    """How many games of the season are there already. All rounds but the last of them are whole: one begins when another is closed."""
    begun = 0
    query: str | None = ""
    while query is not None:
        page = await client.get(f"/v1/games?limit=200{query}")
        begun += sum((game["tournament"] or "").startswith(f"s{client.seed}-") for game in page["games"])
        query = page["next"] and f"&cursor={page['next']}"
    return begun


def _headers(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}


def _body(response: httpx.Response) -> dict[str, Any]:
    if not response.is_success:
        raise Failure(say("season_refused", problem=response.text), say("season_advice"))
    body: dict[str, Any] = response.json()
    return body


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
