"""Live stream of a tournament: changes of its tables, results and standings, as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import datetime
from functools import partial
from typing import Annotated, Literal
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET, Meta, UnsetType

from api.common.consistency import check_recorded
from api.common.live.change_feed import SharedReads, SubscriberQueue, change_feed_of
from api.common.live.event_stream import BEAT, HEARTBEAT, EventStream, last_event_id, message
from api.http.decoding import Follow, Incoming, Name, ResponseModel, Whole, read_query
from api.http.media_types import EVENT_STREAM
from api.http.operations import Content, reads
from api.http.paging import name_epoch
from api.http.request import Request, part_of, services_of
from api.http.response import Response, encode
from api.tournaments.reading import current_tournament
from api.tournaments.stale_views import Change, list_changes
from domain.events import Recorded
from domain.events.base import Unreadable
from domain.journal.commits import from_stored
from domain.journal.feed import StreamOrigin, feed_rows, find_stream_origins, of_tournament
from domain.journal.store import EventStore
from domain.tournament.tournament import tournament_stream

_CHUNK = 200  # messages made at a time


class TournamentStreamQuery(Incoming, frozen=True, kw_only=True):
    """The sequence to begin after, unless ``Last-Event-ID`` gives one."""

    after: Annotated[Whole | None, Meta(description="only events after this sequence; by default from now on")] = None
    follow: Follow = True
    epoch: Annotated[Name, Meta(description="the epoch in which the client received `after`; 409 if another one has begun")] | None = None


class TournamentNews(ResponseModel, frozen=True, kw_only=True):
    """An event of the tournament or of one of its games, and the parts that have to be read again."""

    sequence: int
    kind: Literal["game", "tournament"]
    game: UUID | UnsetType = UNSET
    round: Annotated[int | None, Meta(description="of the game")] | UnsetType = UNSET
    table: Annotated[str | None, Meta(description="of the game")] | UnsetType = UNSET
    position: int
    name: Annotated[str, Meta(examples=["move.played/1"])]
    at: Annotated[datetime | None, Meta(description="when it was recorded; null where the stored bytes are damaged")]
    changed: tuple[Change, ...]


@reads(
    "/v1/tournaments/{tournament:str}/stream",
    "stream_tournament",
    "Stream a tournament as server-sent events",
    description=(
        "The stream sends a message for each event of the tournament and of its games, with the views to read again: "
        "`tables`, `results`, `standings`. The id is the sequence; `Last-Event-ID` resumes a broken stream. The first "
        "message, `begin`, names the sequence after which the stream starts. `over` says why the stream ends."
    ),
    query=TournamentStreamQuery,
    responses={200: Content("messages, see docs/live.md", {EVENT_STREAM: TournamentNews})},
    refuses=(503,),
    headers=("Last-Event-ID",),
)
async def stream_tournament(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, TournamentStreamQuery)
    await current_tournament(request, tournament)
    gone_on = last_event_id(request)
    after = query.after if gone_on is None else gone_on
    if after:
        await name_epoch(request)
    head = await check_recorded(request, {"after": after})
    talk = partial(_stream_changes, request, tournament, head if after is None else after, None if query.follow else head)
    return EventStream(request, talk, tournament, within="path")


async def _stream_changes(
    request: Request, tournament: str, place: int, until: int | None, mail: SubscriberQueue
) -> AsyncGenerator[bytes, None]:
    """Yield the messages. ``until``: the sequence with which it ends."""
    news, shared, journal = change_feed_of(request), part_of(request.app, SharedReads).streams, services_of(request).journal
    yield message(b'{"sequence":%d}' % place, id=place, event="begin")
    while mail.over is None:
        head = news.head if news.head >= 0 else await asyncio.to_thread(journal.head)
        if until is not None:
            head = until  # the head of the change feed may be a moment behind
        while place < head and mail.over is None:
            read = partial(asyncio.to_thread, _messages, journal.store, tournament, place, head)
            piece, place = await shared.once((journal.store.epoch.id, tournament, place, head), read)
            if piece:
                yield piece
        if until is not None and place >= until:
            mail.end("told")
        elif news.head <= place and not await mail.wait(HEARTBEAT):
            yield BEAT


def _messages(store: EventStore, tournament: str, after: int, until: int) -> tuple[bytes, int]:
    """Return the messages after a sequence, and the sequence reached."""
    rows, reached = feed_rows(store, None, (), after, until, _CHUNK, among=of_tournament(tournament))
    games = find_stream_origins(store, {event.stream for _, event in rows})
    told = [(sequence, from_stored(event)) for sequence, event in rows]
    return b"".join(_message(tournament, sequence, recorded, games.get(recorded.stream)) for sequence, recorded in told), reached


def _message(tournament: str, sequence: int, recorded: Recorded, begun: StreamOrigin | None) -> bytes:
    own = recorded.stream == tournament_stream(tournament)
    news = TournamentNews(
        sequence=sequence,
        kind="tournament" if own else "game",
        game=UNSET if own else recorded.stream,
        round=UNSET if own or begun is None else begun.round,
        table=UNSET if own or begun is None else begun.table,
        position=recorded.position,
        name=recorded.name,
        at=None if isinstance(recorded.event, Unreadable) else recorded.stamp.at,
        changed=list_changes(recorded.event),
    )
    return message(encode(news), id=sequence)
