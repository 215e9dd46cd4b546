"""Responses: encoding, ETags, and the formats of a resource that has several."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, aclosing, asynccontextmanager
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeAlias, TypeVar

import msgspec
from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, Receive, Scope, Send
from msgspec import Struct

from api.http import media_types
from api.http.errors import AuthenticationError, BadRequest, BrokenOff, say
from api.http.media_types import JSON
from api.http.paging import epoch_mark
from api.http.request import Request, header, media_type, read_header, takes_gzip
from api.http.sending import SMALLEST, compress_response, request_id_of, tag_of_compressed
from domain.errors import Forbidden, Unavailable
from domain.journal.commits import StoreUnavailableError

_NAMES = (b"at", b"deadline", b"minute", b"newest", b"since", b"timestamp", b"to", b"until")
"""How the names of fields that hold a time end. Ids and words of people that look like a time stay as they are."""

_WHOLE = rb'"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ'
_FIELD = re.compile(rb"Z(?:%b)(?=\")" % b"|".join(rb'(?<=%b":%b)' % (name, _WHOLE) for name in _NAMES))
_LIST = re.compile(rb'"starts":\[[^]]+')
_ITEM = re.compile(rb"Z(?<=%b)(?=\")" % _WHOLE)
_DIGITS = rb".000000Z"


def format_time(moment: datetime) -> str:
    """Return a time as every response has it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def complete_times(json: bytes) -> bytes:
    """Return the JSON with six digits in times of whole seconds.

    msgspec leaves the digits out where they are zero, and the registers hold whole seconds. A megabyte takes 1 ms. Stored bytes stand in
    JSON as a text, with escaped quotes, and so never change.
    """
    return _LIST.sub(lambda found: _ITEM.sub(_DIGITS, found[0]), _FIELD.sub(_DIGITS, json))


# Responses: encoding, ETags, and the formats of a resource that has several.


Headers: TypeAlias = Iterable[tuple[str, str]]

PIECE = 32 * 1024
"""Approximate bytes of a piece: a stream holds a few of them in memory."""
FIRST = 10.0
"""Seconds for which the status waits for the first piece."""
STALLED = 60.0
"""Seconds within which a client has to take something."""

_NOSNIFF = (b"x-content-type-options", b"nosniff")
_BREAKS_OFF = (BrokenOff, Forbidden, StoreUnavailableError, AuthenticationError, Unavailable)
_LOG = logging.getLogger("kiebitz.api")
_NOTHING: HTTPResponseBodyEvent = {"type": "http.response.body", "body": b"", "more_body": True}
_END: HTTPResponseBodyEvent = {"type": "http.response.body", "body": b"", "more_body": False}
_ENCODER = msgspec.json.Encoder()


class Response:
    """A whole response, compressed for clients that accept it. A HEAD request gets its headers only."""

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
        start, body = await self.render(scope)
        await send(start)
        if scope.get("method") == "HEAD":
            body = b""
        end: HTTPResponseBodyEvent = {"type": "http.response.body", "body": body, "more_body": False}
        await send(end)

    async def render(self, scope: Scope) -> tuple[HTTPResponseStartEvent, bytes]:
        """Return the start and the body as the client accepts them."""
        body, headers = (self.body, self.headers) if len(self.body) < SMALLEST else await compress_response(scope, self.body, self.headers)
        return {"type": "http.response.start", "status": self.status, "headers": headers}, body

    def to_asgi_response(self, **_: object) -> "Response":
        """Return itself. Litestar calls this on the result of an exception handler."""
        return self


class StreamedResponse(Response):
    """A response that is sent in pieces; its length is not known before.

    It takes a place among the concurrent streams, and no piece is made before the client has taken the last one: so it needs the memory of
    one or two pieces, however long it is and however slowly it is read. A client that is gone, or takes nothing for a minute, gets no more.

    An error before the first piece becomes a problem response, if it comes within ``FIRST`` seconds. A later error ends the response
    without its final chunk, so that no client takes it for complete.
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
        if scope.get("method") == "HEAD":
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
            _LOG.warning("request %s: the response was aborted: %s", request_id_of(scope), error)
        finally:
            gone.cancel()
            gone.add_done_callback(forget)

    async def _begin(self, send: Send) -> None:
        start: HTTPResponseStartEvent = {"type": "http.response.start", "status": self.status, "headers": self.headers}
        self.begun = True
        await send(start)

    async def _send(self, gone: asyncio.Future[None], send: Send) -> None:
        async with _make_next(self.pieces) as made:
            if await _first_of(made, gone, FIRST):
                made.result()  # raises what can still become a problem response
            await self._begin(send)
            piece = await _next_piece(gone, made)
        while piece is not None and await _send_piece(piece, send):
            async with _make_next(self.pieces) as made:
                piece = await _next_piece(gone, made)
        if piece is None:
            await send(_END)


@asynccontextmanager
async def _make_next(pieces: AsyncGenerator[bytes, None]) -> AsyncIterator[asyncio.Future[bytes | None]]:
    """Start making the next piece; cancel that where the context ends before it is there."""
    made = asyncio.ensure_future(anext(pieces, None))
    try:
        yield made
    finally:
        made.cancel()
        await asyncio.wait((made,))
        if not made.cancelled():
            made.exception()  # marks the exception as retrieved; it was raised to the caller already


async def _first_of(made: asyncio.Future[bytes | None], gone: asyncio.Future[None], seconds: float | None) -> bool:
    """Wait for the piece, the end of the connection or the timeout. Return whether the piece is there."""
    await asyncio.wait((made, gone), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    return made.done()


async def _next_piece(gone: asyncio.Future[None], made: asyncio.Future[bytes | None]) -> bytes | None:
    """Return the piece, if there is one and the client is still there."""
    await _first_of(made, gone, None)
    return None if gone.done() else made.result()


async def _send_piece(piece: bytes, send: Send) -> bool:
    """Send a piece, and wait until most of it has left the memory. Return False where the client takes nothing for too long."""
    part: HTTPResponseBodyEvent = {"type": "http.response.body", "body": piece, "more_body": True}
    await send(part)
    try:
        async with asyncio.timeout(STALLED):
            await send(_NOTHING)  # a server blocks before it accepts more than it can pass on, not after
    except TimeoutError:
        return False
    return True


def forget(gone: asyncio.Future[None]) -> None:
    """Mark the exception of a finished wait as retrieved."""
    if not gone.cancelled():
        gone.exception()


async def wait_until_gone(receive: Receive) -> None:
    """Return when the client has closed the connection; servers silently drop what is sent after that."""
    while (await receive())["type"] != "http.disconnect":
        pass


def encode(value: object) -> bytes:
    """Return the value as JSON, as responses have it."""
    return complete_times(_ENCODER.encode(value))


def encode_lines(values: Sequence[object]) -> bytes:
    """Return the values as lines of JSON."""
    return complete_times(_ENCODER.encode_lines(values))


def lines_of(values: Iterator[object]) -> bytes:
    """Return the next of these values as lines of JSON, about one piece; empty where there are no more."""
    told, size = list[bytes](), 0
    for value in values:
        told.append(encode(value) + b"\n")
        size += len(told[-1])
        if size >= PIECE:
            break
    return b"".join(told)


def no_store_response(value: object, *, status: int = 200, headers: Headers = (), vary: str = "") -> Response:
    """Return a value as JSON with ``no-store``: the response is for this request alone."""
    return Response(encode(value), status=status, headers=[*headers, ("cache-control", "no-store"), *([("vary", vary)] if vary else [])])


# ETags of responses and conditional requests (RFC 9110): If-None-Match for reads, If-Match for writes.


NO_CACHE = "no-cache"
NOWHERE = 0
"""The position before the first event; a decision at it is always overtaken (412)."""


FOR_EVER = "private, max-age=31536000, immutable"


FOR_AN_HOUR = "private, max-age=3600"


def content_hash(body: bytes) -> str:
    """Return a digest for the ETag of a response with names or texts of people: those change without a new position."""
    return sha256(body).hexdigest()[:32]


def build_etag_response(
    request: Request,
    etag: str,
    body: Callable[[], bytes],
    *,
    media_type: str = JSON,
    cache: str = NO_CACHE,
    headers: Iterable[tuple[str, str]] = (),
    vary: str = "authorization",
) -> Response:
    """Return the response with its ETag, or 304 where the caller holds it already; then nothing is encoded."""
    said = [("cache-control", cache), ("vary", vary), *headers]
    tag = build_tag(request, etag)
    known = _match_tag(request, tag)
    if known is not None:
        return Response(b"", status=304, headers=[("etag", known), *said])
    return Response(body(), media_type=media_type, headers=[("etag", tag), *said])


def is_known(request: Request, etag: str) -> bool:
    """Return whether the caller holds this response. Weak comparison, as RFC 9110 requires for reads."""
    return _match_tag(request, build_tag(request, etag)) is not None


def _match_tag(request: Request, plain: str) -> str | None:
    """Return the tag under which the caller holds it, plain or compressed."""
    named = read_header(request, b"if-none-match")
    if named is None:
        return None
    held = [tag.strip().removeprefix("W/") for tag in named.split(",")]
    if plain in held or held == ["*"]:
        return plain
    packed = tag_of_compressed(plain)
    return packed if packed in held and takes_gzip(header(request, b"accept-encoding")) else None


def build_tag(request: Request, etag: str) -> str:
    """Return the ETag as it is sent: quoted, with the epoch."""
    return f'"{etag}{epoch_mark(request)}"'


def parse_if_match(request: Request, if_match: str) -> int | None:
    """Return the position that the caller decided on; ``None`` for ``*``. Raises ``BadRequest``.

    An ETag of a read is accepted as well: it begins with the position. So is a weak one: a proxy that compresses makes ETags weak, and the
    position is exact all the same. Positions of another epoch are not comparable: for an ETag of another epoch the result is ``NOWHERE``.
    """
    if if_match.strip() == "*":
        return None
    tag = if_match.strip().removeprefix("W/")
    number, _, rest = tag[1:-1].partition(".") if len(tag) > 2 and tag[0] == tag[-1] == '"' else ("", "", "")
    if not (number.isascii() and number.isdigit() and len(number) <= 15):
        raise BadRequest("bad_header", say("if_match"), "If-Match")
    of_another_epoch = rest and not f".{rest.removesuffix('.gzip')}".endswith(epoch_mark(request))
    return NOWHERE if of_another_epoch else int(number)


# Formats of a response: each resource that has several keeps a table of them, by the names that its query takes.


_TEXT = {"type": "string"}


class Format(Struct, frozen=True):
    """A format.

    ``schema``: its schema in the OpenAPI document. ``parameters`` of the media type are sent with it. ``binary``: no terminal can show it.
    """

    media_type: str
    schema: Any
    parameters: str = ""
    binary: bool = False

    @property
    def content_type(self) -> str:
        return self.media_type + self.parameters


CSV = Format(media_types.CSV, _TEXT, "; charset=utf-8; header=present")
HTML = Format(media_types.HTML, _TEXT, "; charset=utf-8")
Name = TypeVar("Name", bound=str)


def binary_format(media_type: str) -> Format:
    return Format(media_type, {**_TEXT, "contentMediaType": media_type}, binary=True)


def schemas(formats: Mapping[Name, Format]) -> dict[str, Any]:
    """Return the schemas by media type, for the OpenAPI document."""
    return {one.media_type: one.schema for one in formats.values()}


def choose_format(request: Request, named: Name | None, formats: Mapping[Name, Format]) -> Name:
    """Return the format that the query names, else the one that fits ``Accept`` best. Raises ``NotAcceptable``."""
    if named is not None:
        return named
    best = media_type(header(request, b"accept"), tuple(schemas(formats)))
    return next(name for name, one in formats.items() if one.media_type == best)


# Cells of spreadsheets. Text that people write must not become a formula in somebody's spreadsheet (OWASP: CSV injection).


_FORMULA = re.compile(
    r"""
    (?P<before>^|[;\t\r\n])          # where a cell begins, also for programs that part cells there though the file does not
    (?=[\s"'\ufeff\u200b-\u200f]*       # what is left out before a formula
       [=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]  # and in the forms of full and small width
     |[\t\r\n])""",
    re.VERBOSE,
)
_QUOTED = frozenset(',;"\t\r\n')


def escape_cell(cell: object) -> object:
    """Put an apostrophe before text that a spreadsheet would read as a formula, or as cells one of which is a formula. Numbers stay
    numbers.
    """
    return _FORMULA.sub(r"\g<before>'", cell) if isinstance(cell, str) else cell


@lru_cache(maxsize=10_000)
def csv_text(text: str | None) -> str:
    """Return a cell of RFC 4180. Text with other separators is quoted too, so that programs that split there keep one cell."""
    cell = str(escape_cell(text or ""))
    return '"{}"'.format(cell.replace('"', '""')) if _QUOTED.intersection(cell) else cell
