"""What tournaments and players are called, as far as the reader of a page is told; an id where he is told no more."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from api.common.pages.asking import asked
from api.http.request import Request

Game = Mapping[str, Any]


async def titles(request: Request, tournaments: Iterable[str | None]) -> Mapping[str, str]:
    """By id."""
    answers = {one: await asked(request, f"/v1/tournaments/{one}") for one in sorted({one for one in tournaments if one})}
    return {one: (answer.value["title"] if answer.status == 200 else None) or one for one, answer in answers.items()}


async def named(request: Request, games: Sequence[Game]) -> Sequence[Game]:
    """``games`` with ``names``, by seat, and the ``title`` of their tournament."""
    tournaments = await titles(request, (game["tournament"] for game in games))
    entrants = {one: await _entrants(request, one) for one in tournaments}
    alone = {player for game in games if not game["tournament"] for player in game["players"] if player}
    players = {player: await _player(request, player) for player in sorted(alone)}
    return [
        {
            **game,
            "names": [entrants.get(game["tournament"], players).get(player, player) for player in game["players"]],
            "title": tournaments.get(game["tournament"]),
        }
        for game in games
    ]


async def _entrants(request: Request, tournament: str) -> Mapping[str, str]:
    answer = await asked(request, f"/v1/tournaments/{tournament}/entries")
    entries = answer.value["entrants"] if answer.status == 200 else ()
    return {player: name for one in entries for player, name in zip(one["players"], one["shown"], strict=True)}


async def _player(request: Request, player: str) -> str:
    answer = await asked(request, f"/v1/players/{player}")
    return str(answer.value["shown"]) if answer.status == 200 else player
