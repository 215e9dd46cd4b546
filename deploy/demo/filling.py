"""Fills a store with the season, through the API in this process. The games are played beforehand in processes of their own.

A batch is recorded whole before the next one begins, and every request has its key: what broke off goes on where it was, without
doubles.
"""

import asyncio
import os
import signal
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack
from itertools import islice
from multiprocessing import get_context

import httpx
import msgspec
from litestar import Litestar
from msgspec import Struct

from deploy.demo.scripts import Script, script
from deploy.demo.season import Fixture, players
from deploy.failures import Failure

BATCH = 16
"""Games that are recorded at the same time, as at the tables of a hall."""

_AHEAD = 2
"""Batches for each process that are played before their turn comes."""


class Filled(Struct, frozen=True):
    """What was recorded now; ``known`` games were there already."""

    known: int
    games: int
    moves: int


async def fill(
    app: Litestar, secrets: Mapping[str, str], season: Iterator[Fixture], seed: int, games: int, done: Callable[[int], None]
) -> Filled:
    """The first games of the season, so many. ``secrets`` are tokens by role, always of the same principals. Raises ``Failure``."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.lifespan())
        transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
        http = await stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url="http://kiebitz"))
        await _register(http, secrets["director"])
        known = await _known(http, secrets["director"], seed)
        sent, moves = known, 0
        async for scripts in _played(islice(season, known, games), seed):
            await asyncio.gather(*(_send(http, secrets, one, seed) for one in scripts))
            sent, moves = sent + len(scripts), moves + sum(one.moves for one in scripts)
            done(sent)
        return Filled(known, sent - known, moves)


async def _register(http: httpx.AsyncClient, secret: str) -> None:
    """Everybody who plays; who is in the directory already stays as he is."""
    lines = b"".join(msgspec.json.encode(player) + b"\n" for player in players())
    headers = {**_headers(secret), "Content-Type": "application/x-ndjson"}
    _done(await http.post("/v1/players", content=lines, headers=headers))


async def _known(http: httpx.AsyncClient, secret: str, seed: int) -> int:
    """How many games of the season are certainly recorded whole: those of all batches but the last one that was begun."""
    begun = 0
    cursor: str | None = ""
    while cursor is not None:
        query = f"?limit=200&cursor={cursor}" if cursor else "?limit=200"
        answer = await http.get(f"/v1/games{query}", headers=_headers(secret))
        page = _done(answer).json()
        begun += sum((game["tournament"] or "").startswith(f"s{seed}-") for game in page["games"])
        cursor = page["next"]
    return max(0, begun - 1) // BATCH * BATCH


async def _send(http: httpx.AsyncClient, secrets: Mapping[str, str], one: Script, seed: int) -> None:
    path = "/v1/games"
    for number, request in enumerate(one.requests):
        headers = {**_headers(secrets[request.role]), "Idempotency-Key": f"season {seed} {one.number} {number}"}
        answer = _done(await http.post(path + request.path, content=request.body, headers=headers))
        if number == 0:
            path = f"/v1/games/{answer.json()['game']}"


def _headers(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}


def _done(answer: httpx.Response) -> httpx.Response:
    if answer.is_success:
        return answer
    raise Failure(f"A request of the season was refused: {answer.text}", "Fill another folder, or one with games of this version only.")


# Playing


async def _played(season: Iterable[Fixture], seed: int) -> AsyncIterator[list[Script]]:
    """Batch by batch in the order of the season, some ahead."""
    processes = os.cpu_count() or 1
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _undisturbed)  # a fork would take this process's threads by surprise
    try:
        batches = (pool.submit(_scripts, batch, seed) for batch in _batches(season))
        ahead = deque(islice(batches, processes * _AHEAD))
        while ahead:
            yield await asyncio.wrap_future(ahead.popleft())
            ahead.extend(islice(batches, 1))
    finally:
        pool.shutdown(cancel_futures=True)


def _batches(season: Iterable[Fixture]) -> Iterator[list[Fixture]]:
    fixtures = iter(season)
    while batch := list(islice(fixtures, BATCH)):
        yield batch


def _scripts(batch: Sequence[Fixture], seed: int) -> list[Script]:
    return [script(fixture, seed) for fixture in batch]


def _undisturbed() -> None:
    """Ctrl-C is for the process that records."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
