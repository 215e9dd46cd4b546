"""The table of a game, now or at any position or moment, for any viewer that the caller may be."""

import asyncio
from typing import Any
from uuid import UUID

import msgspec
from litestar.params import FromPath

from api.common.access_audit import record_access
from api.common.lists import build_list_response
from api.common.reading import load_openness_context, openness_tag, past_of, table_of, viewer_for
from api.common.rulebooks import view_of
from api.games.lines import STATE_VIEW
from api.games.moves import read_parts
from api.games.requests import TableQuery
from api.http.decoding import read_query
from api.http.errors import BadRequest, say
from api.http.operations import Content, reads
from api.http.request import Request, services_of
from api.http.response import FOR_EVER, NO_CACHE, Response, build_etag_response, encode, format_time
from domain import texts
from domain.errors import Unknown
from domain.game import Game
from domain.sight import Viewer, Viewpoint, masked


@reads(
    "/v1/games/{game:uuid}/table",
    "read_table",
    "Read the table of a game, now or at any position or moment",
    tag="Reading",
    description=(
        "`Content-Location` names the position and the view that are shown. Cards that the view may not see are `?`. `included` has "
        "the parts of `include`, as their own addresses answer you at this position, whatever the `view`."
    ),
    query=TableQuery,
    responses={200: Content("the state view of the ruleset", STATE_VIEW, headers=("ETag", "Content-Location"))},
    refuses=(403,),
)
async def read_table(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, TableQuery)
    now = await services_of(request).journal.current(game)
    position = await _position(request, now, query)
    around = await load_openness_context(request, now)
    is_open = now.is_open(position, around)
    who = viewer_for(request, now, query.view, is_open=is_open)
    viewer = now.viewer(who, position, around)
    record_access(request, now, who, around, position, position)
    table = await table_of(request, now, position)

    def view() -> dict[str, Any]:
        return view_of(services_of(request).rulesets, masked(table, viewer), viewer)

    location = ("content-location", f"/v1/games/{game}/table?position={position}&view={Viewpoint(viewer.who).view}")
    if query.include is not None:
        body = encode(msgspec.to_builtins(view()) | {"included": await read_parts(request, game, position, query.include)})
        return build_list_response(request, body, [location], "accept-language, authorization")
    return build_etag_response(
        request,
        f"{position}.{who}.{_state(viewer)}{openness_tag(now, around)}.json",
        lambda: encode(view()),
        # A rewind by a ruling closes what is open, unless the game has ended for good.
        cache=FOR_EVER if position < now.position and now.is_open_forever(position, around) else NO_CACHE,
        headers=[location],
    )


def _state(viewer: Viewer) -> str:
    return "open" if viewer.open else "dark" if viewer.dark else "closed"


async def _position(request: Request, game: Game, query: TableQuery) -> int:
    """Return the requested position. Raises ``BadRequest`` and ``Unknown``."""
    if query.at is None:
        return query.position or game.position
    if query.position is not None:
        raise BadRequest("bad_parameter", say("position_or_moment"), "at")
    position = await asyncio.to_thread(past_of(request, game.id).position_at, query.at, game.position)
    if position == 0:
        raise Unknown("position", None, texts.say("unknown.position_then", key=format_time(query.at)))
    return position
