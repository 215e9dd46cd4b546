"""A player's own page: next table, current score, results to confirm, and history."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from api.common.lists import number
from api.common.names import letter_places, name_places
from api.common.pages.shell import Page, build_page_response, call_api, fetch_value, page_language, words
from api.http.operations import shows
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.names import add_names, line_up_in, name_entrants
from api.pages.player_page import history_of
from api.pages.replayed import fetch_subjects

Told = Mapping[str, Any]


# The rounds of a tournament as one player played them: with whom, against whom, and both points.


class OwnRound(Struct, frozen=True):
    """A round of a player. ``table`` is None for a bye; ``sides`` are the opponents, party by party. ``own`` and ``theirs``: the points of
    the parties, None and none where there are none.
    """

    round: int
    table: str | None = None
    partners: Sequence[str] = ()
    sides: Sequence[str] = ()
    own: int | None = None
    theirs: Sequence[int] = ()
    how: str = "bye"


def list_own_rounds(rounds: Sequence[Told], entrants: Sequence[Told], entrant: Told, player: str) -> list[OwnRound]:
    """Return the rounds that the player played or was free in, the newest first; without the table that still plays."""
    played = [one for one in rounds if player in line_up_in(entrant, one["round"])["players"]]
    found = [_own_round(one, entrants, entrant, player) for one in reversed(played)]
    return [one for one in found if one is not None]


def _own_round(round: Told, entrants: Sequence[Told], entrant: Told, player: str) -> OwnRound | None:
    number, own = round["round"], entrant["entrant"]
    if own in (*round["byes"], *round["half_byes"]):
        return OwnRound(number)
    table = next((one for one in round["tables"] if any(own in party for party in one["parties"])), None)
    if table is None or (table["points"] is None and not round["closed"]):
        return None
    names, place = name_entrants(entrants, number), next(place for place, party in enumerate(table["parties"]) if own in party)
    line_up = line_up_in(entrant, number)
    partners = [shown for one, shown in zip(line_up["players"], line_up["shown"], strict=True) if one != player]
    partners += [names[one] for one in table["parties"][place] if one != own]
    others = [party for party in range(len(table["parties"])) if party != place]
    points = table["points"]
    return OwnRound(
        number,
        table["table"],
        partners,
        [" & ".join(names[one] for one in table["parties"][party]) for party in others],
        None if points is None else points[place],
        [] if points is None else [points[party] for party in others],
        table["how"],
    )


# The player's table in the newest round of their tournament, or the game whose seat they hold, with results to confirm.


class MyGame(Struct, frozen=True, kw_only=True):
    """The game in progress at the player's table, as they see it. ``subjects``: what a dispute can be about.

    ``place``: the name of the seat. ``signed``: the position at which their side signed the current sheet. ``fair``: decks follow from
    chances that nobody chose.
    """

    short: Told
    sheet: Told
    disputes: Sequence[Told]
    subjects: Sequence[Told]
    name: str | None
    sides: Sequence[str]
    seat: int
    place: str
    party: int
    signed: int | None
    fair: bool


class MyTable(Struct, frozen=True, kw_only=True):
    """The player's table. ``entrant``: their number. ``sides``: all at the table, by name; ``party`` is theirs.

    ``rounds``: those that they played. ``asked``: their side has to confirm a result. ``enters``: their side may enter one. ``claim``: the
    points that their side holds to, while another side entered others.
    """

    player: str | None = None
    name: str | None = None
    about: Told | None = None
    round: Told | None = None
    entrant: int | None = None
    table: Told | None = None
    seat: str | None = None
    partners: Sequence[str] = ()
    sides: Sequence[str] = ()
    party: int = 0
    asked: bool = False
    enters: bool = False
    claim: Sequence[int] | None = None
    rounds: Sequence[OwnRound] = ()
    game: MyGame | None = None


async def my_table(request: Request, me: Told) -> MyTable:
    scope = me["scope"] if isinstance(me["scope"], dict) else {}
    if "game" in scope:
        return await _of_seat(request, scope["game"], me.get("seat"), me.get("player"))
    about = await _fetch_or_none(request, f"/v1/tournaments/{scope['tournament']}") if "tournament" in scope else None
    player = me.get("player")
    if about is None or player is None:
        return MyTable(player=player, about=about)
    entries = await _fetch_or_none(request, f"/v1/tournaments/{about['id']}/entries")
    line_ups = ((one, line_up_in(one, about["paired"])) for one in entries["entrants"]) if entries else ()
    entry, line_up = next(((one, found) for one, found in line_ups if player in found["players"]), (None, {}))
    if entry is None:
        return MyTable(player=player, about=about)
    name = line_up["shown"][line_up["players"].index(player)]
    round = await _fetch_or_none(request, f"/v1/tournaments/{about['id']}/rounds/{about['paired']}") if about["paired"] else None
    rounds = await _fetch_or_none(request, f"/v1/tournaments/{about['id']}/rounds") if entries and round else None
    played = list_own_rounds(rounds["rounds"], entries["entrants"], entry, player) if rounds and entries else ()
    found = MyTable(player=player, name=name, about=about, round=round, entrant=entry["entrant"], rounds=played)
    table = next((one for one in round["tables"] if any(seat["player"] == player for seat in one["seats"])), None) if round else None
    return await _add_seat(request, found, table) if table else found


async def _add_seat(request: Request, found: MyTable, table: Told) -> MyTable:
    assert found.about is not None
    mine = next(one for one in table["seats"] if one["player"] == found.player)
    party = next(place for place, one in enumerate(table["parties"]) if found.entrant in one)
    sides = [[seat["shown"] for seat in table["seats"] if seat["entrant"] in one] for one in table["parties"]]
    waits = [side for one in table["waiting"] for side in one.get("sides", ())]
    own = table["parties"][party]
    game = await _game(request, table["games"][-1]["game"], found.player, None) if table["games"] else None
    return replace(
        found,
        table=table,
        seat=letter_places(len(table["seats"]), page_language(request))[mine["seat"]],
        partners=[seat["shown"] for seat in table["seats"] if seat["entrant"] in table["parties"][party] and seat is not mine],
        sides=[" & ".join(names) for names in sides],
        party=party,
        asked=any(entrant in waits for entrant in own),
        enters=found.about["own_results"] and table["how"] == "open" and (game is None or not game.short["hand"]),
        claim=next((one["points"] for one in reversed(table.get("differing", ())) if {*own} & {*one["sides"]}), None),
        game=game,
    )


async def _of_seat(request: Request, game: str, seat: int | None, player: str | None) -> MyTable:
    """Return the table of a player who holds a seat of one game, in a tournament or not."""
    found = await _game(request, game, player, seat)
    if found is None:
        return MyTable(player=player)
    who = player or found.short["players"][found.seat]
    return MyTable(player=who, name=found.name, game=found, party=found.party)


async def _game(request: Request, game: str, player: str | None, seat: int | None) -> MyGame | None:
    path = f"/v1/games/{game}"
    short, sheet = await _fetch_or_none(request, path), await _fetch_or_none(request, f"{path}/score-sheet", digest=True)
    disputes, shuffles = await _fetch_or_none(request, f"{path}/disputes"), await _fetch_or_none(request, f"{path}/shuffles")
    if short is None or sheet is None or (seat is None and player not in short["players"]):
        return None
    mine = seat if seat is not None else short["players"].index(player)
    party = next(place for place, seats in enumerate(sheet["parties"]) if mine in seats)
    signed = next((one["position"] for one in sheet.get("signatures", ()) if one["party"] == party and one["stands"]), None)
    (called,) = await add_names(request, [short])
    decided = disputes["disputes"] if disputes else ()
    sides = [" & ".join(called["names"][seat] for seat in seats) for seats in sheet["parties"]]
    name = called["names"][mine] if short["players"][mine] else None
    places = name_places(short["seats"], page_language(request))
    fair = shuffles is not None and shuffles["fair"]
    return MyGame(
        short=called,
        sheet=sheet,
        disputes=decided,
        subjects=await fetch_subjects(request, game, short["position"], places),
        name=name,
        sides=sides,
        seat=mine,
        place=places[mine],
        party=party,
        signed=signed,
        fair=fair,
    )


async def _fetch_or_none(request: Request, path: str, **query: object) -> Told | None:
    """Return the API's response; None where the reader may not see it, or it does not exist."""
    return (await call_api(request, path, **query)).value_if_ok


_STYLES = ("tournament.css", "me.css")
_RULINGS = 100
"""Newest rulings that are searched for the player's games."""


@shows("/me", "me_page", "Show a player's own page: next table, score, results to confirm, history", within="open")
async def own_page(request: Request) -> Response:
    said, me = words(page_language(request)), await fetch_value(request, "/v1/me")
    if me["role"] != "player":
        return await build_page_response(
            request, Page(template="me.html.j2", title=said["me.title"], values={"me": me, "mine": None}, styles=_STYLES)
        )
    mine = await my_table(request, me)
    history = await _history(request, mine.player)
    values = {
        "me": me,
        "mine": mine,
        "zone": mine.about["time_zone"] if mine.about else services_of(request).time_zone,
        "number": partial(number, decimal=said["decimal"]),
        "rulings": await _rulings(request, history["history"]["items"]) if history else (),
        **_without_tournament(history, mine),
    }
    title = mine.name or said["me.title"]
    return await build_page_response(request, Page(template="me.html.j2", title=title, values=values, script="me.js", styles=_STYLES))


async def _history(request: Request, player: str | None) -> Mapping[str, Any]:
    """Return the history; an empty one for a player without results."""
    if player is None or (await call_api(request, f"/v1/players/{player}/scores")).status != 200:
        return {}
    return await history_of(request, player, None)


def _without_tournament(history: Mapping[str, Any], mine: MyTable) -> Mapping[str, Any]:
    """Return the history without the games of the tournament whose rounds stand on the page."""
    if not history or not mine.rounds or mine.about is None:
        return history
    games = [one for one in history["history"]["items"] if one["tournament"] != mine.about["id"]]
    return {**history, "history": {**history["history"], "items": games}}


async def _rulings(request: Request, games: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the rulings in the player's games, the newest first."""
    his = {game["game"] for game in games}
    answer = await call_api(request, "/v1/rulings", limit=_RULINGS)
    return [one for one in answer.value["items"] if one["game"] in his] if answer.status == 200 else ()
