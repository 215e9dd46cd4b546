"""Opening past positions through the API in this process: in a game of 150 moves and in one of 10,000, cold and warm."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
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
from deploy.compose import opened_house
from deploy.settings import Settings
from deploy.tokens import issue
from domain.journal.calls import Call
from tests.benchmarks.games import endless
from tests.benchmarks.measure import Figure, compared

SHORT, LONG = UUID(int=1, version=4), UUID(int=2, version=4)
LENGTHS = {SHORT: 150, LONG: 10_000}
LIMIT = 0.020
Get: TypeAlias = Callable[[str], Awaitable[None]]


def figures(quick: bool) -> list[Figure]:
    with TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        secret = _recorded(settings)
        rounds = 2 if quick else 7
        cold = {game: asyncio.run(_cold(settings, secret, game, rounds)) for game in LENGTHS}
        return [*_cold_figures(cold), *asyncio.run(_warm(settings, secret, 20 if quick else 200))]


def _recorded(settings: Settings) -> str:
    with opened_house(settings, alone=True) as house:
        for game, length in LENGTHS.items():
            house.journal.open_now(Call("bench"), game, tuple(islice(endless(1), length)))
        return issue(house.registers, house.clock, "recorder", "bench")[1]


@asynccontextmanager
async def _service(settings: Settings, secret: str) -> AsyncIterator[Get]:
    """A service that remembers no game yet."""
    with opened_house(settings, alone=True) as house:
        app = create_app(house)
        transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
        headers = {"Authorization": f"Bearer {secret}"}
        async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://bench", headers=headers) as http:

            async def get(path: str) -> None:
                (await http.get(path)).raise_for_status()

            await get("/v1/rulesets")
            yield get


async def _cold(settings: Settings, secret: str, game: UUID, rounds: int) -> float:
    """The first request of all for the game: nothing of it is in memory."""
    taken = []
    for _ in range(rounds):
        async with _service(settings, secret) as get:
            taken.append(await _timed(get, [f"/v1/games/{game}/table?position={LENGTHS[game] * 2 // 3}"]))
    return median(taken)


def _cold_figures(cold: dict[UUID, float]) -> Iterable[Figure]:
    for game, seconds in cold.items():
        goal = 1.0 if game == SHORT else None
        yield compared(f"cold: a position of a game of {LENGTHS[game]:,} moves", seconds, "20 ms", LIMIT, goal, scale=1e3, unit="ms")


async def _warm(settings: Settings, secret: str, times: int) -> list[Figure]:
    """Positions all over the game in no order; pages at its end. Beside the same in the short game."""
    async with _service(settings, secret) as get:
        await _timed(get, [f"/v1/games/{game}/table?position={length - 1}" for game, length in LENGTHS.items()])
        asked = {
            "the table of a position": lambda game, position: f"/v1/games/{game}/table?position={position}",
            "the sheet of a position": lambda game, position: f"/v1/games/{game}/score-sheet?position={position}",
            "a replay frame at a position": lambda game, position: f"/v1/games/{game}/replay?after={position - 1}&limit=1",
            "a page of history at the end": lambda game, _: f"/v1/games/{game}/history?after={LENGTHS[game] - 50}",
        }
        found: list[Figure] = []
        for name, path in asked.items():
            short, long = [await _each(get, [path(game, position) for position in _positions(game, times)]) for game in LENGTHS]
            found.append(compared(f"{name}, 150 moves", short, "20 ms", LIMIT, 1.0, scale=1e3, unit="ms"))
            found.append(compared(f"{name}, 10,000 moves", long, "the same in 150 moves", short, 2.0, scale=1e3, unit="ms"))
        return found


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
