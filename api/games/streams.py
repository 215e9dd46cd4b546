"""Live stream of a game: its frames as server-sent events, each as the follower may see it at the moment when it is sent."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from functools import partial
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from litestar.params import FromPath

from api.common.access_audit import record_access
from api.common.live.change_feed import SharedReads, SubscriberQueue, change_feed_of
from api.common.live.event_stream import BEAT, HEARTBEAT, EventStream, last_event_id, message
from api.common.live.live_game import LiveGame
from api.common.reading import load_openness_context, openness_tag, past_of, read_openness_context, viewer_for
from api.games.replay_starts import Names, frame_maker, in_turn, names_in, names_tag, start_maker
from api.games.requests import StreamQuery
from api.games.responses import ReplayFrame
from api.http.decoding import read_query
from api.http.errors import check_position
from api.http.media_types import EVENT_STREAM
from api.http.operations import Content, reads
from api.http.request import Request, language_of, part_of, services_of
from api.http.response import Response, encode
from domain.game import Game
from domain.journal.openness import waits_for_others
from domain.opening import OpennessContext
from domain.sight import Viewpoint
from replay.past import GameStep

# Messages to the followers of a game, encoded once for all who see the same.


class Asked(NamedTuple):
    """A follower's rights in the game as of ``now``, and the requested form of messages."""

    request: Request
    tables: bool
    now: Game
    eyes: Viewpoint
    around: OpennessContext
    names: Names | None


async def piece_of(asked: Asked, followed: LiveGame, after: int, last: int, told: int) -> bytes:
    """Return the frames after a position up to another, redacted by the current state of the game. ``told``: the last one that was sent
    before.
    """
    piece = read_cached_piece(asked, followed, after, last, told)
    if piece is None:
        return await asyncio.to_thread(_messages, asked, past_of(asked.request, asked.now.id).steps(after, last), told)
    return piece


def read_cached_piece(asked: Asked, followed: LiveGame, after: int, last: int, told: int) -> bytes | None:
    """Return the same from the kept steps; ``None`` where they do not reach that far back."""
    steps = followed.steps(after)
    if steps is None:
        return None
    key = (
        asked.now.position,
        str(asked.eyes),
        asked.request.user.has_full_view,
        openness_tag(asked.now, asked.around),
        language_of(asked.request),
        names_tag(asked.names),
        asked.tables,
        after,
        last,
        told,
    )
    return followed.once(key, partial(_messages, asked, islice(steps, last - after), told))


def _messages(asked: Asked, steps: Iterable[GameStep], told: int) -> bytes:
    request, tables, now, eyes, around, names = asked
    rulesets, worded = services_of(request).rulesets, request.user.has_full_view
    show = frame_maker(rulesets, now, eyes, around, language_of(request), worded=worded, tables=tables, names=names)
    frames = map(show, steps) if tables else in_turn(show, start_maker(now, eyes, around), steps, told)
    return b"".join(message(encode(frame), id=frame.position) for frame in frames)


_CHUNK = 32  # past frames that are sent at a time
_LOOK_AROUND = 1.0  # seconds between two loads of the context that a game depends on


@reads(
    "/v1/games/{game:uuid}/stream",
    "stream_game",
    "Stream a game as server-sent events",
    tag="Reading",
    description=(
        "The stream sends the frames after `after`, then each new one as it is recorded. The id of a message is the "
        "position; `Last-Event-ID` resumes a broken stream. The first frame contains `start`, the table to fold on. "
        "`opened` means that everybody may now see what was hidden up to its position. `over` says why the stream ends. "
        "Visibility is decided when a frame is sent."
    ),
    query=StreamQuery,
    responses={200: Content("messages, see docs/live.md", {EVENT_STREAM: ReplayFrame})},
    refuses=(403, 503),
    headers=("Accept-Language", "Last-Event-ID"),
)
async def stream_game(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, StreamQuery)
    now = await services_of(request).journal.current(game)
    gone_on = last_event_id(request)
    after = query.after if gone_on is None else gone_on
    check_position(after, now.position)
    viewer_for(request, now, query.view, is_open=now.is_open_through(now.position, await load_openness_context(request, now)))
    topics = (game, now.opened.tournament) if waits_for_others(now) and now.opened.tournament else (game,)
    talk = partial(_Subscriber(request, query, after, continued=gone_on is not None).stream_frames, game)
    return EventStream(request, talk, *topics, within="path", headers=[("content-language", language_of(request))])


class _Subscriber:
    """The progress of one follower.

    Frames up to ``place`` are sent; ``told`` is the last one, and ``opened`` whether everything was open then. ``told`` -1: the next frame
    carries its start table. ``continued``: the client reconnected, and may have missed that everything was opened.
    """

    def __init__(self, request: Request, query: StreamQuery, place: int, *, continued: bool) -> None:
        self._request = request
        self._query = query
        self._place = place
        self._told = -1
        self._opened = False if continued else None

    async def stream_frames(self, id: UUID, mail: SubscriberQueue) -> AsyncGenerator[bytes, None]:
        request, query = self._request, self._query
        followed = change_feed_of(request).of(await services_of(request).journal.current(id))
        at_once = partial(self._tell_at_once, followed, mail)
        while mail.over is None:
            if followed.stale:
                followed.update(await asyncio.to_thread(services_of(request).journal.latest_game, id))
            around = await _load_openness_context(request, followed.now)
            now, is_open = followed.now, followed.now.is_open_through(followed.now.position, around)
            eyes = viewer_for(request, now, query.view, is_open=is_open)
            asked = Asked(request, query.tables, now, eyes, around, await names_in(request, now) if query.names else None)
            while self._place < now.position:
                last = min(now.position, self._place + _CHUNK)
                record_access(request, now, eyes, around, self._place + 1, last)
                yield await piece_of(asked, followed, self._place, last, self._told)
                self._place = self._told = last
            if is_open and self._opened is False:
                yield message(b'{"position":%d}' % self._place, event="opened")
                self._told = -1
            self._opened = is_open
            if followed.now is now and not query.follow:
                mail.end("told")
            elif followed.now is now and await _is_idle(mail, now, at_once):
                yield BEAT

    def _tell_at_once(self, followed: LiveGame, mail: SubscriberQueue) -> bool:
        """Send what came without a pause in which anything could change. Return whether that was everything.

        Not possible where something has to be looked up, or something other than frames has to be sent. Raises what ``talk`` raises.
        """
        now = followed.now
        if mail.push is None or followed.stale or self._query.names or waits_for_others(now):
            return False
        if self._place >= now.position:
            return True
        around = read_openness_context(services_of(self._request), now)
        is_open = now.is_open_through(now.position, around)
        if is_open != self._opened:
            return False
        eyes = viewer_for(self._request, now, self._query.view, is_open=is_open)
        record_access(self._request, now, eyes, around, self._place + 1, now.position)
        asked = Asked(self._request, self._query.tables, now, eyes, around, None)
        piece = read_cached_piece(asked, followed, self._place, now.position, self._told)
        if piece is None or not mail.push(piece):
            return False
        self._place = self._told = now.position
        return True


async def _is_idle(mail: SubscriberQueue, now: Game, at_once: Callable[[], bool]) -> bool:
    """Wait for news; return whether a heartbeat is due. In a game that depends on others, return once a second to
    load its context again.
    """
    if not waits_for_others(now):
        return not await mail.wait(HEARTBEAT, at_once)
    await mail.wait(_LOOK_AROUND)
    return int(asyncio.get_running_loop().time()) % int(HEARTBEAT) == 0


async def _load_openness_context(request: Request, now: Game) -> OpennessContext:
    """Load the context at most once a second and event, for all followers."""
    services = services_of(request)
    if not waits_for_others(now):
        return read_openness_context(services, now)
    key = (now.id, now.position, change_feed_of(request).wave, int(asyncio.get_running_loop().time()))
    return await part_of(request.app, SharedReads).streams.once(key, lambda: asyncio.to_thread(read_openness_context, services, now))
