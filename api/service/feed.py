"""The feed of all recorded events, for clients that keep a copy or follow the service."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Hashable
from functools import partial
from typing import Annotated, TypeAlias
from uuid import UUID

from msgspec import Meta, Struct

from api.common.consistency import check_recorded, filter_visible, wait_for_visibility
from api.common.lists import build_list_response
from api.common.live.change_feed import EVERYTHING, ChangeSignal, SharedReads, SubscriberQueue, change_feed_of
from api.common.live.event_stream import BEAT, HEARTBEAT, EventStream, last_event_id, message
from api.http.decoding import Incoming, Limit, MinSequence, Name, Whole, read_query
from api.http.errors import BadRequest, say
from api.http.guards import repeat_authentication, stream_response
from api.http.limits import more_time
from api.http.media_types import EVENT_STREAM, JSON, NDJSON
from api.http.operations import Content, reads
from api.http.paging import epoch_of, name_epoch, next_links, same_epoch
from api.http.places import visibility_of
from api.http.request import Request, header, media_type, part_of, services_of
from api.http.response import NO_CACHE, Response, encode, encode_lines
from api.service.responses import Feed
from api.services import Services
from domain.journal.feed import EVENT_NAMES, Among, FeedEntry, FeedPage, StreamKind, both, feed_page, of_tournament, topics_of
from domain.tournament.tournament import tournament_stream
from projections.models.game_index import GAME_INDEX, opens_next
from projections.models.reading import filter_tournaments

# The streams of the feed that the caller may know of.


def visible_in_feed(request: Request) -> Among | None:
    """Return the filter of streams; ``None`` where it is all of them. Call it in a thread, after ``wait_for_visibility``."""
    return filter_visible(services_of(request).store, visibility_of(request))


def is_visible(request: Request, tournament: str) -> bool:
    """Return whether the caller may know of a tournament. Call it like ``visible_in_feed``."""
    reach = visibility_of(request)
    return reach.whole or tournament in filter_tournaments(services_of(request).store, reach, {tournament})


# The filters of a reader and their reach, combined in one function.


Look: TypeAlias = Callable[[int, int, int], FeedPage]
"""Returns the page after a sequence and until another, with a maximum of entries. Called in a thread, after ``wait_for_visibility``."""


def parse_filter(
    request: Request,
    kind: StreamKind | None = None,
    topics: Collection[str] = (),
    game: UUID | None = None,
    tournament: str | None = None,
) -> Look:
    """Return the function. All filters that are given must hold. ``tournament``: its own events and those of its games."""
    services = services_of(request)
    among = both(visible_in_feed(request), None if tournament is None else of_tournament(tournament))
    look = partial(feed_page, services.journal.store, kind, topics, game=game, among=among)
    if tournament is None or game is not None:
        return look
    return partial(_of_tournament, request, look, tournament)


def _of_tournament(request: Request, look: Look, tournament: str, after: int, until: int, limit: int) -> FeedPage:
    """Return a page of a tournament; an empty one for callers who may not know of it, so that they do not learn where its events lie."""
    if not is_visible(request, tournament):
        return FeedPage((), max(after, until))
    return look(min(until, _begins_next(services_of(request), tournament, after)), until, limit)


def _begins_next(services: Services, tournament: str, after: int) -> int:
    """Return the sequence beyond which events of the tournament may lie, so that the events of others before it need not be read.

    Events that the index of games does not contain yet are searched; where the index is of another epoch, or being filled, all events are.
    """
    if not services.projector.readable(GAME_INDEX.name):
        return after
    own = [sequence - 1 for sequence in services.journal.store.select_sequences(tournament_stream(tournament)) if sequence > after]
    return max(after, min([opens_next(services.store, tournament, after), *own[:1]]))


# The feed as server-sent events: each entry as soon as it is committed, with its sequence as id.


_SENT_AT_ONCE = 200  # entries sent at a time


async def feed_messages(
    request: Request, look: Look, whose: Hashable, place: int, as_of: int | None, mail: SubscriberQueue
) -> AsyncGenerator[bytes, None]:
    """Yield the feed as server-sent events. ``as_of``: the sequence with which it ends.

    ``whose`` names everything that the look depends on: equal requests share one read.
    """
    news, shared = change_feed_of(request), part_of(request.app, SharedReads).streams
    while mail.over is None:
        head = max(news.head, place)
        if news.head < 0:
            head = await asyncio.to_thread(services_of(request).journal.head)
        head = head if as_of is None else min(head, as_of)
        while place < head and mail.over is None:
            key = (services_of(request).journal.store.epoch.id, whose, place, head)
            found = await shared.once(key, partial(_read, request, look, place, head))
            if found.entries:
                yield b"".join(message(encode(entry), id=entry.sequence) for entry in found.entries)
            place = found.reached
        if as_of is not None and place >= as_of:
            mail.end("told")
        elif news.head <= place and not await mail.wait(HEARTBEAT):
            yield BEAT


async def _read(request: Request, look: Look, place: int, head: int) -> FeedPage:
    await wait_for_visibility(request)
    return await asyncio.to_thread(look, place, head, _SENT_AT_ONCE)


# The filters of the feed.


_NAMES = {"enum": list(EVENT_NAMES)}


class FeedQuery(Incoming, frozen=True, kw_only=True):
    """The place to continue from, and filters."""

    after: Annotated[Whole, Meta(description="only events after this sequence; `next` of the earlier page")] = 0
    limit: Limit = 100
    kind: Annotated[
        StreamKind | None, Meta(description="only events of games, of tournaments, of players, of series, or of rating lists")
    ] = None
    name: (
        Annotated[
            Name, Meta(description="of the events; without a version all of them", examples=["game.opened"], extra_json_schema=_NAMES)
        ]
        | None
    ) = None
    game: Annotated[UUID | None, Meta(description="only events of this game")] = None
    tournament: Annotated[Name, Meta(description="only events of this tournament, and of all its games")] | None = None
    as_of: Annotated[Whole | None, Meta(description="nothing beyond this sequence")] = None
    min_sequence: MinSequence = None
    epoch: Annotated[Name, Meta(description="the epoch in which the client received `after`; 409 if another one has begun")] | None = None
    wait: Annotated[int, Meta(ge=0, le=30, description="seconds to wait while there is nothing")] = 0


_VARY = "accept, authorization"
_CHUNK = 200  # entries of a stream read at a time: about one piece
_LOOK_AGAIN = 2.0  # seconds of waiting after which the token is checked again


class _Piece(Struct, frozen=True):
    """A page of the feed, the sequence where it ends for this request, and the newest of all."""

    found: FeedPage
    until: int
    head: int


@reads(
    "/v1/feed",
    "read_feed",
    "List everything that is recorded, in the order of the commits",
    tag="Reading",
    description=(
        "JSON comes page by page. With `Accept: application/x-ndjson` all events up to the newest come, one a line, "
        "regardless of `limit`. `Link` names the next page. An event must match all given filters. With a filter a page "
        "may be empty and still have a next one. With `wait` the answer comes as soon as there is a new event. With "
        "`Accept: text/event-stream` all come as server-sent events, each as soon as it is recorded, with its sequence as "
        "id."
    ),
    query=FeedQuery,
    responses={200: Content("entries", {JSON: Feed, NDJSON: FeedEntry, EVENT_STREAM: FeedEntry}, headers=("ETag", "Link"))},
    refuses=(406,),
    headers=("Last-Event-ID",),
    within="lists",
)
async def read_feed(request: Request) -> Response:
    query = read_query(request, FeedQuery)
    more_time(request, query.wait)
    if query.after or query.as_of:
        await name_epoch(request)
    look = parse_filter(request, query.kind, _topics(query.name), query.game, query.tournament)
    media, last = media_type(header(request, b"accept"), (JSON, NDJSON, EVENT_STREAM)), last_event_id(request)
    if media == EVENT_STREAM:
        return await _stream(request, query, look, last)
    if media == NDJSON:
        piece = await _first(request, query, look, _CHUNK)
        lines = _lines(request, look, _lines_of(piece.found), piece.until)
        return stream_response(
            request, lines, media_type=NDJSON, headers=[("cache-control", NO_CACHE), ("vary", _VARY), *_links(request, piece.until)]
        )
    piece = await _first(request, query, look, query.limit)
    page = Feed(entries=piece.found.entries, after=piece.found.reached, head=piece.head, epoch=epoch_of(request).id)
    return build_list_response(request, encode(page), _links(request, page.after if page.after < piece.until else None), _VARY)


async def _stream(request: Request, query: FeedQuery, look: Look, gone_on: int | None) -> Response:
    """Return the feed as a stream. ``gone_on``: the id of the last message that was received."""
    if gone_on:
        await name_epoch(request)
    after = query.after if gone_on is None else gone_on
    await check_recorded(request, {"after": after, "as_of": query.as_of, "min_sequence": query.min_sequence})
    whose = (visibility_of(request), query.kind, query.name, query.game, query.tournament)
    topic = query.game or query.tournament or EVERYTHING
    return EventStream(request, partial(feed_messages, request, look, whose, after, query.as_of), topic, within="lists")


def _topics(name: str | None) -> tuple[str, ...]:
    """Return the names of events. Raises ``BadRequest`` for an unknown one: a client with a misspelt name would wait for nothing."""
    topics = topics_of(name) if name is not None else ()
    if name is not None and not topics:
        raise BadRequest("bad_parameter", say("event_unknown", name=name), "name")
    return topics


def _links(request: Request, after: int | None) -> list[tuple[str, str]]:
    epoch = None if after is None else epoch_of(request).id
    return next_links(request, after=after, epoch=epoch)


async def _first(request: Request, query: FeedQuery, look: Look, limit: int) -> _Piece:
    """Return the first page that holds something; an empty one on timeout. Raises ``FuturePositionError`` for what is not recorded yet."""
    loop, after = asyncio.get_running_loop(), query.after
    end = loop.time() + query.wait
    head = await check_recorded(request, {"after": query.after, "as_of": query.as_of, "min_sequence": query.min_sequence})
    while True:
        until = head if query.as_of is None else max(query.after, query.as_of)
        await wait_for_visibility(request)
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
    """Wait for an event beyond ``head``; return False on timeout (``left``, in seconds).

    Raises ``AuthenticationError`` soon after the token is revoked, and ``EpochChanged``.
    """
    while left > 0:
        news = await part_of(request.app, ChangeSignal).wait_past(head, min(left, _LOOK_AGAIN))
        await repeat_authentication(request)
        await same_epoch(request)
        if news:
            return True
        left -= _LOOK_AGAIN
    return False


class _Lines(Struct, frozen=True):
    """Encoded entries, and the sequence reached. The entries themselves would take twice the memory."""

    body: bytes
    reached: int


async def _lines(request: Request, look: Look, first: _Lines, until: int) -> AsyncGenerator[bytes, None]:
    """Yield the lines from the first ones to the end, with one piece in memory at a time. Breaks off where another epoch begins."""
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
    return _Lines(encode_lines(found.entries), found.reached)
