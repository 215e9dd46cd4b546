"""All that the desk tells of an evening, read from the API as its director may know it."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from api.common.pages.asking import told
from api.http.request import Request

Told = Mapping[str, Any]
_MOST = 200


class Evening(Struct, frozen=True):
    """``round`` is the newest that is paired, ``looked`` the one whose tables are looked at; ``games``: of these, the newest of each;
    ``disputes`` wait, the oldest first. ``begun``: how often the last deck was begun, by game, where decks are those that nobody chose."""

    about: Told
    entrants: Sequence[Told]
    round: Told | None
    looked: Told | None
    games: Mapping[str, Told]
    strays: Sequence[Told]
    disputes: Sequence[Told]
    standings: Told
    wall: Told
    begun: Mapping[str, int] = {}

    @property
    def names(self) -> dict[int, str]:
        return {one["entrant"]: " & ".join(one["shown"]) for one in self.entrants}

    @property
    def waiting(self) -> list[Told]:
        """What the round waits for, table by table; tables that are adjourned do not hold it up."""
        tables = self.round["tables"] if self.round and not self.round["closed"] else ()
        return [one for table in tables if not table["adjourned"] for one in table["waiting"]]

    @property
    def is_over(self) -> bool:
        return self.about["state"] in ("finished", "cancelled")

    @property
    def started(self) -> bool:
        """Whether at any table of the round a game was opened, or something came of it."""
        return self.round is not None and any(one["games"] or one["how"] != "open" or one["entered"] for one in self.round["tables"])


async def evening(request: Request, tournament: str, looked: int | None = None) -> Evening:
    path = f"/v1/tournaments/{tournament}"
    about = await told(request, path)
    newest, number = about["paired"], looked or about["paired"]
    disputes = await told(request, "/v1/disputes", tournament=tournament, undecided=True, limit=_MOST)
    at = await told(request, f"{path}/rounds/{number}") if number else None
    round = at if number == newest else await told(request, f"{path}/rounds/{newest}")
    games = (await told(request, "/v1/games", tournament=tournament, round=number, limit=_MOST))["games"] if number else ()
    return Evening(
        about=about,
        entrants=(await told(request, f"{path}/entries"))["entrants"],
        round=round,
        looked=at,
        games={one["table"]: one for one in reversed(games) if one["table"] is not None},
        strays=(await told(request, f"{path}/rounds"))["strays"],
        disputes=list(reversed(disputes["disputes"])),
        standings=await told(request, f"{path}/standings", explain=False),
        wall=await told(request, f"{path}/wall"),
        begun={game["id"]: await _begun(request, game["id"]) for game in games} if about["shuffle"] else {},
    )


async def _begun(request: Request, game: str) -> int:
    """For the hand in progress, or for the one that is next."""
    tries = (await told(request, f"/v1/games/{game}/shuffles"))["shuffles"]
    return sum(one["hand"] == tries[-1]["hand"] for one in tries)
