"""Who follows while a twin is recorded: what comes to him, byte for byte."""

import asyncio
from concurrent.futures import Future
from itertools import count
from typing import Any

from anyio.from_thread import BlockingPortal

from api.common.live.event_stream import PUSH

_BEAT = b":\n\n"
_SOON = 300.0  # seconds until a listener who is told nothing is taken for hung


class Listener:
    """A stream, as it goes over the line. ``status`` 0: it has not begun. Every other one can be told without waking who waits."""

    _numbers = count()

    def __init__(self, portal: BlockingPortal, app: Any, target: str, headers: dict[str, str]) -> None:
        path, _, query = target.partition("?")
        self.status, self.body = 0, b""
        self._portal, self._app = portal, app
        self._gone, self._changed = portal.call(_events)
        self._scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "state": {},
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "server": ("testserver", 80),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("testclient", 1),
            "extensions": {PUSH: self._push} if next(self._numbers) % 2 else {},
        }
        self._answer: Future[Any] = portal.start_task_soon(self._run)

    def until(self, position: int) -> None:
        """Until he was told of this position, or is told nothing at all."""
        self._portal.call(self._wait, b"id: %d\n" % position)

    def told(self) -> tuple[int, bytes]:
        return self.status, self.body.replace(_BEAT, b"")

    def close(self) -> None:
        self._portal.call(self._gone.set)
        self._answer.result(_SOON)

    async def _run(self) -> None:
        await self._app(self._scope, self._receive, self._send)

    async def _wait(self, mark: bytes) -> None:
        async with asyncio.timeout(_SOON):
            while self.status in (0, 200) and mark not in self.body:
                self._changed.clear()
                await self._changed.wait()

    async def _receive(self) -> Any:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.body += message.get("body", b"")
        self._changed.set()

    def _push(self, piece: bytes) -> bool:
        self.body += piece
        self._changed.set()
        return True


async def _events() -> tuple[asyncio.Event, asyncio.Event]:
    return asyncio.Event(), asyncio.Event()
