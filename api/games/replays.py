"""Replay: a game frame by frame, each with a caption, its effects and the table after it, for any viewer that the caller may be."""

import asyncio
from uuid import UUID

from litestar.params import FromPath

from api.common.access_audit import record_access
from api.common.live.change_feed import change_feed_of
from api.common.live.event_stream import SubscriptionGuard
from api.common.reading import load_openness_context, openness_tag, viewer_for
from api.games.replay_pages import ReplayRequest, encode_lines, find_all_steps, frames_of, make_page
from api.games.replay_starts import bound_positions, end_of, names_in, names_tag
from api.games.requests import ReplayQuery
from api.games.responses import Replay, ReplayFrame
from api.http.decoding import read_query
from api.http.errors import BadRequest, check_position, say
from api.http.guards import check_subscriber, stream_response
from api.http.limits import more_time
from api.http.media_types import JSON, NDJSON
from api.http.operations import Content, reads
from api.http.request import Request, header, language_of, media_type, part_of, services_of
from api.http.response import FOR_AN_HOUR, NO_CACHE, Response, build_etag_response, is_known
from domain.game import Game
from domain.opening import OpennessContext

# Requests that wait until something was recorded.


async def wait_past_position(request: Request, game: Game, position: int, seconds: float) -> Game:
    """The game as soon as it has gone beyond the position, else as it is when the time is up. Raises what ``check_subscriber`` raises, soon
    after the caller may not read it any more.
    """
    if game.position > position:
        return game
    more_time(request, seconds)
    news, gate, loop = change_feed_of(request), part_of(request.app, SubscriptionGuard), asyncio.get_running_loop()
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
    "read_replay",
    "Read the replay of a game, frame by frame",
    tag="Reading",
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
    asked = ReplayRequest(query, now.id, now.position, who, around, spoken, worded, names)
    if kind == NDJSON:
        headers = [("etag", f'"{etag}.ndjson"'), ("cache-control", NO_CACHE), ("vary", _VARY), said]
        lines = encode_lines(frames_of(request, asked, now, find_all_steps(request, now, who, query)))
        return stream_response(request, lines, media_type=NDJSON, headers=headers)
    known = is_known(request, f"{etag}.json")
    body, links = (b"", list[tuple[str, str]]()) if known else await make_page(request, asked, etag)
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
