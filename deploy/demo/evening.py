"""Records the evening through the API, in this process: the same requests that a client would send."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from litestar import Litestar
from msgspec import Struct

from deploy.demo.plans import Plan

_BATCH = 50
"""Moves that a recorder sends at once."""


class Played(Struct, frozen=True):
    """A table at the end of the evening: the game in short and its score sheet, as the API tells them."""

    plan: Plan
    game: dict[str, Any]
    sheet: dict[str, Any]


@asynccontextmanager
async def open_client(app: Litestar) -> AsyncIterator[httpx.AsyncClient]:
    """The service in this process, for as long as the context lasts."""
    transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://kiebitz") as http:
        yield http


async def record_evening(
    app: Litestar, secret: str, games: Iterable[tuple[Plan, dict[str, Any]]], advance: Callable[[int], None]
) -> list[Played]:
    """Each game from its record. Ids and times are new."""
    async with open_client(app) as http:
        http.headers["Authorization"] = f"Bearer {secret}"
        played = []
        for number, (plan, record) in enumerate(games, 1):
            played.append(await _record(http, plan, record))
            advance(number)
        return played


async def _record(http: httpx.AsyncClient, plan: Plan, record: dict[str, Any]) -> Played:
    players = [f"{plan.table.lower().replace(' ', '-')}-{seat}" for seat in range(record["seats"])]
    body = {key: record[key] for key in ("ruleset", "options", "seats")}
    now = _body(await http.post("/v1/games", json={**body, "players": players, "table": plan.table}))
    path = f"/v1/games/{now['game']}"
    for hand in record["hands"]:
        now = _body(await http.post(f"{path}/hands", json={"dealer": hand["dealer"], "deck": hand["deck"]}))
        for start in range(0, len(hand["moves"]), _BATCH):
            now = _body(await http.post(f"{path}/moves", json={"moves": hand["moves"][start : start + _BATCH]}))
    query = {"min_sequence": now["sequence"]}
    game, sheet = [_body(await http.get(place, params=query)) for place in (path, f"{path}/score-sheet")]
    return Played(plan, game, sheet)


def _body(response: httpx.Response) -> dict[str, Any]:
    response.raise_for_status()
    body: dict[str, Any] = response.json()
    return body
