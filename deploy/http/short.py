"""Requests that go the short way of the application: read whole, answered at once. docs/decisions/0060-the-short-way.md says why.

What comes in pieces, or asks whether it may come, or is in any other way unusual, is dealt with as every other request.
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
"""Digits of the length of a body that is held."""
_CONTROLS = bytes(code for code in (*range(32), 127) if code != ord("\t"))
"""What no header may hold (RFC 9110, 5.5), and ends of lines."""
_FAILED = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"21")]


class Short(Protocol):
    """What an application offers that has a short way."""

    def enters(self, scope: HTTPScope) -> bool: ...

    def answered(self, scope: HTTPScope, receive: Receive) -> Awaitable[tuple[HTTPResponseStartEvent, bytes]]: ...


class _Whole:
    """A request that is to come as a whole, and what becomes of it: as much of uvicorn's cycle as a connection looks at."""

    disconnected = False
    response_started = False
    response_complete = False
    waiting_for_100_continue = False
    body = b""
    message_event = asyncio.Event()
    """Nobody waits for it."""

    def __init__(self, scope: Any, keep_alive: bool) -> None:
        self.scope = scope
        self.keep_alive = keep_alive


class ShortProtocol(PlainProtocol):
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
        self._given: Mapping[bytes, bytes] = {}
        """The headers of the newest request by their names."""
        self._held: _Whole | None = None
        self._whole: _Whole | None = None
        """What was held and is there, until it is being answered."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._held is not None:
            self._go_the_usual_way(self._held)

    def answer_whole(self) -> None:
        """Answer what has come as a whole."""
        whole, self._whole = self._whole, None
        if whole is None or self._short is None:
            return
        task = self.loop.create_task(self._answer(self._short, whole))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def on_headers_complete(self) -> None:
        """``_given`` is made before."""
        if self._enters():
            cycle: Any = _Whole(self.scope, self.parser.should_keep_alive())
            self.cycle = self._held = cycle
        else:
            super().on_headers_complete()

    def _enters(self) -> bool:
        """Whether the request goes the short way if all of it comes at once. Its scope is as uvicorn would have made it."""
        if self._short is None or self.app is not self.config.loaded_app or self._answering():
            return False
        if self.expect_100_continue or self.parser.should_upgrade() or self.parser.get_http_version() != "1.1":
            return False
        scope: Any = self.scope
        url = parse_url(self.url)
        scope["method"] = self.parser.get_method().decode()
        scope["path"], scope["raw_path"], scope["query_string"] = url.path.decode(), url.path, url.query or b""
        if not _comes_by_length(self._given):
            return False
        note_headers(scope, self._given)
        return self._short.enters(scope)

    def _answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _go_the_usual_way(self, held: _Whole) -> None:
        self.cycle = self._held = None  # type: ignore[assignment]
        super().on_headers_complete()
        super().on_body(held.body)

    def on_message_complete(self) -> None:
        if self._short is None or self._held is None:
            super().on_message_complete()
            return
        self._whole, self._held = self._held, None
        note_body(self._whole.scope, self._whole.body)

    async def _answer(self, short: Short, cycle: _Whole) -> None:
        try:
            start, body = await short.answered(cycle.scope, _received)
            await self._write(cycle, start["status"], start["headers"], body)
        except BaseException as error:
            # As uvicorn does with what an application raises.
            self.logger.error("Exception in ASGI application\n", exc_info=error)
            if cycle.response_started:
                self.transport.close()
            else:
                cycle.keep_alive = False
                await self._write(cycle, 500, _FAILED, b"Internal Server Error")

    async def _write(self, cycle: _Whole, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> None:
        """The whole answer as one piece. Its length is told in its header, or it has no body."""
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


def _comes_by_length(given: Mapping[bytes, bytes]) -> bool:
    """Whether what comes after the headers is nothing but a body of so many bytes, told by a number that reads as such, and not too many
    for any operation.
    """
    length = given.get(b"content-length")
    return b"transfer-encoding" not in given and (length is None or (length.isdigit() and len(length) <= _LONGEST))


async def _received() -> NoReturn:
    raise RuntimeError("the whole request is known already")


def _header_of(headers: Raw) -> bytes:
    """Raises ``ValueError`` for one that could be taken for several: what a caller says of himself may stand in an answer."""
    head = b"\r\n".join([*map(b": ".join, headers), b""])
    if len(head) - len(head.translate(None, _CONTROLS)) != 2 * len(headers):
        raise ValueError("an answer with a header of several lines")
    return head
