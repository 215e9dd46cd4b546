"""The feed of everything that is recorded: what happened where, for those who keep a copy or follow the service."""

import asyncio
from collections.abc import AsyncGenerator
from functools import partial
from typing import cast

import msgspec
from msgspec import Struct

from api.common.change_signal import ChangeSignal
from api.common.freshness import check_recorded
from api.common.lists import listed
from api.common.live.event_stream import EventStream, last_event_id
from api.common.live.news import EVERYTHING
from api.common.reaching import wait_for_reach
from api.http.errors import BadRequest, say
from api.http.etag import NO_CACHE
from api.http.guards import still_admitted, streamed
from api.http.limits import more_time
from api.http.media_types import EVENT_STREAM, JSON, NDJSON
from api.http.negotiation import media_type
from api.http.operations import Content, Operation, reads
from api.http.paging import epoch_of, name_epoch, next_links, same_epoch
from api.http.places import reach_of
from api.http.query import read_query
from api.http.request import Request, header, services_of
from api.http.response import Response, encode
from api.service.feed_filters import Look, look_for
from api.service.feed_stream import feed_messages
from api.service.requests import FeedQuery
from api.service.responses import Feed
from domain.journal.feed import FeedEntry, FeedPage, topics_of

_VARY = "accept, authorization"
_CHUNK = 200  # entries of a stream read at a time: about a piece
_LOOK_AGAIN = 2.0  # seconds of waiting after which the token is looked up again
_ENCODER = msgspec.json.Encoder()


class _Piece(Struct, frozen=True):
    """A page of the feed, the sequence where it ends for this question, and the newest of all."""

    found: FeedPage
    until: int
    head: int


@reads(
    "/v1/feed",
    Operation(
        id="read_feed",
        tag="Reading",
        summary="Everything that is recorded, in the order of the commits",
        description=(
            "A page as JSON, or with `Accept: application/x-ndjson` all up to the newest event, one a line, whatever `limit` says. "
            "`Link` names where to go on. All filters given must hold. With a filter a page may be empty and still have a next one. "
            "With `wait` the answer comes as soon as there is something to tell; with `Accept: text/event-stream` all comes as "
            "server-sent events, each as soon as it is recorded, with its sequence as id."
        ),
        query=FeedQuery,
        responses={200: Content("entries", {JSON: Feed, NDJSON: FeedEntry, EVENT_STREAM: FeedEntry}, headers=("ETag", "Link"))},
        refuses=(406, 503),
        headers=("If-None-Match", "Last-Event-ID"),
        within="lists",
    ),
)
async def read_feed(request: Request) -> Response:
    query = read_query(request, FeedQuery)
    more_time(request, query.wait)
    if query.after or query.as_of:
        await name_epoch(request)
    look = look_for(request, query.kind, _topics(query.name), query.game, query.tournament)
    media, last = media_type(header(request, b"accept"), (JSON, NDJSON, EVENT_STREAM)), last_event_id(request)
    if media == EVENT_STREAM:
        return await _stream(request, query, look, last)
    if media == NDJSON:
        piece = await _first(request, query, look, _CHUNK)
        lines = _lines(request, look, _lines_of(piece.found), piece.until)
        return streamed(
            request, lines, media_type=NDJSON, headers=[("cache-control", NO_CACHE), ("vary", _VARY), *_links(request, piece.until)]
        )
    piece = await _first(request, query, look, query.limit)
    page = Feed(entries=piece.found.entries, next=piece.found.reached, head=piece.head, epoch=epoch_of(request).id)
    return listed(request, encode(page), _links(request, page.next if page.next < piece.until else None), _VARY)


async def _stream(request: Request, query: FeedQuery, look: Look, gone_on: int | None) -> Response:
    """``gone_on``: the id of the last message that was received."""
    if gone_on:
        await name_epoch(request)
    after = query.after if gone_on is None else gone_on
    await check_recorded(request, {"after": after, "as_of": query.as_of, "min_sequence": query.min_sequence})
    whose = (reach_of(request), query.kind, query.name, query.game, query.tournament)
    topic = query.game or query.tournament or EVERYTHING
    return EventStream(request, partial(feed_messages, request, look, whose, after, query.as_of), topic, within="lists")


def _topics(name: str | None) -> tuple[str, ...]:
    """Raises ``BadRequest`` for a name that no event has: a misspelt one would be waited for in vain."""
    topics = topics_of(name) if name is not None else ()
    if name is not None and not topics:
        raise BadRequest("bad_parameter", say("event_unknown", name=name), "name")
    return topics


def _links(request: Request, after: int | None) -> list[tuple[str, str]]:
    epoch = None if after is None else epoch_of(request).id
    return next_links(request, after=after, epoch=epoch)


async def _first(request: Request, query: FeedQuery, look: Look, limit: int) -> _Piece:
    """The first page that holds something; an empty one when the time is up. Raises ``Ahead`` for what is not recorded yet."""
    loop, after = asyncio.get_running_loop(), query.after
    end = loop.time() + query.wait
    head = await check_recorded(request, {"after": query.after, "as_of": query.as_of, "min_sequence": query.min_sequence})
    while True:
        until = head if query.as_of is None else max(query.after, query.as_of)
        await wait_for_reach(request)
        found = await asyncio.to_thread(look, after, until, limit)
        await same_epoch(request)
        left = end - loop.time()
        if found.entries or left <= 0 or (query.as_of is not None and found.reached == until):
            return _Piece(found, until, head)
        after = found.reached
        if after >= head and not await _news(request, head, left):
            return _Piece(found, until, head)
        head = await asyncio.to_thread(services_of(request).journal.head)


async def _news(request: Request, head: int, left: float) -> bool:
    """Whether something is recorded beyond ``head`` before the time is up.

    Raises ``Unauthenticated`` soon after the token is revoked, and ``EpochChanged``.
    """
    while left > 0:
        news = await _pulse(request).beyond(head, min(left, _LOOK_AGAIN))
        await still_admitted(request)
        await same_epoch(request)
        if news:
            return True
        left -= _LOOK_AGAIN
    return False


class _Lines(Struct, frozen=True):
    """Entries as lines, and how far they go. The entries themselves would take twice the memory."""

    body: bytes
    reached: int


async def _lines(request: Request, look: Look, first: _Lines, until: int) -> AsyncGenerator[bytes, None]:
    """From the first ones to the end. Holds one piece at a time. Breaks off where another epoch begins."""
    found = first
    del first
    yield found.body
    while found.reached < until:
        found = await asyncio.to_thread(_next_lines, look, found.reached, until)
        await same_epoch(request)
        yield found.body


def _next_lines(look: Look, after: int, until: int) -> _Lines:
    return _lines_of(look(after, until, _CHUNK))


def _lines_of(found: FeedPage) -> _Lines:
    return _Lines(_ENCODER.encode_lines(found.entries), found.reached)


def _pulse(request: Request) -> ChangeSignal:
    return cast(ChangeSignal, request.app.state["pulse"])
