"""Records the evening through the API, in this process: the same requests that a client would send."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import cycle, islice
from typing import Any

from litestar import Litestar
from msgspec import Struct

from deploy.demo.client import Client, open_client
from deploy.demo.night import NIGHT, TABLES, Night, night
from deploy.demo.plans import Plan
from deploy.demo.scripts import Request, request
from deploy.demo.season import players

_BATCH = 50
"""Moves that a recorder sends at once."""


class Played(Struct, frozen=True):
    """A table at the end of the evening: the game in short and its score sheet, as the API tells them."""

    plan: Plan
    game: dict[str, Any]
    sheet: dict[str, Any]


async def record_all(
    app: Litestar, secrets: Mapping[str, str], games: Iterable[tuple[Plan, dict[str, Any]]], seed: int, advance: Callable[[int], None]
) -> tuple[list[Played], dict[str, str]]:
    """Each game from its record, and a club night: its games by round and table (`2/1`).

    What is there already stays as it is; ids and times are new. Raises ``Failure``.
    """
    async with open_client(app) as http:
        await Client(http, secrets, "players").register(players())
        played = await _record_games(Client(http, secrets, f"evening {seed}"), games, advance)
        return played, await _record_night(Client(http, secrets, NIGHT), night())


async def _record_games(client: Client, games: Iterable[tuple[Plan, dict[str, Any]]], advance: Callable[[int], None]) -> list[Played]:
    seated, played = cycle(players()), []
    for number, (plan, record) in enumerate(games, 1):
        played.append(await _record(client, plan, record, [player.id for player in islice(seated, record["seats"])]))
        advance(number)
    return played


async def _record(client: Client, plan: Plan, record: dict[str, Any], players: list[str]) -> Played:
    body = {key: record[key] for key in ("ruleset", "options", "seats")}
    now = await client.play(plan.table, [request("", {**body, "players": players, "table": plan.table}), *_hands(record)])
    path, since = f"/v1/games/{now['game']}", f"?min_sequence={now['sequence']}"
    game, sheet = [await client.get(place + since) for place in (path, f"{path}/score-sheet")]
    return Played(plan, game, sheet)


def _hands(record: dict[str, Any]) -> Iterator[Request]:
    for hand in record["hands"]:
        yield request("/hands", {"dealer": hand["dealer"], "deck": hand["deck"]})
        for start in range(0, len(hand["moves"]), _BATCH):
            yield request("/moves", {"moves": hand["moves"][start : start + _BATCH]})


async def _record_night(client: Client, plan: Night) -> dict[str, str]:
    games = dict[str, str]()
    for number, announced in enumerate(plan.announced):
        await client.post(f"announced {number}", announced.path, announced)
    for number, (paired, scripts) in enumerate(plan.rounds, 1):
        await client.post(f"paired {number}", paired.path, paired)
        for table, script in zip(TABLES, scripts, strict=True):
            games[f"{number}/{table}"] = (await client.play(str(script.number), script.requests))["game"]
        if number == 1:
            await client.post("closing", plan.closing.path, plan.closing)
    await client.put(plan.wall.path, plan.wall)
    return games
