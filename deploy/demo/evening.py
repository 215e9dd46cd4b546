"""Plays the evening through the API, in this process: the same requests that a client would send."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import httpx
from litestar import Litestar
from msgspec import Struct

from deploy.demo.plans import Plan, hands_of

_MANY = 200
"""Moves among which chance chooses."""


class Played(Struct, frozen=True):
    """A table at the end of the evening: the game in short and its score sheet, as the API tells them."""

    plan: Plan
    game: dict[str, Any]
    sheet: dict[str, Any]


async def evening(app: Litestar, secret: str, plans: list[Plan], seed: int, done: Callable[[int], None]) -> list[Played]:
    """The same seed gives the same cards and moves; ids and times are new."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.lifespan())
        headers = {"Authorization": f"Bearer {secret}"}
        transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
        http = await stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url="http://kiebitz", headers=headers))
        played = []
        for number, plan in enumerate(plans):
            played.append(await _Table(http, plan, Random(f"{seed} {plan.table}")).play())
            done(number + 1)
        return played


class _Table:
    """One game, from its opening on."""

    def __init__(self, http: httpx.AsyncClient, plan: Plan, chance: Random) -> None:
        self._http = http
        self._plan = plan
        self._chance = chance
        self._path = "/v1/games"

    async def play(self) -> Played:
        plan = self._plan
        players = [f"{plan.table.lower().replace(' ', '-')}-{seat}" for seat in range(plan.seats)]
        body = {"ruleset": "casino", "options": plan.options, "seats": plan.seats, "players": players, "table": plan.table}
        now = await self._post("", body)
        self._path += f"/{now['game']}"
        now = await (self._by_chance(now) if plan.record is None else self._as_recorded(plan.record))
        fresh = {"min_sequence": now["sequence"]}
        return Played(plan, await self._get("", fresh), await self._get("/score-sheet", fresh))

    async def _as_recorded(self, record: str) -> dict[str, Any]:
        now: dict[str, Any] = {}
        for hand in hands_of(record):
            await self._post("/hands", {"dealer": hand["dealer"], "deck": hand["deck"]})
            now = await self._post("/moves", {"moves": hand["moves"]})
        return now

    async def _by_chance(self, now: dict[str, Any]) -> dict[str, Any]:
        deck = (await self._get_from("/v1/rulesets/casino"))["deck"]
        dealer = self._chance.randrange(self._plan.seats)
        while now["phase"] != "game_over":
            cards = self._chance.sample(deck, len(deck))
            now = await self._post("/hands", {"dealer": dealer, "deck": cards})
            now = await self._hand(now)
            if now["turn"] is not None:
                break
            dealer = (dealer + 1) % self._plan.seats
        return now

    async def _hand(self, now: dict[str, Any]) -> dict[str, Any]:
        """A hand to its end, or as far as the plan goes."""
        moves = 0
        while now["turn"] is not None and not (now["hand"] > 1 and moves == self._plan.moves_of_second_hand):
            legal = (await self._get("/legal-moves", {"limit": _MANY}))["moves"]
            move = self._chance.choices(legal, [_weight(move) for move in legal])[0]
            now = await self._post("/moves", {"seat": now["turn"], "move": move})
            moves += 1
        return now

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return _told(await self._http.post(self._path + path, json=body))

    async def _get(self, path: str, query: dict[str, Any]) -> dict[str, Any]:
        return await self._get_from(self._path + path, query)

    async def _get_from(self, path: str, query: dict[str, Any] | None = None) -> dict[str, Any]:
        return _told(await self._http.get(path, params=query))


def _weight(move: dict[str, Any]) -> float:
    """Chance plays as a beginner does: whoever can take something mostly takes it, and rather more than less."""
    if move["type"] == "trail":
        return 0.2
    if move["type"] != "capture":
        return 1.0
    return 2.0 + 3.0 * sum(map(len, move.get("groups", ()))) + 6.0 * len(move.get("builds", ()))


def _told(answer: httpx.Response) -> dict[str, Any]:
    answer.raise_for_status()
    told: dict[str, Any] = answer.json()
    return told
