"""Pages about players: one with results and score history, and the directory, where directors put names right and merge players."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from litestar.params import FromPath
from msgspec import Meta

from api.common.lists import number
from api.common.pages.shell import Page, build_page_response, call_api, fetch_value, page_language, words
from api.common.time_zone import format_day
from api.http.decoding import Cursor, Incoming, Name, read_query
from api.http.operations import shows
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.directing.fields import directing_words
from api.pages.names import names_of_entrants, titles
from domain.ratings import PROVISIONAL_BELOW

_STYLES = ("tournament.css",)
_TITLED = 50
"""Newest games that are shown with the title of their tournament; older ones show its id."""
_RATED = 200
"""Newest games of which the course of ratings is drawn."""
_LETTER = 12
_WIDE, _HIGH = 240, 48
"""Size of a drawn trend, in its own units."""


class PlayerPageQuery(Incoming, frozen=True, kw_only=True):
    tournament: Annotated[str, Meta(min_length=1, max_length=200, description="only what was played in this tournament")] | None = None


@shows(
    "/p/{player:str}",
    "player_page",
    "Show a player: results and score history, as far as the reader may see them",
    query=PlayerPageQuery,
    within="lists",
)
async def player_page(request: Request, player: FromPath[str]) -> Response:
    query, said = read_query(request, PlayerPageQuery), words(page_language(request))
    history = await history_of(request, player, query.tournament)
    about = await call_api(request, f"/v1/players/{player}")
    called = await _in_tournament(request, player, query.tournament) if query.tournament else None
    shown_as = called or (about.value["shown"] if about.status == 200 else said["player.unnamed"])
    values = {"name": shown_as, "club": about.value["club"] if about.status == 200 else None, **history}
    page = Page(template="player.html.j2", title=shown_as, description=said["player.description"], values=values, styles=_STYLES)
    return await build_page_response(request, page)


async def history_of(request: Request, player: str, tournament: str | None, known: Mapping[str, str] = {}) -> Mapping[str, Any]:
    """Return the values of ``history.html.j2``. ``known``: titles of tournaments. Raises ``ApiError``."""
    history = await fetch_value(request, f"/v1/players/{player}/scores", tournament=tournament)
    unknown = {game["tournament"] for game in history["items"][:_TITLED]} - known.keys()
    return {
        "history": history,
        "day": partial(format_day, zone=services_of(request).time_zone, language=page_language(request)),
        "number": partial(number, decimal=words(page_language(request))["decimal"]),
        "ratings": await _draw_ratings(request, player),
        "titles": {**known, **await titles(request, unknown)},
        "trends": {
            one["ruleset"]: format_line_points([game["points"] for game in _of(history, one["ruleset"])]) for one in history["totals"]
        },
    }


async def _draw_ratings(request: Request, player: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the rating of each ruleset and its course, for readers who may see ratings: those of the whole house."""
    if not request.user.visibility.whole:
        return {}
    answer = await call_api(request, f"/v1/players/{player}/ratings", limit=_RATED)
    courses: dict[str, list[Mapping[str, Any]]] = {}
    for step in reversed(answer.value["items"] if answer.status == 200 else ()):
        courses.setdefault(step["ruleset"], []).append(step)
    return {ruleset: _draw_graph(steps) for ruleset, steps in courses.items()}


def _draw_graph(steps: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the line of the ratings after each game, in a band as wide as their uncertainty."""
    last, course = steps[-1], [step["after"] for step in steps]
    edges = [[step["after"] + sign * step["uncertainty"] for step in steps] for sign in (1, -1)]
    low, high = min(edges[1]), max(edges[0])
    line, upper, lower = (_place_points(some, low, high, 2 * _HIGH) for some in (course, *edges))
    marks = {name: _height(value, low, high, 2 * _HIGH) + 4 for name, value in (("top", max(course)), ("bottom", min(course)))}
    if marks["bottom"] - marks["top"] < _LETTER:  # one above the other
        marks = {"top": marks["top"] - _LETTER / 2, "bottom": marks["top"] + _LETTER / 2}
    return {
        "last": last,
        "provisional": last["games"] < PROVISIONAL_BELOW,
        "high": max(course),
        "low": min(course),
        "line": " ".join(line) if len(line) > 1 else "",
        "band": " ".join([*upper, *reversed(lower)]),
        **{name: f"{height:.1f}" for name, height in marks.items()},
    }


async def _in_tournament(request: Request, player: str, tournament: str) -> str | None:
    """Return the name of the player in a tournament; None for one who was never entered."""
    return (await names_of_entrants(request, tournament)).get(player)


def _of(history: Mapping[str, Any], ruleset: str) -> Sequence[Mapping[str, Any]]:
    """Return the player's finished games of a ruleset, the oldest first."""
    return [game for game in reversed(history["items"]) if game["ruleset"] == ruleset and game["finished"]]


def format_line_points(points: Sequence[float]) -> str:
    """Return the points of a trend line for an SVG ``polyline``; empty for fewer than two values."""
    return " ".join(_place_points(points, min(points), max(points), _HIGH)) if len(points) > 1 else ""


def _place_points(points: Sequence[float], low: float, high: float, height: float) -> list[str]:
    step = _WIDE / max(len(points) - 1, 1)
    return [f"{step * place:.1f},{_height(one, low, high, height):.1f}" for place, one in enumerate(points)]


def _height(value: float, low: float, high: float, height: float) -> float:
    return height * (high - value) / ((high - low) or 1)


# The directory: search it, put a name right, and merge two players who are one person, after a look at it.


_SHOWN = 50
"""Most players of a list."""


class PlayersPageQuery(Incoming, frozen=True, kw_only=True):
    search: Annotated[str, Meta(max_length=200, description="words that begin a name, an alias or an id")] = ""
    player: Annotated[Name | None, Meta(description="the player to put right")] = None
    into: Annotated[Name | None, Meta(description="another player, who may be the same person")] = None
    cursor: Cursor = None


@shows("/players", "players_page", "Show the directory, put names right, merge players", query=PlayersPageQuery, role="director")
async def players_page(request: Request) -> Response:
    query, language = read_query(request, PlayersPageQuery, from_form=True), page_language(request)
    said = directing_words(language)
    one = None if query.player is None else await _player(request, query.player)
    values = {
        "words": said,
        "day": partial(format_day, zone=services_of(request).time_zone, language=page_language(request)),
        "search": query.search,
        "one": one,
        "into": await _player(request, query.into) if query.into is not None and query.into != query.player else None,
        **await _list_players(request, query, one),
    }
    shown = Page(
        template="players.html.j2",
        title=said["players.title"],
        values=values,
        script="players.js",
        styles=("director.css",),
    )
    return await build_page_response(request, shown)


async def _player(request: Request, id: str) -> dict[str, Any]:
    """Return a player with what tells two of the same name apart: their games, and the player into whom they were merged."""
    one = await fetch_value(request, f"/v1/players/{id}")
    person = await fetch_value(request, f"/v1/players/{one['person']}") if one["merged_into"] else None
    return {**one, "person": person, "games": (await fetch_value(request, f"/v1/players/{id}/scores"))["items"]}


async def _list_players(request: Request, query: PlayersPageQuery, one: dict[str, Any] | None) -> dict[str, Any]:
    """Return the players that are searched for; without a search of one who is to be merged, those of the same name."""
    words = query.search.strip() or (one and one["name"])
    found = await fetch_value(request, "/v1/players", search=words or None, cursor=query.cursor, limit=_SHOWN, merged=False, erased=False)
    more = urlencode({"search": query.search, "cursor": found["next"]}) if found["next"] and one is None else None
    return {"players": [each for each in found["items"] if one is None or each["id"] != one["id"]], "more": more}
