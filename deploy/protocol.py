"""HTTP as uvicorn speaks it, and an end to waiting for callers who never finish a request. uvicorn itself waits for ever."""

import asyncio
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from litestar.types import Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from deploy.callers import Callers

_PROGRESS = 1024  # bytes of a body that count as progress
_LONGEST_HEADER = 64 * 1024

_TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n"

_Part: TypeAlias = Literal["nothing", "header", "body", "whole"]
"""What has come of the newest request."""


class LimitedProtocol(HttpToolsProtocol):
    """One connection. Its alarm is set while a request is incomplete."""

    def __init__(
        self,
        callers: Callers,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._callers = callers
        self._limits = callers.limits
        self._part: _Part = "nothing"
        self._watched: _Part = "nothing"
        self._came = 0
        self._alarm: asyncio.TimerHandle | None = None
        self._proxied = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else None
        self._proxied = self._callers.trusts(host)
        if self._callers.enter(self, host):
            self._set_alarm(self._limits.header_seconds)
        else:
            self._end(_FULL)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_alarm()
        self._callers.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._came += len(data)
        if not self.transport.is_closing():
            self._watch()

    def on_message_begin(self) -> None:
        self._part, self._came = "header", 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._part, self._came = "body", 0
        app = self.app
        if self._proxied and not self._callers.enter_from(self, self._callers.forwarded(self.headers)):
            self.app = _no_room
        super().on_headers_complete()
        self.app = app

    def on_message_complete(self) -> None:
        if self._answering():
            self._part = "whole"
            self._callers.mark(self, busy=True)
        else:  # he was answered before, for who needs no body does not wait for it
            self._part, self._came = "nothing", 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._part == "whole" and not self.cycle.response_complete:
            return  # the next one came while this was being answered
        if self._part == "whole":
            self._part, self._came = "nothing", 0
        self._callers.mark(self, busy=False)
        if self._proxied:
            self._callers.enter_from(self, None)

    def dismiss(self) -> None:
        self._end(_TIMEOUT)

    def _watch(self) -> None:
        """Sets the alarm by what has come of the newest request."""
        part, before = self._part, self._watched
        self._watched = part
        if part == "whole":
            self._cancel_alarm()
        elif part == "body":
            if before != "body" or self._came >= _PROGRESS:
                self._came = 0
                self._set_alarm(self._limits.body_seconds)
        elif self._came > _LONGEST_HEADER:
            self._end(_TOO_LONG)
        elif self._alarm is None:
            self._set_alarm(self._limits.header_seconds)

    def _late(self) -> None:
        self._alarm = None
        answering = self._answering()
        if answering and (self._part != "body" or self.flow.read_paused or self.cycle.waiting_for_100_continue):
            self._set_alarm(self._limits.body_seconds)  # it is not the caller whom we wait for
        else:
            self._end(_TIMEOUT)

    def _end(self, word: bytes) -> None:
        """Who began a request is told why, unless he is being told something else; so is who is refused."""
        self._cancel_alarm()
        self._callers.leave(self)
        if self.transport.is_closing():
            return
        answering = self._answering()
        begun = (self._part == "body" and not self.cycle.response_started) if answering else self._part == "header"
        if begun or word is _FULL:
            self.transport.write(word)
        if answering:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    def _answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _set_alarm(self, seconds: float) -> None:
        self._cancel_alarm()
        self._alarm = self.loop.call_later(seconds, self._late)

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None


def protocol_for(callers: Callers) -> Callable[..., asyncio.Protocol]:
    """What uvicorn makes for every connection."""

    def made(*given: Any, **named: Any) -> asyncio.Protocol:
        return LimitedProtocol(callers, *given, **named)

    return made


async def _no_room(scope: Scope, receive: Receive, send: Send) -> None:
    headers = [(b"connection", b"close"), (b"retry-after", b"1"), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
