"""Fast path at the connection: a request that arrives whole is answered at once, without uvicorn's request cycle.

A request that comes in pieces, sends ``Expect: 100-continue`` or is unusual in another way is handled as every other request.
docs/decisions/0060-the-short-way.md gives the reasons.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Mapping
from typing import Any, NoReturn, Protocol

from httptools import parse_url
from litestar.types import HTTPResponseStartEvent, HTTPScope, Receive
from uvicorn.config import Config
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle
from uvicorn.server import ServerState

from api.http.request import note_body, note_headers
from api.http.sending import Raw
from deploy.http.plain import PlainProtocol

_LONGEST = 5
"""Maximum number of digits in the Content-Length of a body that is buffered."""
_CONTROLS = bytes(code for code in (*range(32), 127) if code != ord("\t"))
"""Characters forbidden in a header (RFC 9110, 5.5), and ends of lines."""
_FAILED = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"21")]


class Short(Protocol):
    """Interface of an application that has a fast path."""

    def prepare_scope(self, scope: HTTPScope) -> bool: ...

    def handle_request(self, scope: HTTPScope, receive: Receive) -> Awaitable[tuple[HTTPResponseStartEvent, bytes]]: ...


class _BufferedRequest:
    """A request that is expected to arrive whole, and its response state: those attributes of uvicorn's cycle that a connection reads."""

    disconnected = False
    response_started = False
    response_complete = False
    waiting_for_100_continue = False
    body = b""
    message_event = asyncio.Event()
    """Never awaited; the connection sets it."""

    def __init__(self, scope: Any, keep_alive: bool) -> None:
        self.scope = scope
        self.keep_alive = keep_alive


class ShortProtocol(PlainProtocol):
    """A connection with a fast path. An eligible request is held until it is complete, within the bytes that arrived together."""

    def __init__(
        self,
        short: Short | None,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._short = short
        self._given: Mapping[bytes, bytes] = {}
        """The headers of the newest request by their names."""
        self._held: _BufferedRequest | None = None
        self._whole: _BufferedRequest | None = None
        """A held request that is complete, until its answer begins."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._held is not None:
            self._use_full_path(self._held)

    def handle_buffered_request(self) -> None:
        """Answer a request that has arrived whole."""
        whole, self._whole = self._whole, None
        if whole is None or self._short is None:
            return
        task = self.loop.create_task(self._send_response(self._short, whole))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def on_headers_complete(self) -> None:
        """Hold the request if it is eligible. ``_given`` is set before."""
        if self._enters():
            cycle: Any = _BufferedRequest(self.scope, self.parser.should_keep_alive())
            self.cycle = self._held = cycle
        else:
            super().on_headers_complete()

    def _enters(self) -> bool:
        """Return whether the request is eligible for the fast path if all of it arrives at once. Its scope is as uvicorn would have made
        it.
        """
        if self._short is None or self.app is not self.config.loaded_app or self._is_busy():
            return False
        if self.expect_100_continue or self.parser.should_upgrade() or self.parser.get_http_version() != "1.1":
            return False
        scope: Any = self.scope
        url = parse_url(self.url)
        scope["method"] = self.parser.get_method().decode()
        scope["path"], scope["raw_path"], scope["query_string"] = url.path.decode(), url.path, url.query or b""
        if not _has_content_length(self._given):
            return False
        note_headers(scope, self._given)
        return self._short.prepare_scope(scope)

    def _is_busy(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _use_full_path(self, held: _BufferedRequest) -> None:
        self.cycle = self._held = None  # pyrefly: ignore[bad-assignment]
        super().on_headers_complete()
        super().on_body(held.body)

    def on_message_complete(self) -> None:
        if self._short is None or self._held is None:
            super().on_message_complete()
            return
        self._whole, self._held = self._held, None
        note_body(self._whole.scope, self._whole.body)

    async def _send_response(self, short: Short, cycle: _BufferedRequest) -> None:
        try:
            start, body = await short.handle_request(cycle.scope, _receive_nothing)
            await self._write(cycle, start["status"], start["headers"], body)
        except BaseException as error:
            # The same as uvicorn does with an exception of an application.
            self.logger.error("Exception in ASGI application\n", exc_info=error)
            if cycle.response_started:
                self.transport.close()
            else:
                cycle.keep_alive = False
                await self._write(cycle, 500, _FAILED, b"Internal Server Error")

    async def _write(self, cycle: _BufferedRequest, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> None:
        """Write the whole response as one piece. Its length is in its header, or it has no body."""
        if self.flow.write_paused and not cycle.disconnected:
            await self.flow.drain()
        if cycle.disconnected:
            return
        head = _header_of([*self.server_state.default_headers, *headers, *(() if cycle.keep_alive else (CLOSE_HEADER,))])
        cycle.response_started = cycle.response_complete = True
        self.transport.write(b"%b%b\r\n%b" % (STATUS_LINE[status], head, body))
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()


def _has_content_length(given: Mapping[bytes, bytes]) -> bool:
    """Return whether the headers are followed by a body of known length only, and one that is not too long for any operation."""
    length = given.get(b"content-length")
    return b"transfer-encoding" not in given and (length is None or (length.isdigit() and len(length) <= _LONGEST))


async def _receive_nothing() -> NoReturn:
    raise RuntimeError("the whole request is known already")


def _header_of(headers: Raw) -> bytes:
    """Return the headers as bytes. Raises ``ValueError`` for one that contains a line break: a response may echo values of the client."""
    head = b"\r\n".join([*map(b": ".join, headers), b""])
    if len(head) - len(head.translate(None, _CONTROLS)) != 2 * len(headers):
        raise ValueError("an answer with a header of several lines")
    return head
