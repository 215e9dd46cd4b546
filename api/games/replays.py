"""Replay: a game frame by frame, each with a caption, its effects and the table after it, for any viewer that the caller may be."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from uuid import UUID

from litestar.params import FromPath

from api.common.around import around_of, around_tag
from api.common.live.waiting import beyond
from api.common.looks import note_look
from api.common.reading import past_of, viewer_for
from api.games.frames import Show, frame_maker
from api.games.requests import ReplayQuery
from api.games.responses import Replay, ReplayFrame
from api.http.errors import BadRequest, check_position, say
from api.http.etag import FOR_AN_HOUR, NO_CACHE, is_known, respond_with_etag
from api.http.guards import streamed
from api.http.media_types import JSON, NDJSON
from api.http.negotiation import media_type
from api.http.operations import Content, Operation, reads
from api.http.paging import page_links
from api.http.query import read_query
from api.http.request import Request, header, language_of, services_of
from api.http.response import Response, encode, lines_of
from domain.game import Game
from domain.openness.around import Around
from domain.sight import Eyes
from replay.past import GameStep
from replay.selection import FramesPage, Selection, page_after, page_before, positions_of

_VARY = "accept, accept-language, authorization"


@reads(
    "/v1/games/{game:uuid}/replay",
    Operation(
        id="read_replay",
        tag="Reading",
        summary="The game frame by frame: what happened, in a sentence and in effects, and the table after it",
        description=(
            "A page as JSON, forwards with `after` or backwards with `before`; or with `Accept: application/x-ndjson` all frames, one a "
            "line, whatever `limit` says. `hand`, `seat` (who made the move), `from` and `to` (positions) choose among them. Captions "
            "are in the language of `Accept-Language`. Cards that the view may not see are `?`, and no caption names them. "
            "With `wait` the answer comes as soon as something was recorded after `after`."
        ),
        query=ReplayQuery,
        responses={200: Content("frames", {JSON: Replay, NDJSON: ReplayFrame}, headers=("ETag", "Link"))},
        refuses=(403, 404, 406, 503),
        headers=("If-None-Match", "Accept-Language"),
    ),
)
async def read_replay(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, ReplayQuery)
    if query.after is not None and query.before is not None:
        raise BadRequest("bad_parameter", say("after_or_before"), "before")
    kind = media_type(header(request, b"accept"), (JSON, NDJSON))
    now = await services_of(request).journal.current(game)
    check_position(query.after or 0, now.position)
    if query.wait and query.before is None:
        now = await beyond(request, now, query.after or 0, query.wait)
    around, spoken = await around_of(request, now), language_of(request)
    is_open = now.is_open_through(_end(query, now), around)
    who = viewer_for(request, now, query.view, is_open=is_open)
    note_look(request, now, who, around, *_shown(query, now, who, whole=kind == NDJSON))
    etag = f"{now.position}.{who}.{'open' if is_open else 'closed'}{around_tag(now, around)}.{spoken}"
    said, show = ("content-language", spoken), frame_maker(services_of(request).rulesets, now, who, around, spoken)
    if kind == NDJSON:
        headers = [("etag", f'"{etag}.ndjson"'), ("cache-control", NO_CACHE), ("vary", _VARY), said]
        return streamed(request, _lines(map(show, _all(request, now, who, query))), media_type=NDJSON, headers=headers)
    known = is_known(request, f"{etag}.json")
    body, links = (b"", []) if known else await asyncio.to_thread(_page, request, now, who, query, show)
    headers = [said, *links]
    return respond_with_etag(request, f"{etag}.json", lambda: body, cache=_cache(query, now, around), headers=headers, vary=_VARY)


def _end(query: ReplayQuery, now: Game) -> int:
    """The last position that can be shown."""
    ends = [now.position, query.to, query.before and query.before - 1]
    return max(1, min(end for end in ends if end is not None))


def _cache(query: ReplayQuery, now: Game, around: Around) -> str:
    """What is past and open for good may be kept, but not for ever: a ruling may still mark it void."""
    end = _end(query, now)
    if query.before is None and query.hand is None and query.seat is None:
        end = min(end, max(query.after or 0, query.from_ - 1) + query.limit)
    return FOR_AN_HOUR if end < now.position and now.is_open_for_good(end, around) else NO_CACHE


def _selection(query: ReplayQuery, now: Game, eyes: Eyes) -> Selection:
    first, last = (1, now.position) if query.hand is None else positions_of(now, query.hand)
    last = last if query.to is None else min(query.to, last)
    return Selection(max(query.from_, first), last, query.hand, query.seat, now.dark_from(eyes))


def _shown(query: ReplayQuery, now: Game, eyes: Eyes, *, whole: bool) -> tuple[int, int]:
    """The first and the last position that can be shown. Of a page of chosen frames nobody knows beforehand how far it goes."""
    chosen = _selection(query, now, eyes)
    first, last = max(chosen.first, (query.after or 0) + 1), min(chosen.last, _end(query, now))
    if whole or query.hand is not None or query.seat is not None:
        return first, last
    return (first, min(last, first + query.limit - 1)) if query.before is None else (max(first, last - query.limit + 1), last)


def _page(request: Request, now: Game, eyes: Eyes, query: ReplayQuery, show: Show) -> tuple[bytes, list[tuple[str, str]]]:
    line, selection = past_of(request, now.id), _selection(query, now, eyes)
    if query.before is not None:
        page = page_before(line, selection, min(query.before, now.position + 1), query.limit)
    else:
        page = page_after(line, selection, query.after or 0, query.limit)
    following, previous = _neighbours(page)
    frames = list(map(show, page.steps))
    replay = Replay(game=now.id, position=now.position, view=eyes.view, frames=frames, next=following, previous=previous)
    return encode(replay), page_links(request, {"after": following, "before": None}, {"before": previous, "after": None})


def _neighbours(page: FramesPage) -> tuple[int | None, int | None]:
    if not page.steps:
        return None, None
    first, last = page.steps[0].recorded.position, page.steps[-1].recorded.position
    return last if page.newer else None, first if page.older else None


async def _lines(frames: Iterator[ReplayFrame]) -> AsyncGenerator[bytes, None]:
    while piece := await asyncio.to_thread(lines_of, frames):
        yield piece


def _all(request: Request, now: Game, eyes: Eyes, query: ReplayQuery) -> Iterator[GameStep]:
    found = _selection(query, now, eyes).after(past_of(request, now.id), query.after or 0)
    last = query.before or now.position + 1
    return (step for step in found if step.recorded.position < last)
