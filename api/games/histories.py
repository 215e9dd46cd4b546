"""Histories: every recorded event as the caller may see it, what rewinds made void marked as such."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from uuid import UUID

from litestar.params import FromPath

from api.common.commands import sees
from api.common.event_views import told_all
from api.common.reading import line_of, next_link, tagged
from api.http.answers import History, Told
from api.http.fields import HistoryQuery
from api.http.negotiation import media_type
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
)
from api.http.query import query
from api.http.response import (
    NDJSON,
    Answer,
    Asked,
    Streamed,
    encoded,
    header,
    house_of,
)
from domain.game import Game

_CHUNK = 500


@reads(
    "/v1/games/{game:uuid}/history",
    Operation(
        id="read_history",
        tag="Reading",
        summary="The recorded events, oldest first",
        description="A page as JSON, or with `Accept: application/x-ndjson` all from there on, one a line, whatever `limit` says.",
        query=HistoryQuery,
        answers={200: Content("events", {JSON: History, NDJSON: Told}, headers=("ETag", "Link"))},
        refuses=(404, 406),
        headers=("If-None-Match",),
    ),
)
async def read_history(request: Asked, game: FromPath[UUID]) -> Answer:
    wanted = query(request, HistoryQuery)
    kind = media_type(header(request, b"accept"), (JSON, NDJSON))
    now = await house_of(request).journal.held(game)
    if kind == NDJSON:
        return Streamed(_lines(request, now, wanted.after), media_type=NDJSON, headers=_headers(now))
    page = await asyncio.to_thread(_page, request, now, wanted)
    links = [("link", next_link(request, after=page.next))] if page.next else []
    return tagged(request, f"{now.position}.{sees(request)}.json", lambda: encoded(page), headers=links, vary="accept, authorization")


def _page(asked: Asked, game: Game, wanted: HistoryQuery) -> History:
    events = list(islice(_told(asked, game, wanted.after), wanted.limit))
    last = events[-1].position if events else game.position
    return History(game=game.id, position=game.position, events=events, next=last if last < game.position else None)


def _told(asked: Asked, game: Game, after: int) -> Iterator[Told]:
    return told_all(game, line_of(asked, game.id), sees(asked), after, linked=True)


def _headers(game: Game) -> list[tuple[str, str]]:
    return [("cache-control", "no-cache"), ("vary", "accept, authorization"), ("etag", f'"{game.position}.ndjson"')]


async def _lines(asked: Asked, game: Game, after: int) -> AsyncIterator[bytes]:
    told = await asyncio.to_thread(_told, asked, game, after)
    while chunk := await asyncio.to_thread(_chunk, told):
        yield chunk


def _chunk(told: Iterator[Told]) -> bytes:
    return b"".join(encoded(event) + b"\n" for event in islice(told, _CHUNK))
