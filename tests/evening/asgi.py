"""An ASGI application asked in this process, one request after another, with nothing between it and the bytes of its answers."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias
from urllib.parse import unquote

Headers: TypeAlias = list[tuple[str, str]]
Message: TypeAlias = dict[str, Any]


class Driver:
    """A context: the application's lifespan. One thread works for its loop, so that what is begun together ends in the same order."""

    def __init__(self, app: Any, settle: Callable[[], Awaitable[None]]) -> None:
        self._app = app
        self._settle = settle

    def __enter__(self) -> "Driver":
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(ThreadPoolExecutor(1))
        self._loop.run_until_complete(self._started())
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.run_until_complete(self._stopped())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def ask(self, method: str, target: str, headers: Headers, body: bytes) -> tuple[int, Headers, bytes]:
        return self._loop.run_until_complete(self._ask(method, target, headers, body))

    async def _started(self) -> None:
        self._received: asyncio.Queue[Message] = asyncio.Queue()
        self._sent: asyncio.Queue[Message] = asyncio.Queue()
        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        self._lifespan = self._loop.create_task(self._app(scope, self._received.get, self._sent.put))
        await self._told("startup")

    async def _stopped(self) -> None:
        await self._told("shutdown")
        await self._lifespan

    async def _told(self, what: str) -> None:
        await self._received.put({"type": f"lifespan.{what}"})
        answer = await self._sent.get()
        if answer["type"] != f"lifespan.{what}.complete":
            raise RuntimeError(answer.get("message", answer["type"]))

    async def _ask(self, method: str, target: str, headers: Headers, body: bytes) -> tuple[int, Headers, bytes]:
        requests: asyncio.Queue[Message] = asyncio.Queue()
        requests.put_nowait({"type": "http.request", "body": body, "more_body": False})
        messages: list[Message] = []

        async def send(message: Message) -> None:
            messages.append(message)

        await self._app(_scope(method, target, headers), requests.get, send)
        if method in ("POST", "PUT", "DELETE"):
            await self._settle()
        start = messages[0]
        answered = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in start["headers"]]
        return start["status"], answered, b"".join(message.get("body", b"") for message in messages[1:])


def _scope(method: str, target: str, headers: Headers) -> dict[str, Any]:
    path, _, query = target.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
