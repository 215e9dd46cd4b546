"""Records the evening through the API, in this process: the same requests that a client would send."""

from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
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


async def evening(app: Litestar, secret: str, games: Iterable[tuple[Plan, dict[str, Any]]], done: Callable[[int], None]) -> list[Played]:
    """Each game from its record. Ids and times are new."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.lifespan())
        headers = {"Authorization": f"Bearer {secret}"}
        transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
        http = await stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url="http://kiebitz", headers=headers))
        played = []
        for number, (plan, record) in enumerate(games, 1):
            played.append(await _played(http, plan, record))
            done(number)
        return played


async def _played(http: httpx.AsyncClient, plan: Plan, record: dict[str, Any]) -> Played:
    players = [f"{plan.table.lower().replace(' ', '-')}-{seat}" for seat in range(record["seats"])]
    asked = {key: record[key] for key in ("ruleset", "options", "seats")}
    now = _told(await http.post("/v1/games", json={**asked, "players": players, "table": plan.table}))
    path = f"/v1/games/{now['game']}"
    for hand in record["hands"]:
        now = _told(await http.post(f"{path}/hands", json={"dealer": hand["dealer"], "deck": hand["deck"]}))
        for start in range(0, len(hand["moves"]), _BATCH):
            now = _told(await http.post(f"{path}/moves", json={"moves": hand["moves"][start : start + _BATCH]}))
    fresh = {"min_sequence": now["sequence"]}
    game, sheet = [_told(await http.get(place, params=fresh)) for place in (path, f"{path}/score-sheet")]
    return Played(plan, game, sheet)


def _told(answer: httpx.Response) -> dict[str, Any]:
    answer.raise_for_status()
    told: dict[str, Any] = answer.json()
    return told
