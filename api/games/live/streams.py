"""A game as it goes on: its frames as server-sent events, each as whoever follows may see it at the moment when it is sent."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from functools import partial
from itertools import islice
from typing import NamedTuple, cast
from uuid import UUID

from litestar.params import FromPath

from api.common.around import around_now, around_of, around_tag, waits_for_others
from api.common.live.event_stream import BEAT, HEARTBEAT, EventStream, last_event_id, message
from api.common.live.followed import FollowedGame
from api.common.live.mail import Mail
from api.common.live.news import news_of
from api.common.live.shared import Shared
from api.common.looks import note_look
from api.common.reading import past_of, viewer_for
from api.games.frames import frame_maker
from api.games.replaying.seated import Names, names_in, names_tag
from api.games.replaying.starts import in_turn, start_maker
from api.games.requests import StreamQuery
from api.games.responses import ReplayFrame
from api.http.errors import check_position
from api.http.media_types import EVENT_STREAM
from api.http.operations import Content, Operation, reads
from api.http.query import read_query
from api.http.request import Request, language_of, services_of
from api.http.response import Response, encode
from domain.game import Game
from domain.openness.around import Around
from domain.sight import Eyes
from replay.past import GameStep

_CHUNK = 32  # frames of the past that are sent at a time
_LOOK_AROUND = 1.0  # seconds between two looks at what goes on around a game that waits for it


@reads(
    "/v1/games/{game:uuid}/stream",
    Operation(
        id="stream_game",
        tag="Reading",
        summary="The game as it goes on, as server-sent events",
        description=(
            "First the frames after `after`, then each as it is recorded; the id of a message is the position. `Last-Event-ID` goes on "
            "where a stream broke off. The first frame tells in `start` from where to fold on. A message `opened` says that everybody may "
            "see from now on what was hidden up to its position, `over` why nothing more comes. What a frame tells is decided when it is "
            "sent."
        ),
        query=StreamQuery,
        responses={200: Content("messages, see docs/live.md", {EVENT_STREAM: ReplayFrame})},
        refuses=(403, 404, 503),
        headers=("Accept-Language", "Last-Event-ID"),
    ),
)
async def stream_game(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, StreamQuery)
    now = await services_of(request).journal.current(game)
    gone_on = last_event_id(request)
    after = query.after if gone_on is None else gone_on
    check_position(after, now.position)
    viewer_for(request, now, query.view, is_open=now.is_open_through(now.position, await around_of(request, now)))
    topics = (game, now.opened.tournament) if waits_for_others(now) and now.opened.tournament else (game,)
    talk = partial(_talk, request, query, game, after)
    return EventStream(request, talk, *topics, within="path", headers=[("content-language", language_of(request))])


async def _talk(request: Request, query: StreamQuery, id: UUID, place: int, mail: Mail) -> AsyncGenerator[bytes, None]:
    followed = news_of(request).of(await services_of(request).journal.current(id))
    opened: bool | None = None
    told = -1  # the first frame says from where to fold on
    while mail.over is None:
        if followed.stale:
            followed.renew(await asyncio.to_thread(services_of(request).journal.newest_game, id))
        around = await _around(request, followed.now)
        now, is_open = followed.now, followed.now.is_open_through(followed.now.position, around)
        eyes = viewer_for(request, now, query.view, is_open=is_open)
        names = await names_in(request, now) if query.names and place < now.position else None
        while place < now.position:
            last = min(now.position, place + _CHUNK)
            note_look(request, now, eyes, around, place + 1, last)
            yield await _piece(_Asked(request, query.tables, now, eyes, around, names), followed, place, last, told)
            place = told = last
        if is_open and opened is False:
            yield message(b'{"position":%d}' % place, event="opened")
            told = -1
        opened = is_open
        if followed.now is now and not query.follow:
            mail.end("told")
        elif followed.now is now and await _silence(mail, now):
            yield BEAT


async def _silence(mail: Mail, now: Game) -> bool:
    """Whether nothing came for as long as a follower may hear nothing. Of a game that waits for others somebody looks now and then."""
    if not waits_for_others(now):
        return not await mail.wait(HEARTBEAT)
    await mail.wait(_LOOK_AROUND)
    return int(asyncio.get_running_loop().time()) % int(HEARTBEAT) == 0


async def _around(request: Request, now: Game) -> Around:
    """Looked up at most once a second and event, for all who follow."""
    services = services_of(request)
    if not waits_for_others(now):
        return around_now(services, now)
    key = (now.id, now.position, news_of(request).wave, int(asyncio.get_running_loop().time()))
    return await cast(Shared, request.app.state["shared"]).once(key, lambda: asyncio.to_thread(around_now, services, now))


class _Asked(NamedTuple):
    request: Request
    tables: bool
    now: Game
    eyes: Eyes
    around: Around
    names: Names | None


async def _piece(asked: _Asked, followed: FollowedGame, after: int, last: int, told: int) -> bytes:
    """The frames after a position up to another, redacted as the game stands now. ``told``: the last one that this follower was told."""
    steps = followed.steps(after)
    if steps is None:
        return await asyncio.to_thread(_messages, asked, past_of(asked.request, asked.now.id).steps(after, last), told)
    key = (
        asked.now.position,
        str(asked.eyes),
        asked.request.user.sees_all,
        around_tag(asked.now, asked.around),
        language_of(asked.request),
        names_tag(asked.names),
        asked.tables,
        after,
        last,
        told,
    )
    return followed.once(key, partial(_messages, asked, islice(steps, last - after), told))


def _messages(asked: _Asked, steps: Iterable[GameStep], told: int) -> bytes:
    request, tables, now, eyes, around, names = asked
    rulesets, worded = services_of(request).rulesets, request.user.sees_all
    show = frame_maker(rulesets, now, eyes, around, language_of(request), worded=worded, tables=tables, names=names)
    frames = map(show, steps) if tables else in_turn(show, start_maker(now, eyes, around), steps, told)
    return b"".join(message(encode(frame), id=frame.position) for frame in frames)
