"""History of a game: every recorded event as the caller may see it; events that a rewind made void are marked."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from itertools import islice
from uuid import UUID

from litestar.params import FromPath

from api.common.access_audit import record_access
from api.common.event_views import EventView, event_views
from api.common.reading import load_openness_context, openness_tag, past_of
from api.games.responses import History
from api.http.decoding import HistoryQuery, read_query
from api.http.errors import check_position
from api.http.guards import stream_response
from api.http.media_types import JSON, NDJSON
from api.http.operations import Content, Operation, reads
from api.http.paging import page_before, page_links
from api.http.request import Request, header, media_type, services_of
from api.http.response import Response, build_etag_response, encode, lines_of
from domain.game import Game
from domain.moves import viewpoint_of
from domain.opening import OpennessContext


@reads(
    "/v1/games/{game:uuid}/history",
    Operation(
        id="read_history",
        tag="Reading",
        summary="Read a game's history, oldest event first",
        description=(
            "JSON comes page by page. With `Accept: application/x-ndjson` all events from there on come, one a line, regardless of `limit`."
        ),
        query=HistoryQuery,
        responses={200: Content("events", {JSON: History, NDJSON: EventView}, headers=("ETag", "Link"))},
        refuses=(406,),
    ),
)
async def read_history(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, HistoryQuery)
    kind = media_type(header(request, b"accept"), (JSON, NDJSON))
    now = await services_of(request).journal.current(game)
    check_position(query.after, now.position)
    around = await load_openness_context(request, now)
    record_access(
        request,
        now,
        viewpoint_of(request.user, now),
        around,
        query.after + 1,
        now.position if kind == NDJSON else query.after + query.limit,
    )
    if kind == NDJSON:
        return stream_response(
            request, _lines(request, now, around, query.after), media_type=NDJSON, headers=_headers(request, now, around)
        )
    page = await asyncio.to_thread(_page, request, now, around, query)
    links = page_links(request, {"after": page.after}, page_before(query.after, query.limit))
    return build_etag_response(
        request, f"{_state(request, now, around)}.json", lambda: encode(page), headers=links, vary="accept, authorization"
    )


def _state(request: Request, game: Game, around: OpennessContext) -> str:
    return f"{game.position}.{viewpoint_of(request.user, game)}{openness_tag(game, around)}"


def _page(request: Request, game: Game, around: OpennessContext, query: HistoryQuery) -> History:
    events = list(islice(_views(request, game, around, query.after), query.limit))
    last = events[-1].position if events else game.position
    return History(game=game.id, position=game.position, events=events, after=last if last < game.position else None)


def _views(request: Request, game: Game, around: OpennessContext, after: int) -> Iterator[EventView]:
    return event_views(game, past_of(request, game.id), viewpoint_of(request.user, game), around, after, linked=True)


def _headers(request: Request, game: Game, around: OpennessContext) -> list[tuple[str, str]]:
    return [
        ("cache-control", "no-cache"),
        ("vary", "accept, authorization"),
        ("etag", f'"{_state(request, game, around)}.ndjson"'),
    ]


async def _lines(request: Request, game: Game, around: OpennessContext, after: int) -> AsyncGenerator[bytes, None]:
    told = await asyncio.to_thread(_views, request, game, around, after)
    while piece := await asyncio.to_thread(lines_of, told):
        yield piece
