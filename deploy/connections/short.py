"""Requests that go the short way of the application: read whole, answered at once. docs/decisions/0060-the-short-way.md says why.

What comes in pieces, or asks whether it may come, is dealt with as every other request.
"""

import asyncio
import re
from collections.abc import Awaitable, Iterable
from functools import partial
from typing import Any, Protocol, cast

from litestar.types import HTTPResponseStartEvent, HTTPScope, Receive, Send
from uvicorn._types import ASGI3Application, ASGIReceiveCallable, ASGISendCallable
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

_UNSAFE = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""In headers, besides the ends of lines (RFC 9110, 5.5)."""


class Short(Protocol):
    """What an application offers that has a short way."""

    def enters(self, scope: HTTPScope) -> bool: ...

    def answered(self, scope: HTTPScope, receive: Receive) -> Awaitable[tuple[HTTPResponseStartEvent, bytes]]: ...


class ShortProtocol(HttpToolsProtocol):
    """One connection. A request that enters is held until it is there as a whole, within the bytes that came together."""

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
        self._reads = False
        self._held: RequestResponseCycle | None = None

    def data_received(self, data: bytes) -> None:
        self._reads = True
        super().data_received(data)
        self._reads = False
        if self._held is not None:
            held, self._held = self._held, None
            super()._start_asgi_task(held, self.app)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        enters = self._short is not None and app is self.config.loaded_app and self._short.enters(cast(HTTPScope, cycle.scope))
        if not enters:
            super()._start_asgi_task(cycle, app)
        elif not cycle.more_body:
            self._answer(cycle)
        elif self._reads:
            self._held = cycle
        else:
            super()._start_asgi_task(cycle, app)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        if self._held is not None and not self._held.more_body:
            held, self._held = self._held, None
            self._answer(held)

    def _answer(self, cycle: RequestResponseCycle) -> None:
        super()._start_asgi_task(cycle, partial(_answer, cast(Short, self._short), cycle))


async def _answer(
    short: Short, cycle: RequestResponseCycle, scope: Any, receive: ASGIReceiveCallable | Receive, send: ASGISendCallable | Send
) -> None:
    start, body = await short.answered(scope, cast(Receive, receive))
    if cycle.flow.write_paused and not cycle.disconnected:
        await cycle.flow.drain()
    if not cycle.disconnected:
        _write(cycle, start, body)


def _write(cycle: RequestResponseCycle, start: HTTPResponseStartEvent, body: bytes) -> None:
    """The whole answer as one piece. Its length is told in its header, or it has no body."""
    head = _header_of([*cycle.default_headers, *start["headers"], *(() if cycle.keep_alive else [(b"connection", b"close")])])
    cycle.response_started = cycle.response_complete = True
    cycle.transport.write(b"".join((STATUS_LINE[start["status"]], head, b"\r\n", body)))
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()


def _header_of(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Raises ``ValueError`` for one that could be taken for several: what a caller says of himself may stand in an answer."""
    lines = [b"%b: %b\r\n" % pair for pair in headers]
    head = b"".join(lines)
    if head.count(b"\n") != len(lines) or head.count(b"\r") != len(lines) or _UNSAFE.search(head):
        raise ValueError("an answer with a header of several lines")
    return head
