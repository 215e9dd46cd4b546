"""HTTP connection protocol for uvicorn with read timeouts and size limits for incomplete requests.

uvicorn itself waits without limit for a client that never finishes a request.
"""

import asyncio
import re
import sys
from collections.abc import Callable, Iterable
from functools import partial
from http import HTTPStatus
from typing import Any, Literal, TypeAlias
from uuid import uuid4
from weakref import ref

from httptools import HttpParserCallbackError, HttpParserInvalidMethodError
from litestar.types import ASGIApp, Receive, Scope, Send
from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from uvicorn.server import ServerState

from api.common.live.event_stream import PUSH
from api.http.errors import say
from api.http.problems import MEDIA_TYPE, Problem, ProblemType
from api.http.request import by_name, language
from api.http.response import encode
from api.http.sending import request_id_of
from deploy.http.connections import ConnectionRegistry, last_header_value
from deploy.http.short import Short, ShortProtocol
from domain import texts
from domain.texts import FALLBACK

# HTTP error responses for requests that never reached the API: problem details as bytes of HTTP/1.1.


MALFORMED = ProblemType(400, "malformed_request")
TIMEOUT = ProblemType(408, "request_timeout")
URI_TOO_LONG = ProblemType(414, "uri_too_long")
HEADER_TOO_LARGE = ProblemType(431, "header_too_large")
UNKNOWN_METHOD = ProblemType(501, "unknown_method")
FULL = ProblemType(503, "no_room")
KINDS = (MALFORMED, TIMEOUT, URI_TOO_LONG, HEADER_TOO_LARGE, UNKNOWN_METHOD, FULL)

_RETRY = 1  # seconds


def refusal(kind: ProblemType, usual: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the whole response, in English because the client's language is not known. The connection ends with it.

    ``usual``: the headers of every response of the server, above all the date (RFC 9110, 6.6.1).
    """
    headers, body = _write_problem(kind, uuid4().hex, FALLBACK)
    lines = [
        f"HTTP/1.1 {kind.status} {HTTPStatus(kind.status).phrase}".encode(),
        *(name + b": " + value for name, value in (*usual, *headers)),
    ]
    return b"\r\n".join([*lines, b"", body])


def build_error_app(kind: ProblemType) -> ASGIApp:
    """Return the same response as an ASGI application, for requests whose header was read to its end."""

    async def reject(scope: Scope, receive: Receive, send: Send) -> None:
        headers, body = _write_problem(kind, request_id_of(scope), language(_accept_language(scope)))
        await send({"type": "http.response.start", "status": kind.status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return reject


def _accept_language(scope: Scope) -> str:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == b"accept-language"), "")


def _write_problem(kind: ProblemType, id: str, language: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
    detail = texts.render(say(f"about.{kind.name}"), language)
    problem = Problem(type=f"/docs#{kind.name}", title=kind.title(language), status=kind.status, detail=detail, code=kind.name)
    body = encode(problem)
    headers = [
        (b"connection", b"close"),
        *([(b"retry-after", b"%d" % _RETRY)] if kind is FULL else []),
        (b"request-id", id.encode()),
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-language", language.encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        (b"content-length", b"%d" % len(body)),
    ]
    return headers, body


_PROGRESS = 1024  # bytes of a body that count as progress
_LONGEST_HEADER = 64 * 1024
_LONGEST_ADDRESS = 32 * 1024
_TOKEN = re.compile(rb"[!#-'*+\-.0-9A-Z^-z|~]")
"""Characters of a method (RFC 9110, 5.6.2).

Only the first byte is checked: wherever the request is split, it has arrived when the parser gives up.
"""

_Part: TypeAlias = Literal["nothing", "header", "body", "whole"]
"""The part of the newest request that has arrived."""


class LimitedProtocol(ShortProtocol):
    """A connection with limits. Its alarm is set while a request is incomplete."""

    def __init__(
        self,
        callers: ConnectionRegistry,
        short: Short | None,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(short, config, server_state, app_state, _loop)
        self._callers = callers
        self._limits = callers.limits
        self.url = b""  # uvicorn sets it only where a request begins
        self._part: _Part = "nothing"
        self._watched: _Part = "nothing"
        self._came = 0
        self._first = b""
        """The byte with which the first request began."""
        self._is_first = True
        self._last: ProblemType | None = None
        """The reason why no more is read: the request under way is answered, then the connection ends with this problem."""
        self._is_half_closed = False
        self._alarm: asyncio.TimerHandle | None = None
        self._address: str | None = None
        self._proxied = False

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        host = self.client[0] if self.client else None
        self._address = self._callers.counted(host)
        self._proxied = self._address is None
        if self._callers.enter(self, host):
            self._set_timer(self._limits.header_seconds)
        else:
            self._end(FULL)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timer()
        self._callers.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._reads_on():
            return
        self._data = data
        if self._is_first and self._part == "nothing":
            self._first = data.lstrip(b"\r\n")[:1]
        super().data_received(data)
        self._came += len(data)
        if self._reads_on() and not self.transport.is_closing():
            self._watch()
        self.handle_buffered_request()

    def _reads_on(self) -> bool:
        return self._last is None

    def eof_received(self) -> bool:  # pyrefly: ignore[bad-override]
        """Keep the connection for a client that sends no more but waits for its response (RFC 9112, 9.6).

        TLS has no half-closed connections. A response stream that already runs is ended.
        """
        waits = self._part != "body" and self._is_busy() and not self.cycle.response_started
        self._is_half_closed = waits and self.scheme == "http"
        return self._is_half_closed

    def on_message_begin(self) -> None:
        self._part, self._came = "header", 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Ignore trailers, which are not headers (RFC 9110, 6.5.1): a proxy may have checked the head alone. Strip blanks after values
        (5.5).
        """
        if self._part == "header":
            super().on_header(name, value.rstrip(b" \t"))

    def on_headers_complete(self) -> None:
        app = self.app
        self._given = by_name(self.headers)
        self._note_caller()
        if (kind := self._find_refusal()) is not None:
            self.app = build_error_app(kind)
            self.url = b"/"  # a URL that is too long cannot be parsed
        self._part, self._came = "body", 0
        super().on_headers_complete()
        self.app = app

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        push: Any = partial(_push, ref(cycle))
        cycle.scope["extensions"] = {PUSH: push}
        super()._start_asgi_task(cycle, app)

    def _note_caller(self) -> None:
        """Take the client address and scheme from a trusted proxy's headers; the same headers from others are ignored."""
        if self._proxied:
            self._address = self._callers.read_forwarded_address(self.headers) if b"x-forwarded-for" in self._given else None
            if b"x-forwarded-proto" in self._given and last_header_value(self.headers, b"x-forwarded-proto").lower() == b"https":
                self.scope["scheme"] = "https"
        if self._address is not None:
            self.scope["client"] = (self._address, 0)

    def _find_refusal(self) -> ProblemType | None:
        """Return the problem of a header that was read to its end but is not passed on, or ``None``."""
        if len(self.url) > _LONGEST_ADDRESS:
            return URI_TOO_LONG
        if self._came + len(self._data) > _LONGEST_HEADER and _size(self.headers) > _LONGEST_HEADER:
            return HEADER_TOO_LARGE
        if self.parser.get_http_version() == "1.1" and b"," in self._given.get(b"host", b","):
            return MALFORMED  # RFC 9112, 3.2: no Host, or several
        if self._proxied and not self._callers.enter_from(self, self._address):
            return FULL
        return None

    def send_400_response(self, msg: str) -> None:
        """Refuse the request where the parser cannot continue; uvicorn calls this method.

        An unknown method is reported as such only for the first request; behind another request it counts as malformed.
        """
        error = sys.exception()
        unknown = self._is_first and isinstance(error, HttpParserInvalidMethodError) and _TOKEN.match(self._first)
        if self._part == "nothing" or isinstance(error, HttpParserCallbackError):
            self._part = "header"
        self._reject(UNKNOWN_METHOD if unknown else MALFORMED)

    def on_message_complete(self) -> None:
        self._is_first = False
        if self._is_upgrade_requested():
            return  # its body comes through another parser
        if self._is_busy():
            self._part = "whole"
            self._callers.mark(self, busy=True)
        else:  # the response was complete before: an operation without a body does not wait for one
            self._part, self._came = "nothing", 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._part == "whole" and not self.cycle.response_complete:
            return  # the next request arrived while this one was being answered
        if self._part == "whole":
            self._part, self._came = "nothing", 0
        self._callers.mark(self, busy=False)
        if self._proxied and self._address is not None:
            self._callers.enter_from(self, None)
        if not self._is_busy():
            self._end_after_response()

    def _end_after_response(self) -> None:
        if self._last is not None and not self.transport.is_closing():
            self.transport.write(refusal(self._last, self.server_state.default_headers))
        if self._last is not None or self._is_half_closed:
            self._callers.leave(self)
            self.transport.close()

    def evict(self) -> None:
        self._end(TIMEOUT)

    def _watch(self) -> None:
        """Set the alarm according to the part of the newest request that has arrived."""
        part, before = self._part, self._watched
        self._watched = part
        if part == "whole":
            self._cancel_timer()
        elif part == "body":
            if before != "body" or self._came >= _PROGRESS:
                self._came = 0
                self._set_timer(self._limits.body_seconds)
        elif len(self.url) > _LONGEST_ADDRESS:
            self._reject(URI_TOO_LONG)
        elif self._came > _LONGEST_HEADER:
            self._reject(HEADER_TOO_LARGE)
        elif self._alarm is None:
            self._set_timer(self._limits.header_seconds)

    def _on_timeout(self) -> None:
        self._alarm = None
        answering = self._is_busy()
        if answering and (self._part != "body" or self.flow.read_paused or self.cycle.waiting_for_100_continue):
            self._set_timer(self._limits.body_seconds)  # the delay is not the client's
        else:
            self._end(TIMEOUT)

    def _reject(self, kind: ProblemType) -> None:
        """Refuse the incoming request, once those before it are answered."""
        if self._part != "body" and self._is_busy():
            self._last = kind
            self._cancel_timer()
        else:
            self._end(kind)

    def _end(self, kind: ProblemType) -> None:
        """Close the connection; send the reason if a request was begun and no other response has started, or if there is no room."""
        self._cancel_timer()
        self._callers.leave(self)
        if self.transport.is_closing():
            return
        answering = self._is_busy()
        begun = (self._part == "body" and not self.cycle.response_started) if answering else self._part == "header"
        if begun or kind is FULL:
            self.transport.write(refusal(kind, self.server_state.default_headers))
        if answering:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    def _set_timer(self, seconds: float) -> None:
        self._cancel_timer()
        self._alarm = self.loop.call_later(seconds, self._on_timeout)

    def _cancel_timer(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None


def _push(answering: ref[RequestResponseCycle], piece: bytes) -> bool:
    """Write a chunk of a response that has begun, without going through the application's tasks; return False if that would have to wait.

    The reference is weak: this function is stored in the scope of the request, which the cycle holds. A strong one would be a reference
    cycle that stays until the garbage collector runs.
    """
    cycle = answering()
    if cycle is None or not cycle.chunked_encoding or cycle.response_complete or cycle.disconnected or cycle.flow.write_paused:
        return False
    cycle.transport.write(b"%x\r\n%b\r\n" % (len(piece), piece))
    return True


def _size(headers: Iterable[tuple[bytes, bytes]]) -> int:
    """Return the size of the headers as they arrived, with the separators."""
    return sum(len(name) + len(value) + 4 for name, value in headers)


def protocol_for(callers: ConnectionRegistry, short: Short | None) -> Callable[..., asyncio.Protocol]:
    """Return the factory that uvicorn calls for every connection. ``short``: the fast path of the application, if it has one."""

    def build_protocol(*given: Any, **named: Any) -> asyncio.Protocol:
        return LimitedProtocol(callers, short, *given, **named)

    return build_protocol
