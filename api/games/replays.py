"""Replay: a game frame by frame, each with a caption, its effects and the table after it, for any viewer that the caller may be."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, cast
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.access_audit import record_access
from api.common.live.change_feed import ResponseCoalescer, change_feed_of
from api.common.live.subscription_guard import SubscriptionGuard
from api.common.long_reads import FEW, long_read
from api.common.reading import game_then, load_openness_context, openness_tag, past_of, viewer_for
from api.games.replay_starts import (
    Names,
    bound_positions,
    end_of,
    frame_maker,
    in_turn,
    names_in,
    names_tag,
    place_before,
    selection_of,
    start_maker,
    view_start,
)
from api.games.requests import ReplayQuery
from api.games.responses import Replay, ReplayFrame, TableStart
from api.http.decoding import read_query
from api.http.errors import BadRequest, check_position, say
from api.http.guards import check_subscriber, stream_response
from api.http.limits import more_time
from api.http.media_types import JSON, NDJSON
from api.http.operations import Content, Operation, reads
from api.http.paging import page_links
from api.http.request import Request, header, language_of, media_type, services_of
from api.http.response import FOR_AN_HOUR, NO_CACHE, Response, build_etag_response, encode, is_known, lines_of
from domain.game import Game
from domain.opening import OpennessContext
from domain.sight import Viewpoint, masked
from domain.table import Table
from replay.folding import view_name
from replay.past import GamePast, GameStep
from replay.selection import FramesPage, page_after, page_before

# Requests that wait until something was recorded.


async def wait_past_position(request: Request, game: Game, position: int, seconds: float) -> Game:
    """The game as soon as it has gone beyond the position, else as it is when the time is up. Raises what ``check_subscriber`` raises, soon
    after the caller may not read it any more.
    """
    if game.position > position:
        return game
    more_time(request, seconds)
    news, gate, loop = change_feed_of(request), cast(SubscriptionGuard, request.app.state["gate"]), asyncio.get_running_loop()
    end, journal = loop.time() + seconds, services_of(request).journal
    with news.subscribe(game.id) as mail, gate.watch_request(request, "path", mail):
        followed = news.of(await journal.current(game.id))
        while followed.now.position <= position and mail.over is None and (left := end - loop.time()) > 0:
            if followed.stale:
                followed.update(await asyncio.to_thread(journal.latest_game, game.id))
            else:
                await mail.wait(left)
    if mail.over == "closed":
        await check_subscriber(request, "path")
    return followed.now


_VARY = "accept, accept-language, authorization"


@reads(
    "/v1/games/{game:uuid}/replay",
    Operation(
        id="read_replay",
        tag="Reading",
        summary="Read the replay of a game, frame by frame",
        description=(
            "JSON comes page by page, forwards with `after` or backwards with `before`. With `Accept: application/x-ndjson` "
            "all frames come, one a line, regardless of `limit`. `hand`, `seat` (the one that made the move), `from` and `to` "
            "(positions) filter the frames. Captions are in the language of `Accept-Language`. Cards that the view may not see "
            "are `?`, and no caption names them. With `tables=false` frames hold effects only, and `start` is the table to "
            "fold them on; in NDJSON the first frame holds it. With `names=true` captions also come in pieces, with names to "
            "put in the place of seats. With `wait` the answer comes as soon as something was recorded after `after`."
        ),
        query=ReplayQuery,
        responses={200: Content("frames", {JSON: Replay, NDJSON: ReplayFrame}, headers=("ETag", "Link"))},
        refuses=(403, 406, 503),
        headers=("Accept-Language",),
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
        now = await wait_past_position(request, now, query.after or 0, query.wait)
    around, spoken = await load_openness_context(request, now), language_of(request)
    is_open = now.is_open_through(end_of(query, now), around)
    who = viewer_for(request, now, query.view, is_open=is_open)
    record_access(request, now, who, around, *bound_positions(query, now, who, whole=kind == NDJSON))
    names = await names_in(request, now) if query.names else None
    worded = request.user.has_full_view
    seen = f"{who}{'' if worded else '.wordless'}.{'open' if is_open else 'closed'}{openness_tag(now, around)}"
    etag = f"{now.position}.{seen}.{spoken}{names_tag(names)}"
    said = "content-language", spoken
    asked = _Asked(query, now.id, now.position, who, around, spoken, worded, names)
    if kind == NDJSON:
        headers = [("etag", f'"{etag}.ndjson"'), ("cache-control", NO_CACHE), ("vary", _VARY), said]
        return stream_response(
            request, _lines(_frames(request, asked, now, _all(request, now, who, query))), media_type=NDJSON, headers=headers
        )
    known = is_known(request, f"{etag}.json")
    body, links = (b"", []) if known else await _make_page(request, asked, etag)
    headers = [said, *links]
    return build_etag_response(request, f"{etag}.json", lambda: body, cache=_cache(query, now, around), headers=headers, vary=_VARY)


def _cache(query: ReplayQuery, now: Game, around: OpennessContext) -> str:
    """Return the cache control: past and permanently open frames may be cached, but not permanently, as a ruling may still void them."""
    end = end_of(query, now)
    if query.names:
        return NO_CACHE  # a name may change
    if query.before is None and query.hand is None and query.seat is None:
        end = min(end, max(query.after or 0, query.first - 1) + query.limit)
    return FOR_AN_HOUR if end < now.position and now.is_open_forever(end, around) else NO_CACHE


class _Asked(NamedTuple):
    """``position``: where the game stood."""

    query: ReplayQuery
    id: UUID
    position: int
    eyes: Viewpoint
    around: OpennessContext
    language: str
    worded: bool
    names: Names | None


async def _make_page(request: Request, asked: _Asked, tag: str) -> tuple[bytes, list[tuple[str, str]]]:
    """Return the page. A short one, or one that several clients wait for, is made once for all who see the same."""
    frames = min(asked.query.limit, asked.position)
    make = partial(_page, request, frames, asked)
    if frames > FEW and not asked.query.wait:
        return await make()
    key = (asked.id, tag, request.scope["path"], request.scope["query_string"])
    return await cast(ResponseCoalescer, request.app.state["replays"]).once(key, make)


@long_read("replays")
def _page(request: Request, asked: _Asked) -> tuple[bytes, list[tuple[str, str]]]:
    query, eyes, now = asked.query, asked.eyes, game_then(request, asked.id, asked.position)
    line, selection = past_of(request, now.id), selection_of(query, now, eyes)
    if query.before is not None:
        page = page_before(line, selection, min(query.before, now.position + 1), query.limit)
    else:
        page = page_after(line, selection, query.after or 0, query.limit)
    following, previous = _adjacent_positions(page)
    start = UNSET if query.tables else _start(asked, now, line, page.steps)
    frames = list(_frames(request, asked, now, page.steps, start.position if start else -1))
    replay = Replay(game=now.id, position=now.position, view=eyes.view, start=start, frames=frames, after=following)
    return encode(replay), page_links(request, {"after": following, "before": None}, {"before": previous, "after": None})


def _frames(request: Request, asked: _Asked, now: Game, steps: Iterable[GameStep], started: int = -1) -> Iterator[ReplayFrame]:
    """``started``: at which position the start was told already."""
    query, eyes, around = asked.query, asked.eyes, asked.around
    rulesets = services_of(request).rulesets
    show = frame_maker(rulesets, now, eyes, around, asked.language, worded=asked.worded, tables=query.tables, names=asked.names)
    return map(show, steps) if query.tables else in_turn(show, start_maker(now, eyes, around), steps, started)


def _start(asked: _Asked, now: Game, line: GamePast, steps: Sequence[GameStep]) -> TableStart:
    """The table before the first of the steps; where there is none, before the first that there could be."""
    eyes, around = asked.eyes, asked.around
    if steps:
        return start_maker(now, eyes, around)(steps[0])
    position = place_before(asked.query, now, eyes)
    viewer = now.viewer(eyes, max(position, 1), around)
    table = line.at(position, now.position) if position else Table(now.setup)
    return view_start(position, masked(table, viewer), view_name(viewer))


def _adjacent_positions(page: FramesPage) -> tuple[int | None, int | None]:
    if not page.steps:
        return None, None
    first, last = page.steps[0].recorded.position, page.steps[-1].recorded.position
    return last if page.newer else None, first if page.older else None


async def _lines(frames: Iterator[ReplayFrame]) -> AsyncGenerator[bytes, None]:
    while piece := await asyncio.to_thread(lines_of, frames):
        yield piece


def _all(request: Request, now: Game, eyes: Viewpoint, query: ReplayQuery) -> Iterator[GameStep]:
    found = selection_of(query, now, eyes).after(past_of(request, now.id), query.after or 0)
    last = query.before or now.position + 1
    return (step for step in found if step.recorded.position < last)
