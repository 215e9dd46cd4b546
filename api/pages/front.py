"""The front page: games and tournaments in progress, series, and for a signed-in reader their next tasks; programs get the
addresses to begin with.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from api.common.pages.shell import Page, build_page_response, call_api, draw_code_image, page_language, words
from api.common.service_address import is_local_only, service_address
from api.http.decoding import ResponseModel
from api.http.media_types import HTML, JSON
from api.http.operations import PAGES, Content, reads
from api.http.request import Request, header, media_type
from api.http.response import Response, encode
from api.pages.directing.fields import directing_words
from api.pages.names import STANDS, add_names, can_record, has_permission, place_of, titles
from domain.access import HOUSE, Place
from domain.version import VERSION

Listed = Sequence[Mapping[str, Any]]
_AT_TABLES = ("recorder", "player")
_MOST = 12
"""Most entries of each list; the tournament's page shows more."""


class Start(ResponseModel, frozen=True, kw_only=True):
    """The entry point: addresses for a newcomer."""

    name: str
    version: str
    description: str = "/openapi.json"
    docs: str = "/docs"
    rulesets: str = "/v1/rulesets"
    health: str = "/health/ready"


@reads(
    "/",
    "start",
    "Show where to begin: addresses for programs, the first page for browsers",
    tag=PAGES,
    description="A client that prefers HTML to JSON gets a page.",
    responses={200: Content("the addresses to begin with", {JSON: Start, HTML: {"type": "string"}})},
    refuses=(406,),
    role="anybody",
)
async def start(request: Request) -> Response:
    if media_type(header(request, b"accept"), (JSON, HTML)) == HTML:
        return await _page(request)
    begin = Start(name="Kiebitz", version=VERSION)
    return Response(encode(begin), headers=(("vary", "accept"),))


async def _page(request: Request) -> Response:
    me = await call_api(request, "/v1/me")
    tournaments = await _fetch_list(request, "/v1/tournaments")
    running = [one for one in tournaments if one["state"] == "running"]
    signed_in = me.status == 200
    knows = me.value if signed_in else None
    newest = await _games(request, tournaments, finished=True, signed_in=signed_in)
    mine = await add_names(request, await _list_own_games(request, knows)) if knows else []
    own = {one["id"] for one in mine}
    others = [one for one in await _games(request, running, finished=False, signed_in=signed_in) if one["id"] not in own]
    playing = await add_names(request, others)
    disputes = await _waiting(request, knows, mine) if knows else []
    values = {
        "me": knows,
        "opens": has_permission(knows, "recorder", HOUSE),
        "directed": {one["id"] for one in tournaments if has_permission(knows, "director", Place(one["id"]))},
        "recorded": {one["id"] for one in (*mine, *playing) if can_record(knows, one)},
        "disputes": disputes,
        "titles": await titles(request, (one["tournament"] for one in disputes)),
        "running": running,
        "series": await _fetch_list(request, "/v1/series"),
        "others": [one for one in tournaments if one["state"] != "running"],
        "playing": playing,
        "newest": await add_names(request, newest),
        "mine": mine,
        "steps": None if tournaments or newest or not has_permission(knows, "director", HOUSE) else _first_steps(request, playing),
    }
    title = words(page_language(request))["front.title"]
    return await build_page_response(
        request, Page(template="front.html.j2", title=title, values=values, styles=("tournament.css",), public=True)
    )


def _first_steps(request: Request, playing: Listed) -> Mapping[str, Any]:
    """Return what an empty house shows until something was played or announced: the game that was opened, and the way for phones."""
    address = service_address(request)
    return {
        "game": playing[0]["id"] if playing else None,
        "address": f"{address}/in",
        "qr": None if is_local_only(address) else draw_code_image(f"{address}/in"),
        "words": directing_words(page_language(request)),
    }


async def _games(request: Request, tournaments: Listed, *, finished: bool, signed_in: bool) -> Listed:
    """Return the games that the reader may see. Without a token the query has to name a published tournament."""
    if signed_in:
        return await _fetch_list(request, "/v1/games", finished=finished, limit=_MOST)
    found = [await _fetch_list(request, "/v1/games", finished=finished, limit=_MOST, tournament=one["id"]) for one in tournaments[:3]]
    return [game for games in found for game in games][:_MOST]


async def _fetch_list(request: Request, path: str, **query: object) -> Listed:
    """Return a list of the API; an empty one where the reader may not see it, or it is not built yet."""
    answer = await call_api(request, path, **{"limit": _MOST, **query})
    found: Listed = answer.value["items"] if answer.status == 200 else ()
    return found


async def _list_own_games(request: Request, me: Mapping[str, Any]) -> Listed:
    """Return the running games of a recorder or a player: those in their scope, for a player those in which they sit."""
    scope = me["scope"]
    if me["role"] not in _AT_TABLES or scope == "everything":
        return []
    if "game" in scope:
        answer = await call_api(request, f"/v1/games/{scope['game']}")
        return [answer.value] if answer.status == 200 and not answer.value["finished"] else []
    where = {"tournament": scope["tournament"], "table": scope.get("table"), "player": me.get("player")}
    found = await _fetch_list(request, "/v1/games", finished=False, **where)
    return [one for one in found if one["state"] in STANDS]


async def _waiting(request: Request, me: Mapping[str, Any], mine: Listed) -> Listed:
    """Return undecided disputes where the reader is an official, and those about their own games."""
    own = {one["id"] for one in mine}
    listed = await _fetch_list(request, "/v1/disputes", undecided=True)
    return [one for one in listed if one["game"] in own or has_permission(me, "official", place_of({**one, "id": one["game"]}))]
