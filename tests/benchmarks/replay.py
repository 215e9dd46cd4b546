"""Opening past positions through the API in this process: in a game of 150 moves and in one of 10,000, cold and warm."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TypeAlias
from uuid import UUID

import httpx

from api.app import create_app
from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.config.tokens import issue
from domain.journal.commits import Call
from domain.journal.snapshots import EVERY
from tests.benchmarks.games import endless
from tests.benchmarks.measure import Figure, compared, middle

SHORT, LONG = UUID(int=1, version=4), UUID(int=2, version=4)
LENGTHS = {SHORT: 150, LONG: 10_000}
LIMIT = 0.020
Get: TypeAlias = Callable[[str], Awaitable[None]]
Address: TypeAlias = Callable[[UUID, int], str]

COLD: dict[str, Address] = {
    "the table as it stands": lambda game, _: f"/v1/games/{game}/table",
    "the table of a position in the middle": lambda game, position: f"/v1/games/{game}/table?position={position}",
    "the sheet of that position": lambda game, position: f"/v1/games/{game}/score-sheet?position={position}",
    "the last 50 frames": lambda game, _: f"/v1/games/{game}/replay?after={LENGTHS[game] - 50}",
}
WARM: dict[str, Address] = {
    "the table of a position": lambda game, position: f"/v1/games/{game}/table?position={position}",
    "the sheet of a position": lambda game, position: f"/v1/games/{game}/score-sheet?position={position}",
    "a replay frame at a position": lambda game, position: f"/v1/games/{game}/replay?after={position - 1}&limit=1",
    "a page of history at the end": lambda game, _: f"/v1/games/{game}/history?after={LENGTHS[game] - 50}",
}


def figures(quick: bool) -> list[Figure]:
    with TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        secret = _recorded(settings)
        asyncio.run(_projected(settings, secret))
        return [*_cold(settings, secret, 2 if quick else 9), *asyncio.run(_warm(settings, secret, 20 if quick else 200))]


def _recorded(settings: Settings) -> str:
    with open_services(settings, alone=True) as services:
        for game, length in LENGTHS.items():
            services.journal.open_now(Call("bench"), game, tuple(islice(endless(1), length)))
        return issue(services.registers, services.clock, "recorder", "bench")[1]


@asynccontextmanager
async def _service(settings: Settings, secret: str) -> AsyncIterator[Get]:
    """A service that remembers no game yet."""
    with open_services(settings, alone=True) as services:
        app = create_app(services)
        transport = httpx.ASGITransport(app=app)  # pyrefly: ignore[bad-argument-type]
        headers = {"Authorization": f"Bearer {secret}"}
        async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://bench", headers=headers) as http:

            async def get(path: str) -> None:
                (await http.get(path)).raise_for_status()

            await get("/v1/rulesets")
            yield get


async def _projected(settings: Settings, secret: str) -> None:
    """The projections are brought up to date before anything is measured."""
    async with _service(settings, secret) as get:
        for game in LENGTHS:
            await get(f"/v1/games/{game}/score-sheet")


def _cold(settings: Settings, secret: str, rounds: int) -> Iterable[Figure]:
    """The first request of all: nothing of the game is in memory. The position in the middle is the farthest from the snapshot before."""
    for name, path in COLD.items():
        paths = [path(game, length // 2 // EVERY * EVERY + EVERY - 1) for game, length in LENGTHS.items()]
        short, long = middle(rounds, *(partial(_first, settings, secret, path) for path in paths))
        yield from _beside(f"first request of all: {name}", short, long, None)


def _first(settings: Settings, secret: str, path: str) -> float:
    async def asked() -> float:
        async with _service(settings, secret) as get:
            return await _timed(get, [path])

    return asyncio.run(asked())


async def _warm(settings: Settings, secret: str, times: int) -> list[Figure]:
    """Positions all over the game in no order; pages at its end. Beside the same in the short game."""
    async with _service(settings, secret) as get:
        await _timed(get, [f"/v1/games/{game}/table?position={length - 1}" for game, length in LENGTHS.items()])
        found: list[Figure] = []
        for name, path in WARM.items():
            short, long = [await _each(get, [path(game, position) for position in _positions(game, times)]) for game in LENGTHS]
            found.extend(_beside(name, short, long, 2.0))
        return found


def _beside(name: str, short: float, long: float, growth: float | None) -> Iterable[Figure]:
    """A long game may take twice the time that a short one is allowed; beside it, how much more it takes than the short one did."""
    yield compared(f"{name}, 150 moves", short, "20 ms", LIMIT, 1.0, scale=1e3, unit="ms")
    yield compared(f"{name}, 10,000 moves", long, "twice 20 ms", 2 * LIMIT, 1.0, scale=1e3, unit="ms")
    yield compared(f"{name}, 10,000 moves", long, "the same in 150 moves", short, growth, scale=1e3, unit="ms")


def _positions(game: UUID, times: int) -> list[int]:
    chance = Random(1)
    return [chance.randrange(2, LENGTHS[game]) for _ in range(times)]


async def _each(get: Get, paths: Sequence[str]) -> float:
    return median([await _timed(get, [path]) for path in paths])


async def _timed(get: Get, paths: Iterable[str]) -> float:
    start = perf_counter()
    for path in paths:
        await get(path)
    return perf_counter() - start
