"""Responses: bytes already, so that nothing is encoded twice."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from contextlib import AbstractContextManager, aclosing, asynccontextmanager
from typing import TypeAlias

import msgspec
from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, Receive, Scope, Send

from api.http.errors import BrokenOff, Unauthenticated
from api.http.media_types import JSON
from api.http.sending import SMALLEST, packed, request_id_of
from domain.errors import Forbidden, Unavailable
from domain.journal.commits import StoreAway

Headers: TypeAlias = Iterable[tuple[str, str]]

PIECE = 32 * 1024
"""About as many bytes a piece has: what a stream holds in memory is a few of them."""
FIRST = 10.0
"""Seconds that the status waits for the first piece."""
STALLED = 60.0
"""Seconds in which a caller has to take something."""

_NOSNIFF = (b"x-content-type-options", b"nosniff")
_BREAKS_OFF = (BrokenOff, Forbidden, StoreAway, Unauthenticated, Unavailable)
_LOG = logging.getLogger("kiebitz.api")
_NOTHING: HTTPResponseBodyEvent = {"type": "http.response.body", "body": b"", "more_body": True}
_END: HTTPResponseBodyEvent = {"type": "http.response.body", "body": b"", "more_body": False}
_ENCODER = msgspec.json.Encoder()


class Response:
    """A whole answer, packed for who takes that. A HEAD request gets its headers only."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, body: bytes, *, status: int = 200, media_type: str = JSON, headers: Headers = ()) -> None:
        self.status = status
        self.body = body
        self.headers = [_NOSNIFF]
        if body:
            self.headers.append((b"content-type", media_type.encode("latin-1")))
        for name, value in headers:
            self.headers.append((name.encode("latin-1"), value.encode("latin-1")))
        if status not in (204, 304):
            self.headers.append((b"content-length", b"%d" % len(body)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start, body = await self.told(scope)
        await send(start)
        if scope["method"] == "HEAD":  # type: ignore[typeddict-item]
            body = b""
        end: HTTPResponseBodyEvent = {"type": "http.response.body", "body": body, "more_body": False}
        await send(end)

    async def told(self, scope: Scope) -> tuple[HTTPResponseStartEvent, bytes]:
        """How it begins, and its body, as the caller takes them."""
        body, headers = (self.body, self.headers) if len(self.body) < SMALLEST else await packed(scope, self.body, self.headers)
        return {"type": "http.response.start", "status": self.status, "headers": headers}, body

    def to_asgi_response(self, **_: object) -> "Response":
        """What Litestar asks of the answer of an exception handler."""
        return self


class StreamedResponse(Response):
    """An answer that is sent piece by piece; its length is not known before.

    It takes a place among those that are under way, and no piece is made before the caller has taken the last one: so it needs the memory
    of a piece or two, however long it is and however slowly it is read. Whoever has gone, or takes nothing for a minute, gets no more.
    What goes wrong before the first piece is told as a problem, if that is not long in coming. Later the answer ends without its end: so
    nobody takes it for whole.
    """

    __slots__ = ("begun", "pieces", "place")

    def __init__(
        self, place: AbstractContextManager[None], pieces: AsyncGenerator[bytes, None], *, media_type: str, headers: Headers = ()
    ) -> None:
        super().__init__(b"", status=200, headers=headers)
        self.headers[-1] = (b"content-type", media_type.encode("latin-1"))
        self.begun = False
        self.place = place
        self.pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":  # type: ignore[typeddict-item]
            await self._begin(send)
            await send(_END)
            return
        gone = asyncio.ensure_future(wait_until_gone(receive))
        try:
            with self.place:
                async with aclosing(self.pieces):
                    await self._send(gone, send)
        except _BREAKS_OFF as error:
            if not self.begun:
                raise
            _LOG.warning("request %s: the answer was broken off: %s", request_id_of(scope), error)
        finally:
            gone.cancel()
            gone.add_done_callback(forget)

    async def _begin(self, send: Send) -> None:
        start: HTTPResponseStartEvent = {"type": "http.response.start", "status": self.status, "headers": self.headers}
        self.begun = True
        await send(start)

    async def _send(self, gone: asyncio.Future[None], send: Send) -> None:
        async with _made(self.pieces) as made:
            if await _first_of(made, gone, FIRST):
                made.result()  # raises what can still be told as a problem
            await self._begin(send)
            piece = await _unless(gone, made)
        while piece is not None and await _taken(piece, send):
            async with _made(self.pieces) as made:
                piece = await _unless(gone, made)
        if piece is None:
            await send(_END)


@asynccontextmanager
async def _made(pieces: AsyncGenerator[bytes, None]) -> AsyncIterator[asyncio.Future[bytes | None]]:
    """The next piece, in the making; given up where the context ends before it is there."""
    made = asyncio.ensure_future(anext(pieces, None))
    try:
        yield made
    finally:
        made.cancel()
        await asyncio.wait((made,))
        if not made.cancelled():
            made.exception()  # whoever wanted it has heard of it


async def _first_of(made: asyncio.Future[bytes | None], gone: asyncio.Future[None], seconds: float | None) -> bool:
    """Whether the piece is there, once it is, or the caller has gone, or the time is up."""
    await asyncio.wait((made, gone), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    return made.done()


async def _unless(gone: asyncio.Future[None], made: asyncio.Future[bytes | None]) -> bytes | None:
    """The piece, if there is one and somebody to receive it."""
    await _first_of(made, gone, None)
    return None if gone.done() else made.result()


async def _taken(piece: bytes, send: Send) -> bool:
    """Sends a piece, and waits until all but a rest of it has left the memory. False where the caller takes nothing for too long."""
    part: HTTPResponseBodyEvent = {"type": "http.response.body", "body": piece, "more_body": True}
    await send(part)
    try:
        async with asyncio.timeout(STALLED):
            await send(_NOTHING)  # a server waits before it takes more than it can pass on, not after
    except TimeoutError:
        return False
    return True


def forget(gone: asyncio.Future[None]) -> None:
    """However one goes, nothing more is to be done about it."""
    if not gone.cancelled():
        gone.exception()


async def wait_until_gone(receive: Receive) -> None:
    """Returns when the caller has closed the connection; servers drop in silence what is sent to him after that."""
    while (await receive())["type"] != "http.disconnect":
        pass


def encode(value: object) -> bytes:
    return _ENCODER.encode(value)


def lines_of(values: Iterator[object]) -> bytes:
    """The next of these values as lines of JSON, about a piece; empty where there are no more."""
    told, size = list[bytes](), 0
    for value in values:
        told.append(_ENCODER.encode(value) + b"\n")
        size += len(told[-1])
        if size >= PIECE:
            break
    return b"".join(told)


def unstored(value: object, *, status: int = 200, headers: Headers = (), vary: str = "") -> Response:
    """A value as JSON that nobody may keep: it is the answer to this request alone."""
    return Response(encode(value), status=status, headers=[*headers, ("cache-control", "no-store"), *([("vary", vary)] if vary else [])])
