"""The table: what lies on it now, at any position or moment, through any eyes that the caller may have."""

import asyncio
from uuid import UUID

from litestar.params import FromPath

from api.common.reading import (
    FOR_EVER,
    NO_CACHE,
    eyes,
    line_of,
    named,
    table_of,
    tagged,
)
from api.common.rulebooks import view_of
from api.http.errors import BadRequest
from api.http.fields import TableQuery
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
)
from api.http.query import query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from api.http.schemas import STATE_VIEW
from domain.errors import Unknown
from domain.game import Game
from domain.sight import masked


@reads(
    "/v1/games/{game:uuid}/table",
    Operation(
        id="read_table",
        tag="Reading",
        summary="The state view, now or at any position or moment",
        description="`Content-Location` names the position and the view that are shown. Cards that the view may not see are `?`.",
        query=TableQuery,
        answers={200: Content("the state view of the ruleset", {JSON: STATE_VIEW}, headers=("ETag", "Content-Location"))},
        refuses=(403, 404),
        headers=("If-None-Match",),
    ),
)
async def read_table(request: Asked, game: FromPath[UUID]) -> Answer:
    wanted = query(request, TableQuery)
    now = await house_of(request).journal.held(game)
    position = await _position(request, now, wanted)
    who = eyes(request, now, position, wanted.view)
    table = masked(await table_of(request, now, position), now.viewer(who, position))
    return tagged(
        request,
        f"{position}.{named(who)}.{'open' if now.is_open(position) else 'closed'}.json",
        lambda: encoded(view_of(house_of(request).rulesets, table)),
        cache=FOR_EVER if position < now.position and now.is_open(position) else NO_CACHE,
        headers=[("content-location", f"/v1/games/{game}/table?position={position}&view={named(who)}")],
    )


async def _position(asked: Asked, game: Game, wanted: TableQuery) -> int:
    """Raises ``BadRequest`` and ``Unknown``."""
    if wanted.at is None:
        return wanted.position or game.position
    if wanted.position is not None:
        raise BadRequest("bad_parameter", "either a position or a moment", "at")
    position = await asyncio.to_thread(line_of(asked, game.id).position_at, wanted.at, game.position)
    if position == 0:
        raise Unknown("position", f"at {wanted.at.isoformat()}: the game was opened later")
    return position
