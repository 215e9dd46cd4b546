"""The wall: the content of the screens in the hall, chosen by a director, read by every reader of the tournament. It is no event."""

import asyncio
from collections.abc import AsyncGenerator
from functools import partial
from typing import Annotated, TypeAlias
from uuid import UUID, uuid5

from litestar.params import FromPath
from msgspec import UNSET, Meta

from api.common.commands import Change, once
from api.common.live.change_feed import SharedReads, SubscriberQueue, change_feed_of
from api.common.live.event_stream import BEAT, HEARTBEAT, EventStream, SubscriptionGuard, last_event_id, message
from api.http.decoding import DryRun, Follow, Incoming, Number, Timestamp, Whole, copy_fields, in_utc, read_body, read_query
from api.http.errors import PreconditionError, say
from api.http.guards import check_subscriber
from api.http.limits import more_time
from api.http.media_types import EVENT_STREAM
from api.http.operations import Content, reads, replaces
from api.http.request import Request, part_of, read_header, services_of
from api.http.response import Response, build_etag_response, encode, parse_if_match
from api.tournaments.reading import current_tournament
from api.tournaments.responses import WallClockView, WallPhaseView, WallView
from domain.errors import InvalidFormatError, Stale
from domain.journal.commits import CommandKey
from domain.journal.registers import stamp
from domain.tournament.publication import ClockCounts, PairingsBy, Shown, Wall, WallClock, WallPhase, WallPlan
from domain.tournament.tournament import tournament_stream

WallWords: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]


class WallPhaseBody(Incoming, frozen=True, kw_only=True):
    """A phase of the clock after the time before is over."""

    counts: Annotated[ClockCounts, Meta(description="until the end of the round, of its last hand, or of the break")]
    seconds: Annotated[int, Meta(ge=1, le=86_400, description="how long it takes")]


class WallClockBody(Incoming, frozen=True, kw_only=True):
    """A clock: it runs ``until`` a moment, or stands still with so many seconds ``left``: one of the two."""

    counts: Annotated[ClockCounts, Meta(description="until the end of the round, of its last hand, or of the break")]
    until: Annotated[Timestamp | None, Meta(description="the moment at which it ends")] = None
    left: Annotated[int, Meta(ge=0, le=86_400, description="seconds that are left while it stands still")] | None = None
    phases: Annotated[tuple[WallPhaseBody, ...], Meta(max_length=10, description="they follow the first time, one after the other")] = ()


class PutWall(Incoming, frozen=True, kw_only=True):
    """The whole content of the wall from now on: what is left out is not on it any more."""

    show: Annotated[
        Shown,
        Meta(
            description=(
                "the content of the wall; `clock` and `notice` need the field of the same name. `current`: pairings while a round is "
                "played, else the standings, or the bracket. `prizes`: the standings from below, without the `hidden` places"
            )
        ),
    ]
    by: Annotated[PairingsBy | None, Meta(description="in which order pairings stand; left out, by name")] = None
    round: Annotated[Number | None, Meta(description="of this round; left out, of the one that is in play")] = None
    message: Annotated[WallWords | None, Meta(description="words for everybody who can read the tournament")] = None
    clock: Annotated[WallClockBody | None, Meta(description="of the round, or of the break; beside whatever else is shown")] = None
    turn: Annotated[int, Meta(ge=3, le=600, description="seconds that a page stays, where there are several")] | None = None
    hidden: Annotated[int, Meta(ge=0, le=1000, description="places at the top that `prizes` does not show yet; left out: 3")] | None = None


class WallStreamQuery(Incoming, frozen=True, kw_only=True):
    """The version to begin after, unless ``Last-Event-ID`` gives one."""

    after: Annotated[Whole | None, Meta(description="the version that the caller knows; left out: the present one comes first")] = None
    follow: Follow = True


class WallQuery(Incoming, frozen=True, kw_only=True):
    """The wait for a change. With ``wait`` the response comes as soon as the wall differs from version ``after``."""

    after: Annotated[Whole | None, Meta(description="the version that the caller knows")] = None
    wait: Annotated[int, Meta(ge=0, le=30, description="seconds to wait for another version")] = 0


_LOOK = 1.0
"""Seconds between two looks for a change by another process, and so the delay for its followers."""


@replaces(
    "/v1/tournaments/{tournament:str}/wall",
    "put_wall",
    "Choose what the screens in the hall show",
    description=(
        "The body replaces the whole wall: fields that are left out are no longer shown, and earlier words are not stored. "
        "With `If-Match` it applies only if nobody else has chosen since; otherwise the answer is 412, and `position` is "
        "the current version. The choice is no event and is in no history. The stored Idempotency-Key holds no digest of "
        "the words: a repetition does not compare them."
    ),
    query=DryRun,
    body=PutWall,
    responses={200: Content("the new wall", WallView, headers=("ETag",))},
    refuses=(412, 422),
    headers=("If-Match", "Idempotency-Key"),
    role="director",
)
async def put_wall(request: Request, tournament: FromPath[str]) -> Response:
    body, if_match = await read_body(request, PutWall), read_header(request, b"if-match")
    _check_content(body)
    clock = _clock(body.clock)
    plan = copy_fields(body, WallPlan, clock=clock)
    await current_tournament(request, tournament)
    expected = None if if_match is None else parse_if_match(request, if_match)

    async def decide() -> Change:
        wall = await asyncio.to_thread(_next_wall, request, tournament, plan, body.message, expected)
        return Change(_view(request, tournament, wall), partial(store, wall))

    async def store(wall: Wall, command: CommandKey | None) -> Response:
        while not await asyncio.to_thread(services_of(request).registers.change_wall, tournament, wall, command):
            wall = await asyncio.to_thread(_next_wall, request, tournament, plan, body.message, expected)
        change_feed_of(request).ring(_topic(tournament))
        return _response(request, tournament, wall)

    async def tell(_: str) -> Response:
        return _response(request, tournament, await asyncio.to_thread(services_of(request).registers.wall, tournament))

    return await once(request, decide, tell, compared=encode(plan))


def _check_content(body: PutWall) -> None:
    """Raise ``InvalidFormatError`` where the chosen content is missing."""
    if body.show == "clock" and body.clock is None:
        raise InvalidFormatError("malformed_body", say("wall_lacks", show="clock", field="clock"), "clock")
    if body.show == "notice" and body.message is None:
        raise InvalidFormatError("malformed_body", say("wall_lacks", show="notice", field="message"), "message")


def _clock(body: WallClockBody | None) -> WallClock | None:
    """Return the clock. Raises ``InvalidFormatError`` for one that both runs and stands still, or does neither."""
    if body is None:
        return None
    if (body.until is None) == (body.left is None):
        raise InvalidFormatError("malformed_body", say("wall_clock"), "clock")
    until = in_utc(body.until, "clock.until")
    phases = tuple(copy_fields(one, WallPhase) for one in body.phases)
    return WallClock(body.counts, None if until is None else stamp(until), body.left, phases)


def _next_wall(request: Request, tournament: str, plan: WallPlan, message: str | None, expected: int | None) -> Wall:
    """Return the wall that follows the present one. Raises ``PreconditionError``."""
    services = services_of(request)
    version = services.registers.wall(tournament).version
    if expected is not None and expected != version:
        raise PreconditionError(Stale(tournament_stream(tournament), expected, version), b"[]")
    return Wall(version + 1, plan, message, stamp(services.clock()), request.user.id)


@reads(
    "/v1/tournaments/{tournament:str}/wall",
    "read_wall",
    "Read what the screens in the hall show",
    description=(
        "With `after` and `wait` the answer comes as soon as somebody changes the wall; after a change through another "
        "process, up to a second later."
    ),
    query=WallQuery,
    responses={200: Content("the wall", WallView, headers=("ETag",))},
)
async def read_wall(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, WallQuery)
    await current_tournament(request, tournament)
    wall = await asyncio.to_thread(services_of(request).registers.wall, tournament)
    if query.wait and wall.version == query.after:
        wall = await _wait_for_change(request, tournament, wall, query.wait)
    return _response(request, tournament, wall)


async def _wait_for_change(request: Request, tournament: str, wall: Wall, seconds: float) -> Wall:
    """Wait for another version of the wall; return this one on timeout. Raises what ``check_subscriber`` raises."""
    more_time(request, seconds)
    news, gate = change_feed_of(request), part_of(request.app, SubscriptionGuard)
    loop, known = asyncio.get_running_loop(), wall.version
    end = loop.time() + seconds
    with news.subscribe(_topic(tournament)) as mail, gate.watch_request(request, "path", mail):
        while wall.version == known and mail.over is None and (left := end - loop.time()) > 0:
            wall = await _latest(request, tournament)
            if wall.version == known:
                await mail.wait(min(left, _LOOK))
    if mail.over == "closed":
        await check_subscriber(request, "path")
    return wall


@reads(
    "/v1/tournaments/{tournament:str}/wall/stream",
    "stream_wall",
    "Stream what the screens in the hall show, as server-sent events",
    description=(
        "The stream sends the current wall, unless the caller knows it, and then every change. The id of a message is the "
        "version. A change through another process of the service comes up to a second later."
    ),
    query=WallStreamQuery,
    responses={200: Content("messages, see docs/live.md", {EVENT_STREAM: WallView})},
    refuses=(503,),
    headers=("Last-Event-ID",),
)
async def stream_wall(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, WallStreamQuery)
    await current_tournament(request, tournament)
    last = last_event_id(request)
    talk = partial(_tell_walls, request, tournament, query.after if last is None else last, query.follow)
    return EventStream(request, talk, _topic(tournament), within="path")


async def _tell_walls(
    request: Request, tournament: str, known: int | None, follow: bool, mail: SubscriberQueue
) -> AsyncGenerator[bytes, None]:
    """Yield each version of the wall that follows the known one."""
    beat_due = asyncio.get_running_loop().time() + HEARTBEAT
    while mail.over is None:
        wall = await _latest(request, tournament)
        if wall.version != known:
            yield message(encode(_view(request, tournament, wall)), id=wall.version)
            known = wall.version
        if not follow:
            mail.end("told")
        elif not await mail.wait(_LOOK) and asyncio.get_running_loop().time() >= beat_due:
            yield BEAT
            beat_due = asyncio.get_running_loop().time() + HEARTBEAT


async def _latest(request: Request, tournament: str) -> Wall:
    """Return the current wall. It is read once for all who wait, and again after a while: another process may have changed it."""
    topic, loop = _topic(tournament), asyncio.get_running_loop()
    read = partial(asyncio.to_thread, services_of(request).registers.wall, tournament)
    wall: Wall = await part_of(request.app, SharedReads).streams.once((topic, change_feed_of(request).rung, loop.time() // _LOOK), read)
    return wall


def _topic(tournament: str) -> UUID:
    return uuid5(tournament_stream(tournament), "wall")


def _response(request: Request, tournament: str, wall: Wall) -> Response:
    tag = f"{wall.version}.{'official' if request.user.has_record_role else 'public'}.wall"
    return build_etag_response(request, tag, lambda: encode(_view(request, tournament, wall)))


def _clock_view(clock: WallClock) -> WallClockView:
    return copy_fields(clock, WallClockView, phases=tuple(copy_fields(one, WallPhaseView) for one in clock.phases))


def _view(request: Request, tournament: str, wall: Wall) -> WallView:
    return copy_fields(
        wall.plan,
        WallView,
        tournament=tournament,
        version=wall.version,
        message=wall.message,
        clock=None if wall.plan.clock is None else _clock_view(wall.plan.clock),
        changed_at=wall.changed_at,
        changed_by=wall.changed_by if request.user.has_record_role else UNSET,
    )
