"""The wall of a tournament, for the screens in the hall. The director chooses its content, unless the address of a screen does."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal
from urllib.parse import quote

from litestar.params import FromPath
from msgspec import Meta, Struct

from api.common.lists import number
from api.common.pages.shell import Page, build_page_response, draw_code_image, fetch_value, page_language, words
from api.common.service_address import is_local_only, service_address
from api.http.decoding import Incoming, Number, read_query
from api.http.operations import shows
from api.http.request import Request
from api.http.response import Response
from api.pages.names import Side, is_over, list_sides, name_entrants, name_sides
from api.pages.tournament_page import read_bracket_layout, split_bracket
from domain.texts import Texts
from domain.time_zones import UTC_ZONE, to_local

# The rows of the wall, for each kind of content.


Told = Mapping[str, Any]


class Row(Struct, frozen=True):
    """A row. ``label``: the table, or the place; None for a player without a table, who has half a bye or a whole
    one. ``state``: that of a table, ``extra`` its minutes beyond the time of the round; ``prizes``: those of a place.
    """

    label: str | None
    sides: Sequence[Side]
    partners: Sequence[str] = ()
    against: Sequence[str] = ()
    state: Literal["busy", "held", "over"] | None = None
    half: bool = False
    extra: int = 0
    prizes: Sequence[str] = ()


def by_name(seating: Told, round: Told) -> Sequence[Row]:
    """Return everybody in the order of names, with their tables and opponents."""
    tables = {table["table"]: table for table in round["tables"]}
    return [_player(one, tables) for one in seating["players"]]


def by_table(round: Told) -> Sequence[Row]:
    return [Row(table["table"], [Side(name) for name in name_sides(table)], extra=table["extra_minutes"]) for table in round["tables"]]


def results(round: Told, about: Told) -> Sequence[Row]:
    """Return every table with its points; while it plays, the current ones."""
    return [Row(table["table"], list_sides(table, about), state=_state(table), extra=table["extra_minutes"]) for table in round["tables"]]


def standings(told: Told) -> Sequence[Row]:
    return [
        Row("–" if line["taken_out"] else str(line["place"]), [Side(" & ".join(line["shown"]), line["score"])]) for line in told["lines"]
    ]


def list_prize_rows(told: Told, wall: Told, said: Texts) -> Sequence[Row]:
    """Return the revealed places with their prizes, the newest first."""
    won = {line["entrant"]: list[str]() for line in told["lines"]}
    for one in told.get("prizes", ()):
        won[one["entrant"]].append(f"{one['category'] or said['wall.prize']}: {number(one['amount'], said['decimal'])}")
    return [
        Row(str(line["place"]), [Side(" & ".join(line["shown"]), line["score"])], prizes=won[line["entrant"]])
        for line in list_revealed(told, wall)
    ]


def _player(one: Told, tables: Mapping[str, Told]) -> Row:
    table = tables.get(one["table"])
    sides = zip(table["parties"], name_sides(table), strict=True) if table else ()
    against = [name for party, name in sides if one["entrant"] not in party]
    return Row(
        one["table"],
        [Side(one["shown"])],
        partners=one["partners"],
        against=against,
        half=one.get("half_bye", False),
        extra=table["extra_minutes"] if table else 0,
    )


def _state(table: Told) -> Literal["busy", "held", "over"]:
    if table["how"] != "open":
        return "over"
    return "held" if table["adjourned"] or any(one["code"] == "game_suspended" for one in table["waiting"]) else "busy"


_STYLES = ("bracket.css", "wall.css")


class WallPageQuery(Incoming, frozen=True, kw_only=True):
    show: Annotated[
        Literal["pairings", "standings", "tables", "clock", "current", "bracket", "prizes"] | None,
        Meta(description="left out: what the director chose, as he chooses it"),
    ] = None
    by: Annotated[Literal["name", "table"] | None, Meta(description="in which order pairings stand")] = None
    round: Annotated[Number | None, Meta(description="left out: the round that the director chose with what is shown, else the newest")] = (
        None
    )


@shows(
    "/t/{tournament:str}/wall",
    "wall_page",
    ("Show the wall of a tournament: pairings, tables, standings, bracket, prize giving or the clock, for the screens in the hall"),
    query=WallPageQuery,
)
async def wall_page(request: Request, tournament: FromPath[str]) -> Response:
    query, path = read_query(request, WallPageQuery), f"/v1/tournaments/{tournament}"
    said = words(page_language(request))
    about, wall = await fetch_value(request, path), await fetch_value(request, f"{path}/wall")
    chosen = wall["round"] if query.show in (None, wall["show"]) else None
    wanted = query.round or chosen
    paired = min(wanted or about["paired"], about["paired"])
    round = await fetch_value(request, f"{path}/rounds/{paired}") if paired else None
    values: dict[str, Any] = {
        "about": about,
        "zone": about["time_zone"],
        "time": partial(_time_of, zone=about["time_zone"]),
        "wall": wall,
        "show": _choose_content(query.show or wall["show"], about, round),
        "by": query.by or wall["by"] or "name",
        "round": round,
        "standings": await fetch_value(request, f"{path}/standings", explain=False, round=(wanted and paired) or None),
        "number": partial(number, decimal=said["decimal"]),
        **_address(request, tournament),
    }
    values |= await _content(request, path, values, said)
    values["called"] = await _list_called_tables(request, path, about, values["round"])
    title, public = about["title"] or about["id"], about["publication"] != "no"
    page = Page(template="wall.html.j2", title=title, values=values, script="wall.js", styles=_STYLES, public=public)
    return await build_page_response(request, page)


def _choose_content(show: str, about: Told, round: Told | None) -> str:
    """Return the content: of ``current``, what is on."""
    if show != "current":
        return show
    if round is None or not (round["closed"] or is_over(about)):
        return "pairings"
    return "bracket" if about["format"] == "knockout" else "standings"


def _time_of(at: str, zone: str) -> str:
    """Return the hour and minute of a time of RFC 3339 in a zone, for readers without scripts."""
    return f"{to_local(datetime.fromisoformat(at), zone):%H:%M}{' UTC' if zone == UTC_ZONE else ''}"


async def _content(request: Request, path: str, values: Mapping[str, Any], said: Texts) -> Mapping[str, Any]:
    """Return the rows of the wall; or the parts of the bracket, with the names of the entrants."""
    if values["show"] == "bracket":
        bracket = await read_bracket_layout(request, values["about"], said)
        entries = await fetch_value(request, f"{path}/entries") if bracket else {"entrants": ()}
        return {"rows": split_bracket(bracket) if bracket else (), "names": name_entrants(entries["entrants"])}
    return {"rows": await _rows(request, path, values, said)}


async def _rows(request: Request, path: str, values: Mapping[str, Any], said: Texts) -> Sequence[Row]:
    show, round = values["show"], values["round"]
    if show == "standings":
        return standings(values["standings"])
    if show == "prizes":
        return list_prize_rows(values["standings"], values["wall"], said)
    if round is None or show not in ("pairings", "tables"):
        return ()
    if show == "tables":
        return results(round, values["about"])
    if values["by"] == "table":
        return by_table(round)
    return by_name(await fetch_value(request, f"{path}/rounds/{round['round']}/seating"), round)


async def _list_called_tables(request: Request, path: str, about: Told, shown: Told | None) -> Sequence[str]:
    """Return the tables of the round in play whose players are called, whichever round is shown."""
    if shown is None:
        return ()
    newest = shown if shown["round"] == about["paired"] else await fetch_value(request, f"{path}/rounds/{about['paired']}")
    return [table["table"] for table in newest["tables"] if table["called"]]


def _address(request: Request, tournament: str) -> Mapping[str, str | None]:
    """Return the address of the tournament's page to type and as a QR code; no code where no phone could open it."""
    service = service_address(request)
    address = f"{service}/t/{quote(tournament)}"
    code = None if is_local_only(service) else draw_code_image(address)
    return {"address": address.partition("://")[2], "qr": code}


# Prize giving: the places of the standings, revealed from below by the director, one by one.


_HIDDEN = 3
"""Places that are hidden until the director says otherwise."""
_MOST = 8
"""Places that stand on the wall together, the best ones of those that are revealed."""


class Reveal(Struct, frozen=True):
    """The next place with those who share it. ``hidden``: how many places are hidden after it."""

    place: int
    names: Sequence[str]
    hidden: int


def list_revealed(standings: Told, wall: Told) -> list[Told]:
    """Return the rows of the standings that prize giving shows, the best first."""
    return [line for line in standings["lines"] if not line["taken_out"] and line["place"] > _count_hidden(wall)][:_MOST]


def next_reveal(standings: Told, wall: Told) -> Reveal | None:
    """Return what is revealed next; None where everything is."""
    hidden = [line for line in standings["lines"] if not line["taken_out"] and line["place"] <= _count_hidden(wall)]
    if not hidden:
        return None
    place = hidden[-1]["place"]
    return Reveal(place, [" & ".join(line["shown"]) for line in hidden if line["place"] == place], place - 1)


def _count_hidden(wall: Told) -> int:
    return _HIDDEN if wall["hidden"] is None else wall["hidden"]
