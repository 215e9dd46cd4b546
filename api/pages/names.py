"""Names of tournaments and players on pages, and the checks for which links a reader gets."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote
from uuid import UUID

import msgspec
from msgspec import Struct

from api.access.responses import caller_view
from api.common.grant import read_scope
from api.common.names import name_seats
from api.common.pages.shell import call_api, page_language
from api.http.guards import principal_of
from api.http.request import ROLES_FOR, Need, Request
from api.http.response import encode
from domain.access import HOUSE, Place, covers

Game = Mapping[str, Any]


async def titles(request: Request, tournaments: Iterable[str | None]) -> Mapping[str, str]:
    """Return the titles of tournaments by id."""
    answers = {one: await call_api(request, f"/v1/tournaments/{one}") for one in sorted({one for one in tournaments if one})}
    return {one: (answer.value["title"] if answer.status == 200 else None) or one for one, answer in answers.items()}


async def add_names(request: Request, games: Sequence[Game]) -> Sequence[Game]:
    """Return ``games`` with ``names``, by seat, as people read them, and the ``title`` of their tournament."""
    tournaments = await titles(request, (game["tournament"] for game in games))
    entrants = {one: await names_of_entrants(request, one) for one in tournaments}
    others = {player for game in games for player in game["players"] if player and player not in entrants.get(game["tournament"], ())}
    players = {player: await _player(request, player) for player in sorted(others)}
    return [
        {
            **game,
            "names": name_seats(
                [entrants.get(game["tournament"], {}).get(player) or players.get(player) for player in game["players"]],
                page_language(request),
            ),
            "title": tournaments.get(game["tournament"]),
        }
        for game in games
    ]


def name_entrants(entries: Iterable[Mapping[str, Any]], round: int | None = None) -> dict[int, str]:
    """Return the names of entrants by number: of those who stood for them in a round, or who do now. ``entries``: as the API returns
    them.
    """
    return {one["entrant"]: name_entrant(one, round) for one in entries}


def name_entrant(entrant: Mapping[str, Any], round: int | None = None) -> str:
    names: Sequence[str] = line_up_in(entrant, round)["shown"]
    return " & ".join(names)


def line_up_in(entrant: Mapping[str, Any], round: int | None) -> Mapping[str, Any]:
    """Return ``players`` and ``shown`` of an entrant in a round, or now."""
    if round is None:
        return entrant
    stretches = entrant.get("line_ups", ())
    return next((one for one in stretches if one["from_round"] <= round <= (one["until"] or round)), entrant)


def name_sides(table: Mapping[str, Any]) -> list[str]:
    """Return the names of each party of a table of a round, in the order of the seats: those who sat there then."""
    return [" & ".join(_name_seat(seat) for seat in table["seats"] if seat["entrant"] in party) for party in table["parties"]]


def _name_seat(seat: Mapping[str, Any]) -> str:
    """Return the names of all who sat on a seat in that round, one after the other."""
    names: list[str] = [*(one["shown"] for one in seat.get("earlier", ())), seat["shown"]]
    return " → ".join(names)


async def names_of_entrants(request: Request, tournament: str) -> Mapping[str, str]:
    answer = await call_api(request, f"/v1/tournaments/{tournament}/entries")
    entries = answer.value["entrants"] if answer.status == 200 else ()
    earlier = {one["player"]: one["shown"] for entry in entries for one in entry.get("replaced", ())}
    return earlier | {player: name for one in entries for player, name in zip(one["players"], one["shown"], strict=True)}


async def _player(request: Request, player: str) -> str | None:
    """Return the name of a player who stands for no entrant."""
    answer = await call_api(request, f"/v1/players/{quote(player, safe='')}")
    return (answer.value.get("name") or answer.value["alias"]) if answer.status == 200 else None


# Links to acts are shown by the roles and scopes with which the API authorizes requests; the request is authorized there again.


STANDS = ("open", "suspended")


def view_reader(request: Request) -> Mapping[str, Any] | None:
    """Return the reader as the API's response to ``GET /v1/me`` does; None without a token."""
    caller = principal_of(request)
    return None if caller.is_anonymous else msgspec.json.decode(encode(caller_view(caller)))


def has_permission(me: Mapping[str, Any] | None, need: Need, place: Place) -> bool:
    """Return whether the reader has this need's role at a place. ``me``: the API's response to ``GET /v1/me``; None without a token."""
    return me is not None and me["role"] in ROLES_FOR[need] and covers(read_scope(me["scope"]), place)


def is_over(about: Mapping[str, Any]) -> bool:
    """Return whether a tournament was played to its end or called off. ``about``: the tournament, as the API returns it."""
    return about["state"] in ("finished", "cancelled")


def can_record(me: Mapping[str, Any] | None, game: Mapping[str, Any]) -> bool:
    """Return whether the reader may record this game, which has to be in progress. ``game``: as the API returns it,
    in short or in a list.
    """
    return not game["finished"] and game["state"] in STANDS and has_permission(me, "recorder", place_of(game))


def list_next_pages(me: Mapping[str, Any] | None, game: Mapping[str, Any]) -> Mapping[str, str]:
    """Return where the reader can go when the game is over. ``home``: their tables; ``new``: the form for another game of these rules,
    where they may open one.
    """
    pages = {"home": "/"}
    if not game["tournament"] and has_permission(me, "recorder", HOUSE):
        pages["new"] = f"/new?what=game&ruleset={game['ruleset']}"
    return pages


def place_of(game: Mapping[str, Any]) -> Place:
    return Place(game["tournament"], game["round"], game["table"], UUID(game["id"]))


# The sides of a table with their points, the same on every page.


class Side(Struct, frozen=True):
    """A side of a table. ``points``: of the result, else of the game in progress; None where there are none."""

    names: str
    points: float | None = None


def list_sides(table: Mapping[str, Any], about: Mapping[str, Any]) -> list[Side]:
    """Return the sides of a table of a round. A forfeit that counts like a bye brings none at the table itself.

    ``about``: the tournament, as the API returns it.
    """
    points = None if table["how"] == "forfeited" and about["scoring"]["forfeit"][0] == "bye" else _points(table)
    return [Side(name, points[place] if points else None) for place, name in enumerate(name_sides(table))]


def _points(table: Mapping[str, Any]) -> Sequence[float] | None:
    entered = table["entered"]["points"] if table["entered"] and "differing" not in table else None
    return table["points"] or entered or (table["games"][-1]["totals"] if table["games"] else None)
