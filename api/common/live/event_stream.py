"""Server-sent events (HTML standard of the WHATWG, section 9.2): heartbeat, eviction of slow clients, repeated authorization of followers.

One check serves all connections with the same credentials and address.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from functools import partial
from typing import TypeAlias, cast

from litestar.types import HTTPResponseBodyEvent, Receive, Scope, Send

from api.common.live.change_feed import Push, SubscriberQueue, Topic, change_feed_of
from api.http.browsers.cookies import read_session_cookies
from api.http.errors import AuthenticationError, BadRequest, EpochChanged, RateLimitedError, say
from api.http.guards import check_subscriber
from api.http.limits import StreamLimits
from api.http.media_types import EVENT_STREAM
from api.http.places import Within
from api.http.request import Request, address_of, header, part_of, read_header
from api.http.response import Headers, Response, forget, wait_until_gone
from api.http.sending import note_request
from domain.errors import Forbidden, Unavailable, Unknown
from domain.journal.commits import StoreUnavailableError

EVERY = 0.4
"""Seconds between two checks. Together with the time for which a token is cached, access ends within a second after it was revoked."""

_Key: TypeAlias = tuple[str, tuple[str, ...], str, str, bytes]


class SubscriptionGuard:
    """Checks all open streams. Used from one event loop."""

    def __init__(self) -> None:
        self._held: dict[_Key, tuple[Request, Within, set[SubscriberQueue]]] = {}
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def watch_request(self, request: Request, within: Within, mail: SubscriberQueue) -> Iterator[None]:
        """End the mail once the request would no longer be authorized, or its credentials belong to another principal."""
        key = _key(request)
        self._held.setdefault(key, (request, within, set()))[2].add(mail)
        if self._looking is None:
            self._looking = asyncio.create_task(self._check_all())
        try:
            yield
        finally:
            mails = self._held[key][2]
            mails.discard(mail)
            if not mails:
                del self._held[key]

    async def _check_all(self) -> None:
        note_request(None)
        while self._held:
            await asyncio.sleep(EVERY)
            for request, within, mails in list(self._held.values()):
                await asyncio.sleep(0)  # let other tasks run between two checks
                if not await _is_permitted(request, within):
                    for mail in list(mails):
                        mail.end("closed")
        self._looking = None


async def _is_permitted(request: Request, within: Within) -> bool:
    """Return whether the request is still authorized. While the store is unavailable, followers stay: nothing new is sent then either."""
    try:
        await check_subscriber(request, within)
    except (AuthenticationError, Forbidden, Unknown, RateLimitedError):
        return False
    except (Unavailable, StoreUnavailableError) as error:
        _LOG.warning("subscriptions cannot be authorized: %s", error)
    return True


def _key(request: Request) -> _Key:
    """Return everything that the result of the check may depend on."""
    scope = request.scope
    return header(request, b"authorization"), read_session_cookies(request), address_of(request), scope["path"], scope["query_string"]


# Server-sent events (HTML standard of the WHATWG, section 9.2), with a heartbeat and eviction of clients that stop reading.


HEARTBEAT = 15.0
"""Seconds after which an idle stream sends a comment, so that no proxy closes the connection as dead."""
RETRY = 2000
"""Milliseconds after which a disconnected client reconnects."""
STALLED = 10.0
"""Seconds within which a client has to take a piece. A slower client is disconnected; it continues after its last id when it reconnects."""

PUSH = "kiebitz.push"
"""An extension of the ASGI scope: a ``Push`` by which a server takes further pieces of a response. Without it every piece goes through
``send``.
"""

_LOG = logging.getLogger("kiebitz.live")
BEAT = b":\n\n"
_VARY = ("vary", "accept, accept-language, authorization")
STREAM_HEADERS = (("cache-control", "no-cache, no-transform"), ("x-accel-buffering", "no"), _VARY)
"""Headers of every stream: no proxy may store, compress or buffer it."""
_RETRY = b"retry: %d\n" % RETRY
"""Stands in the block of the first message: some clients take a block of its own for a message without data."""
_LARGEST_ID = 10**15

Talk: TypeAlias = Callable[[SubscriberQueue], AsyncGenerator[bytes, None]]
"""Yields messages until the mail is over. It waits for the mail itself, and yields a heartbeat when nothing comes."""


def message(data: bytes, *, id: int | None = None, event: str | None = None) -> bytes:
    """Encode one message. ``data`` is JSON, and so a single line."""
    head = b"" if id is None else b"id: %d\n" % id
    return b"%s%sdata: %s\n\n" % (head, b"" if event is None else b"event: %s\n" % event.encode(), data)


def last_event_id(request: Request) -> int | None:
    """Return the id after which a reconnecting client continues. Raises ``BadRequest``."""
    given = read_header(request, b"last-event-id")
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and int(given[:20]) <= _LARGEST_ID):
        raise BadRequest("bad_header", say("last_event_id"), "Last-Event-ID")
    return int(given)


class EventStream(Response):
    """A response without a fixed end: it runs until the client has gone, stops reading, or may not follow any more.

    The next message is made only after the client has taken the one before, so that a slow client needs no buffer.
    """

    __slots__ = ("request", "talk", "topics", "within")

    def __init__(self, request: Request, talk: Talk, *topics: Topic, within: Within, headers: Headers = ()) -> None:
        super().__init__(b"", headers=[*STREAM_HEADERS, *headers])
        self.headers[-1:] = [(b"content-type", EVENT_STREAM.encode())]
        self.request = request
        self.talk = talk
        self.topics = topics
        self.within = within

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begin = partial(send, {"type": "http.response.start", "status": 200, "headers": self.headers})
        if scope.get("method") == "HEAD":
            await begin()
            await send(_piece(b"", more=False))
            return
        app = self.request.app
        with (
            part_of(app, StreamLimits).followers.acquire(self.request.user),
            change_feed_of(self.request).subscribe(*self.topics) as mail,
            part_of(app, SubscriptionGuard).watch_request(self.request, self.within, mail),
        ):
            mail.push = cast("Push | None", (scope.get("extensions") or {}).get(PUSH))
            gone = asyncio.ensure_future(wait_until_gone(receive))
            gone.add_done_callback(lambda _: mail.end("gone"))
            try:
                await begin()
                if await self._tell(mail, send):
                    await send(_piece(_final_message(mail), more=False))
            finally:
                gone.cancel()
                gone.add_done_callback(forget)

    async def _tell(self, mail: SubscriberQueue, send: Send) -> bool:
        """Send messages. Return whether the client has taken everything."""
        pieces = self.talk(mail)
        async with aclosing(pieces):
            taken, retry = await _send_piece(BEAT, send), _RETRY
            while taken and mail.over is None and (piece := await _next(pieces, mail)) is not None:
                if piece != BEAT:
                    piece, retry = retry + piece, b""
                taken = await _send_piece(piece, send)
        return taken and mail.over != "gone"


async def _next(pieces: AsyncGenerator[bytes, None], mail: SubscriberQueue) -> bytes | None:
    """Return the next message; ``None`` ends the stream: permanently where access ended, for a reconnect where the store is unavailable."""
    try:
        return await anext(pieces, None)
    except (Forbidden, AuthenticationError, Unknown):
        mail.end("closed")
    except (EpochChanged, Unavailable, StoreUnavailableError) as error:
        _LOG.warning("a subscriber is disconnected: %s", error)
        mail.end("away")
    return None


async def _send_piece(piece: bytes, send: Send) -> bool:
    """Send a piece; return False if the client stalled. A server accepts a piece once nearly everything before it has been passed on."""
    try:
        async with asyncio.timeout(STALLED):
            await send(_piece(piece, more=True))
    except TimeoutError:
        return False
    return True


def _piece(body: bytes, *, more: bool) -> HTTPResponseBodyEvent:
    return {"type": "http.response.body", "body": body, "more_body": more}


def _final_message(mail: SubscriberQueue) -> bytes:
    """Return the last message, with the reason. On reconnecting, a client gets a problem response that says what to do."""
    return message(b'{"reason":"%s"}' % (mail.over or "closed").encode(), event="over")
