"""The page of players: search the directory, put a name right, and merge two players who are one person, after a look at it."""

from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from msgspec import Meta

from api.common.pages.assets import page_language
from api.common.pages.internal_api import fetch_value
from api.common.pages.shell import Page, build_page_response
from api.http.decoding import Cursor, Incoming, Name, read_query
from api.http.operations import page, reads
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.directing.fields import directing_words
from api.pages.player_page import day_of

_SHOWN = 50
"""Most players of a list."""


class PlayersPageQuery(Incoming, frozen=True, kw_only=True):
    search: Annotated[str, Meta(max_length=200, description="words that begin a name, an alias or an id")] = ""
    player: Annotated[Name | None, Meta(description="the player to put right")] = None
    into: Annotated[Name | None, Meta(description="another player, who may be the same person")] = None
    cursor: Cursor = None


@reads("/players", page("players_page", "Show the directory, put names right, merge players", query=PlayersPageQuery, role="director"))
async def players_page(request: Request) -> Response:
    query, language = read_query(request, PlayersPageQuery, from_form=True), page_language(request)
    said = directing_words(language)
    one = None if query.player is None else await _player(request, query.player)
    values = {
        "words": said,
        "day": partial(day_of, zone=services_of(request).time_zone),
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
        also=(f"words/director.{language}.js",),
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
