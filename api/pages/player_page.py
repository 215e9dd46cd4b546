"""The page of a player: results and score history, as far as the reader may know them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from litestar.params import FromPath
from msgspec import Meta

from api.common.lists import number
from api.common.pages.assets import page_language
from api.common.pages.internal_api import call_api, fetch_value
from api.common.pages.shell import Page, build_page_response, words
from api.http.decoding import Incoming, read_query
from api.http.operations import page, reads
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.names import names_of_entrants, titles
from domain.time_zones import to_local

_STYLES = ("tournament.css",)
_TITLED = 50
"""Newest games that are shown with the title of their tournament; older ones show its id."""
_WIDE, _HIGH = 240, 48
"""Size of a drawn trend, in its own units."""


class PlayerPageQuery(Incoming, frozen=True, kw_only=True):
    tournament: Annotated[str, Meta(min_length=1, max_length=200, description="only what was played in this tournament")] | None = None


@reads(
    "/p/{player:str}",
    page(
        "player_page", "Show a player: results and score history, as far as the reader may see them", query=PlayerPageQuery, within="lists"
    ),
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


async def history_of(request: Request, player: str, tournament: str | None) -> Mapping[str, Any]:
    """Return the values of ``history.html.j2``. Raises ``ApiError``."""
    history = await fetch_value(request, f"/v1/players/{player}/scores", tournament=tournament)
    return {
        "history": history,
        "day": partial(day_of, zone=services_of(request).time_zone),
        "number": partial(number, decimal=words(page_language(request))["decimal"]),
        "titles": await titles(request, (game["tournament"] for game in history["games"][:_TITLED])),
        "trends": {
            one["ruleset"]: format_line_points([game["points"] for game in _of(history, one["ruleset"])]) for one in history["totals"]
        },
    }


def day_of(at: str, zone: str) -> str:
    """Return the day of a time of RFC 3339 in a zone."""
    return to_local(datetime.fromisoformat(at), zone).date().isoformat()


async def _in_tournament(request: Request, player: str, tournament: str) -> str | None:
    """Return the name of the player in a tournament; None for one who was never entered."""
    return (await names_of_entrants(request, tournament)).get(player)


def _of(history: Mapping[str, Any], ruleset: str) -> Sequence[Mapping[str, Any]]:
    """Return the player's finished games of a ruleset, the oldest first."""
    return [game for game in reversed(history["games"]) if game["ruleset"] == ruleset and game["finished"]]


def format_line_points(points: Sequence[float]) -> str:
    """Return the points of a trend line for an SVG ``polyline``; empty for fewer than two values."""
    if len(points) < 2:
        return ""
    low, high = min(points), max(points)
    steps = [(_WIDE * place / (len(points) - 1), _HIGH * (high - one) / ((high - low) or 1)) for place, one in enumerate(points)]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in steps)
