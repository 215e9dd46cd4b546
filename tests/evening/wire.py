"""The application behind the protocol that serves it: each request as bytes over a connection that stays, on the loop of the driver."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import h11
from uvicorn.server import ServerState

from deploy.config.settings import USUAL
from deploy.http.connections import ConnectionRegistry
from deploy.http.server import configure_server
from tests.evening.asgi import Driver, Headers

_OF_THE_CONNECTION = {"transfer-encoding", "connection"}
"""What belongs to the way of the bytes and not to the answer (RFC 9110, 7.6.1)."""


class WireDriver(Driver):
    def __init__(self, app: Any, settle: Callable[[], Awaitable[None]]) -> None:
        super().__init__(app, settle)
        self._config = configure_server(app, ConnectionRegistry(USUAL))
        self._config.date_header = False
        self._config.load()

    async def _started(self) -> None:
        await super()._started()
        made: Any = self._config.http_protocol_class
        state = ServerState()
        self._server = await self._loop.create_server(lambda: made(self._config, state, {}, self._loop), "127.0.0.1", 0)
        await self._connect()

    async def _connect(self) -> None:
        self._reader, self._writer = await asyncio.open_connection(*self._server.sockets[0].getsockname())
        self._read = h11.Connection(h11.CLIENT)

    async def _stopped(self) -> None:
        self._writer.close()
        self._server.close()
        await super()._stopped()

    async def _ask(self, method: str, target: str, headers: Headers, body: bytes) -> tuple[int, Headers, bytes]:
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
        self._writer.write("".join(f"{line}\r\n" for line in [*lines, ""]).encode("latin-1") + body)
        found = await self._answer(method)
        if dict(headers).get("content-length", str(len(body))) != str(len(body)):
            self._writer.close()
            await self._connect()  # the service still waits for the rest of what was promised
        if method in ("POST", "PUT", "DELETE"):
            await self._settle()
        return found

    async def _answer(self, method: str) -> tuple[int, Headers, bytes]:
        # It is told of the request only to know whether the answer has a body.
        self._read.send(h11.Request(method=method, target="/", headers=[("host", "here")]))
        self._read.send(h11.EndOfMessage())
        status, headers, body = 0, Headers(), b""
        while not isinstance(event := self._read.next_event(), h11.EndOfMessage):
            if event is h11.NEED_DATA:
                self._read.receive_data(await self._reader.read(1 << 16))
            elif isinstance(event, h11.Response):
                status = event.status_code
                answered = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in event.headers]
                headers = [(name, value) for name, value in answered if name not in _OF_THE_CONNECTION]
            elif isinstance(event, h11.Data):
                body += event.data
        if self._read.our_state is h11.MUST_CLOSE:
            await self._connect()
        else:
            self._read.start_next_cycle()
        return status, headers, body
