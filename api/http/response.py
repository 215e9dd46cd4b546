"""Responses: bytes already, so that nothing is encoded twice."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable

import msgspec
from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, Receive, Scope, Send

from api.http.errors import Forbidden, Unauthenticated
from api.http.media_types import JSON

_NOSNIFF = (b"x-content-type-options", b"nosniff")
_ENCODER = msgspec.json.Encoder()


class Response:
    """A whole answer. A HEAD request gets its headers only."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, body: bytes, *, status: int = 200, media_type: str = JSON, headers: Iterable[tuple[str, str]] = ()) -> None:
        self.status = status
        self.body = body
        self.headers = [_NOSNIFF]
        if body:
            self.headers.append((b"content-type", media_type.encode("latin-1")))
        self.headers += [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        if status not in (204, 304):
            self.headers.append((b"content-length", b"%d" % len(body)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: HTTPResponseStartEvent = {"type": "http.response.start", "status": self.status, "headers": self.headers}
        await send(start)
        body = b"" if scope["method"] == "HEAD" else self.body  # type: ignore[typeddict-item]
        end: HTTPResponseBodyEvent = {"type": "http.response.body", "body": body, "more_body": False}
        await send(end)

    def to_asgi_response(self, **_: object) -> "Response":
        """What Litestar asks of the answer of an exception handler."""
        return self


class StreamedResponse(Response):
    """An answer that is sent piece by piece; its length is not known before. No further piece is made for a caller who has gone.

    Pieces that raise ``Unauthenticated`` or ``Forbidden`` break the answer off: it ends without its end, so that nobody takes it for whole.
    """

    __slots__ = ("pieces",)

    def __init__(self, pieces: AsyncIterator[bytes], *, media_type: str, headers: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(b"", status=200, headers=headers)
        self.headers[-1] = (b"content-type", media_type.encode("latin-1"))
        self.pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: HTTPResponseStartEvent = {"type": "http.response.start", "status": self.status, "headers": self.headers}
        await send(start)
        if scope["method"] != "HEAD":  # type: ignore[typeddict-item]
            try:
                await self._send(receive, send)
            except (Unauthenticated, Forbidden):
                return
        end: HTTPResponseBodyEvent = {"type": "http.response.body", "body": b"", "more_body": False}
        await send(end)

    async def _send(self, receive: Receive, send: Send) -> None:
        gone = asyncio.ensure_future(_gone(receive))
        try:
            while (piece := await self._unless(gone)) is not None:
                part: HTTPResponseBodyEvent = {"type": "http.response.body", "body": piece, "more_body": True}
                await send(part)
        finally:
            gone.cancel()
            if isinstance(self.pieces, AsyncGenerator):
                await self.pieces.aclose()

    async def _unless(self, gone: asyncio.Future[None]) -> bytes | None:
        """The next piece, if there is one and somebody to receive it."""
        made = asyncio.ensure_future(anext(self.pieces, None))
        try:
            await asyncio.wait((made, gone), return_when=asyncio.FIRST_COMPLETED)
            return None if gone.done() else made.result()
        finally:
            if not made.done():
                made.cancel()
                await asyncio.wait((made,))


async def _gone(receive: Receive) -> None:
    """Returns when the caller has closed the connection; servers drop in silence what is sent to him after that."""
    while (await receive())["type"] != "http.disconnect":
        pass


def encode(value: object) -> bytes:
    return _ENCODER.encode(value)


def unstored(value: object, *, status: int = 200, headers: Iterable[tuple[str, str]] = (), vary: str = "") -> Response:
    """A value as JSON that nobody may keep: it is the answer to this request alone."""
    return Response(encode(value), status=status, headers=[*headers, ("cache-control", "no-store"), *([("vary", vary)] if vary else [])])
