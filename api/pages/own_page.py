"""A player's own page: next table, current score, results to confirm, and history."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from api.common.lists import number
from api.common.names import letter_places, name_places
from api.common.pages.shell import ApiError, Page, build_page_response, call_api, page_language, words
from api.common.shared_reads import share_read
from api.http.operations import shows
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.names import add_names, is_over, line_up_in, name_entrants, view_reader
from api.pages.player_page import history_of
from api.pages.replayed import fetch_subjects

Told = Mapping[str, Any]
RoundNames = Mapping[int, Mapping[int, str]]
"""The names of entrants by number, of each round."""


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


def list_own_rounds(rounds: Sequence[Told], names: RoundNames, entrant: Told, player: str) -> list[OwnRound]:
    """Return the rounds that the player played or was free in, the newest first; without the table that still plays."""
    played = [one for one in rounds if player in line_up_in(entrant, one["round"])["players"]]
    found = [_own_round(one, names[one["round"]], entrant, player) for one in reversed(played)]
    return [one for one in found if one is not None]


def _own_round(round: Told, names: Mapping[int, str], entrant: Told, player: str) -> OwnRound | None:
    number, own = round["round"], entrant["entrant"]
    if own in (*round["byes"], *round["half_byes"]):
        return OwnRound(number)
    table = next((one for one in round["tables"] if any(own in party for party in one["parties"])), None)
    if table is None or (table["points"] is None and not round["closed"]):
        return None
    place = next(place for place, party in enumerate(table["parties"]) if own in party)
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
    player = me.get("player")
    if "tournament" not in scope or player is None:
        about = await _fetch_or_none(request, f"/v1/tournaments/{scope['tournament']}") if "tournament" in scope else None
        return MyTable(player=player, about=about)
    hall = await share_read(
        request, ("hall", scope["tournament"], page_language(request)), lambda: _read_hall(request, scope["tournament"])
    )
    if player not in hall.entries:
        return MyTable(player=player, about=hall.about)
    entry, name = hall.entries[player]
    played = list_own_rounds(hall.rounds, hall.names, entry, player)
    found = MyTable(player=player, name=name, about=hall.about, round=hall.round, entrant=entry["entrant"], rounds=played)
    return await _add_seat(request, found, hall.tables[player]) if player in hall.tables else found


class _Hall(Struct, frozen=True, kw_only=True):
    """What the players of a tournament share: the entry and the name of each now, its rounds, and the newest with the table of each."""

    about: Told | None = None
    entries: Mapping[str, tuple[Told, str]] = {}
    rounds: Sequence[Told] = ()
    names: RoundNames = {}
    round: Told | None = None
    tables: Mapping[str, Told] = {}


async def _read_hall(request: Request, tournament: str) -> _Hall:
    path = f"/v1/tournaments/{tournament}"
    about, entries = await _fetch_or_none(request, path), await _fetch_or_none(request, f"{path}/entries")
    if about is None or entries is None:
        return _Hall(about=about)
    round = await _fetch_or_none(request, f"{path}/rounds/{about['paired']}") if about["paired"] else None
    rounds = (await _fetch_or_none(request, f"{path}/rounds") or {"rounds": ()})["rounds"] if round else ()
    line_ups = [(one, line_up_in(one, about["paired"])) for one in entries["entrants"]]
    return _Hall(
        about=about,
        entries={player: (one, name) for one, now in line_ups for player, name in zip(now["players"], now["shown"], strict=True)},
        rounds=rounds,
        names={one["round"]: name_entrants(entries["entrants"], one["round"]) for one in rounds},
        round=round,
        tables={seat["player"]: table for table in (round["tables"] if round else ()) for seat in table["seats"]},
    )


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
    said, me = words(page_language(request)), view_reader(request)
    assert me is not None, "the page is for callers with a token"
    if me["role"] != "player":
        return await build_page_response(
            request, Page(template="me.html.j2", title=said["me.title"], values={"me": me, "mine": None}, styles=_STYLES)
        )
    mine = await my_table(request, me)
    history = await _history(request, mine)
    values = {
        "me": me,
        "mine": mine,
        "over": mine.about is not None and is_over(mine.about),
        "zone": mine.about["time_zone"] if mine.about else services_of(request).time_zone,
        "number": partial(number, decimal=said["decimal"]),
        "rulings": await _rulings(request, history["history"]["items"]) if history else (),
        **_without_tournament(history, mine),
    }
    title = mine.name or said["me.title"]
    return await build_page_response(request, Page(template="me.html.j2", title=title, values=values, script="me.js", styles=_STYLES))


async def _history(request: Request, mine: MyTable) -> Mapping[str, Any]:
    """Return the history; an empty one for a player without results."""
    known = {mine.about["id"]: mine.about["title"] or mine.about["id"]} if mine.about else {}
    try:
        return {} if mine.player is None else await history_of(request, mine.player, None, known)
    except ApiError:
        return {}


def _without_tournament(history: Mapping[str, Any], mine: MyTable) -> Mapping[str, Any]:
    """Return the history without the games of the tournament whose rounds stand on the page."""
    if not history or not mine.rounds or mine.about is None:
        return history
    games = [one for one in history["history"]["items"] if one["tournament"] != mine.about["id"]]
    return {**history, "history": {**history["history"], "items": games}}


async def _rulings(request: Request, games: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the rulings in the player's games, the newest first."""
    his = {game["game"] for game in games}
    answer = await share_read(request, ("rulings", page_language(request)), lambda: call_api(request, "/v1/rulings", limit=_RULINGS))
    return [one for one in answer.value["items"] if one["game"] in his] if answer.status == 200 else ()
