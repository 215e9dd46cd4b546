"""Replay: a game frame by frame, each with a caption, its effects and the table after it, through any eyes that the caller may have."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from uuid import UUID

from litestar.params import FromPath

from api.common.reading import (
    FOR_AN_HOUR,
    NO_CACHE,
    eyes,
    line_of,
    link,
    named,
    tagged,
)
from api.games.frames import Show, shower
from api.http.answers import Replay, ReplayFrame
from api.http.errors import BadRequest
from api.http.fields import ReplayQuery
from api.http.negotiation import is_known, language, media_type
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
from replay.lines import Step
from replay.selection import Page, Selection, page_after, page_before, stretch_of

_CHUNK = 100
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
            "are English or German. Cards that the view may not see are `?`, and no caption names them."
        ),
        query=ReplayQuery,
        answers={200: Content("frames", {JSON: Replay, NDJSON: ReplayFrame}, headers=("ETag", "Link"))},
        refuses=(403, 404, 406),
        headers=("If-None-Match", "Accept-Language"),
    ),
)
async def read_replay(request: Asked, game: FromPath[UUID]) -> Answer:
    wanted = query(request, ReplayQuery)
    if wanted.after is not None and wanted.before is not None:
        raise BadRequest("bad_parameter", "either after a position or before one", "before")
    kind = media_type(header(request, b"accept"), (JSON, NDJSON))
    now = await house_of(request).journal.held(game)
    who, spoken = eyes(request, now, _end(wanted, now), wanted.view), language(header(request, b"accept-language"))
    etag = f"{now.position}.{named(who)}.{'open' if now.is_open(_end(wanted, now)) else 'closed'}.{spoken}"
    said, show = ("content-language", spoken), shower(house_of(request).rulesets, now, who, spoken)
    if kind == NDJSON:
        headers = [("etag", f'"{etag}.ndjson"'), ("cache-control", NO_CACHE), ("vary", _VARY), said]
        return Streamed(_lines(map(show, _all(request, now, wanted))), media_type=NDJSON, headers=headers)
    known = is_known(header(request, b"if-none-match"), f'"{etag}.json"')
    body, links = (b"", "") if known else await asyncio.to_thread(_page, request, now, named(who), wanted, show)
    headers = [said, *([("link", links)] if links else [])]
    return tagged(request, f"{etag}.json", lambda: body, cache=_cache(wanted, now), headers=headers, vary=_VARY)


def _end(wanted: ReplayQuery, now: Game) -> int:
    """The last position that can be shown: what is open there is open before it, too."""
    ends = [now.position, wanted.to, wanted.before and wanted.before - 1]
    return max(1, min(end for end in ends if end is not None))


def _cache(wanted: ReplayQuery, now: Game) -> str:
    """What is past and open to everybody may be kept, but not for ever: a ruling may still mark it void."""
    end = _end(wanted, now)
    if wanted.before is None and wanted.hand is None and wanted.seat is None:
        end = min(end, max(wanted.after or 0, wanted.from_ - 1) + wanted.limit)
    return FOR_AN_HOUR if end < now.position and now.is_open(_end(wanted, now)) else NO_CACHE


def _selection(wanted: ReplayQuery, now: Game) -> Selection:
    first, last = (1, now.position) if wanted.hand is None else stretch_of(now, wanted.hand)
    last = last if wanted.to is None else min(wanted.to, last)
    return Selection(max(wanted.from_, first), last, wanted.hand, wanted.seat)


def _page(asked: Asked, now: Game, view: str, wanted: ReplayQuery, show: Show) -> tuple[bytes, str]:
    line, selection = line_of(asked, now.id), _selection(wanted, now)
    if wanted.before is not None:
        page = page_before(line, selection, min(wanted.before, now.position + 1), wanted.limit)
    else:
        page = page_after(line, selection, min(wanted.after or 0, now.position), wanted.limit)
    following, previous = _neighbours(page)
    frames = list(map(show, page.steps))
    replay = Replay(game=now.id, position=now.position, view=view, frames=frames, next=following, previous=previous)
    links = [link(asked, "next", after=following, before=None)] if following else []
    links += [link(asked, "prev", before=previous, after=None)] if previous else []
    return encoded(replay), ", ".join(links)


def _neighbours(page: Page) -> tuple[int | None, int | None]:
    if not page.steps:
        return None, None
    first, last = page.steps[0].recorded.position, page.steps[-1].recorded.position
    return last if page.newer else None, first if page.older else None


async def _lines(frames: Iterator[ReplayFrame]) -> AsyncIterator[bytes]:
    while chunk := await asyncio.to_thread(_chunk, frames):
        yield chunk


def _all(asked: Asked, now: Game, wanted: ReplayQuery) -> Iterator[Step]:
    found = _selection(wanted, now).after(line_of(asked, now.id), wanted.after or 0)
    last = wanted.before or now.position + 1
    return (step for step in found if step.recorded.position < last)


def _chunk(frames: Iterator[ReplayFrame]) -> bytes:
    return b"".join(encoded(frame) + b"\n" for frame in islice(frames, _CHUNK))
