"""A client that calls the application in its loop, without a request of httpx in between.

A read takes 0.3 ms of processor time in place of 0.9, and waits once for the loop in place of four times.
"""

import asyncio
import json
import re
from functools import cached_property
from queue import SimpleQueue
from typing import Any, cast
from urllib.parse import unquote

import httpx
from litestar import Litestar
from litestar.testing import TestClient
from litestar.types import HTTPScope, Message, Scope

_PLAIN = re.compile(r"/(?!/|.*/\.)[\w/.~:-]*(\?([\w/.~:&=,+-]|%[0-9A-F]{2})*)?", re.ASCII)
"""Addresses that httpx sends as they are written: without dot segments, or characters to be quoted."""
_KNOWN = {"headers", "content", "json", "params", "follow_redirects"}
_WITH_BODY = {"POST", "PUT", "PATCH"}
_DEFAULT = httpx.USE_CLIENT_DEFAULT


class Answer(httpx.Response):
    """Makes of what was asked for a request of httpx only when somebody looks at it."""

    asked: tuple[str, str] = ("GET", "")

    @property
    def request(self) -> httpx.Request:  # pyrefly: ignore[bad-override-param-name]
        return self._request or httpx.Request(*self.asked)

    @request.setter
    def request(self, request: httpx.Request) -> None:
        self._request = request


class Client(TestClient[Litestar]):
    """What is seldom sent (other hosts, cookies that are kept, bodies in pieces) goes the way of httpx."""

    def __init__(self, app: Litestar) -> None:
        super().__init__(app, raise_server_exceptions=False)

    @cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return self.blocking_portal.call(asyncio.get_running_loop)

    def request(self, method: str, url: Any, **given: Any) -> httpx.Response:
        wanted = {name: value for name, value in given.items() if value is not None and value is not _DEFAULT}
        body, headers = wanted.get("content", b""), self._headers_with(wanted.get("headers", {}))
        address = f"{url}?{httpx.QueryParams(wanted['params'])}" if wanted.get("params") else str(url)
        if not (_PLAIN.fullmatch(address) and wanted.keys() <= _KNOWN and isinstance(body, str | bytes) and headers) or self.cookies.jar:
            return super().request(method, url, **given)
        if "json" in wanted:
            body = json.dumps(wanted["json"], ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            headers.setdefault("content-type", "application/json")
        sent = body.encode() if isinstance(body, str) else body
        answer = self._answer(_scope(method, address, headers, sent), sent)
        answer.asked = method, f"{self.base_url}{address}"
        if answer.status_code == 303 and wanted.get("follow_redirects", True):
            self.cookies.extract_cookies(answer)
            return super().request("GET", answer.headers["location"], headers=wanted.get("headers"))
        return answer

    def _headers_with(self, given: dict[Any, Any]) -> dict[str, str]:
        """Return all headers, in small letters; none where one needs another encoding."""
        headers = {**self.headers, **{name.lower(): value for name, value in given.items()}}
        return headers if all(isinstance(one, str) and one.isascii() for pair in headers.items() for one in pair) else {}

    def _answer(self, scope: HTTPScope, body: bytes) -> Answer:
        tasks: list[asyncio.Task[Answer]] = []
        done: SimpleQueue[object] = SimpleQueue()

        def begin() -> None:
            tasks.append(self._loop.create_task(_ask(self.app, scope, body)))
            tasks[0].add_done_callback(done.put)

        self._loop.call_soon_threadsafe(begin)
        done.get()
        return tasks[0].result()


def _scope(method: str, address: str, headers: dict[str, str], body: bytes) -> HTTPScope:
    path, _, query = address.partition("?")
    host = headers.pop("host", "testserver.local")
    if body or method in _WITH_BODY:
        headers.setdefault("content-length", str(len(body)))
    scope = {
        "type": "http",
        "method": method,
        "path": unquote(path),
        "raw_path": address.encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": query.encode(),
        "headers": [(b"host", host.encode()), *((name.encode(), value.encode()) for name, value in headers.items())],
        "client": ("testclient", 50000),
        "server": ("testserver.local", 80),
        "http_version": "1.1",
        "extensions": {},
    }
    return cast(HTTPScope, scope)


async def _ask(app: Litestar, scope: HTTPScope, body: bytes) -> Answer:
    status, headers, pieces = 500, [], list[bytes]()
    left, over = [body], asyncio.Event()

    async def receive() -> Any:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        await over.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal status, headers
        assert not over.is_set(), "more of an answer that was over"
        if message["type"] == "http.response.start":
            status, headers = message["status"], list(message["headers"])
        elif message["type"] == "http.response.body":
            pieces.append(message.get("body", b"") if scope["method"] != "HEAD" else b"")
            if not message.get("more_body", False):
                over.set()

    try:
        await app(cast(Scope, scope), receive, send)
    except Exception:
        status, headers, pieces = 500, [], []
    answer = Answer(status, headers=headers, stream=httpx.ByteStream(b"".join(pieces)))
    answer.read()
    return answer
