"""Pages read what the API tells their reader, and nothing else: through its own door, with his cookie or token.

So each mask, each guard and each limit of the API is that of the page, and no page can tell what the API does not tell.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast
from urllib.parse import quote, unquote, urlencode

import msgspec
from litestar.types import HTTPReceiveMessage, HTTPScope, Message

from api.common.pages.assets import page_language
from api.http.request import Request

_PASSED = (b"authorization", b"cookie", b"host", b"sec-fetch-site")
_COPIED = ("asgi", "http_version", "scheme", "server", "client")


def inner_scope(
    request: Request, target: str, headers: Iterable[tuple[bytes, bytes]], extensions: dict[str, Any] | None = None
) -> HTTPScope:
    """Return the ASGI scope of a GET of ``target``, a path with its query, percent-encoded, with the client address and credentials of the
    caller.
    """
    outer, (path, _, query) = request.scope, target.partition("?")
    scope = {
        **{name: outer[name] for name in _COPIED if name in outer},  # type: ignore[literal-required]
        "type": "http",
        "method": "GET",
        "root_path": "",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [*(pair for pair in outer["headers"] if pair[0] in _PASSED), *headers],
        "extensions": extensions or {},
    }
    return cast(HTTPScope, scope)


_LONGEST = 200  # items on a page of a list
_ASKED: HTTPReceiveMessage = {"type": "http.request", "body": b"", "more_body": False}


class ApiResponse(NamedTuple):
    """A response of the API: JSON, as plain values."""

    status: int
    value: Any

    @property
    def value_if_ok(self) -> Mapping[str, Any] | None:
        """The answer, or None where the API refused."""
        return cast("Mapping[str, Any]", self.value) if self.status == 200 else None


class ApiError(Exception):
    """The API refused: ``told.value`` is the problem."""

    def __init__(self, told: ApiResponse) -> None:
        super().__init__(told.value.get("detail"))
        self.told = told


async def fetch_value(request: Request, path: str, **query: object) -> Any:
    """Return the API's response at ``path`` for the reader of the page, in the language of the page. Raises ``ApiError``."""
    answer = await call_api(request, path, **query)
    if answer.status >= 400:
        raise ApiError(answer)
    return answer.value


async def fetch_all_pages(request: Request, path: str) -> Any:
    """The same of a list that has pages: the first one, with the ``items`` of all. Raises ``ApiError``."""
    first = page = await fetch_value(request, path, limit=_LONGEST)
    while page["next"] is not None:
        page = await fetch_value(request, path, limit=_LONGEST, cursor=page["next"])
        first["items"] += page["items"]
    return first


async def call_api(request: Request, path: str, **query: object) -> ApiResponse:
    """The same where a refusal is an answer, too."""
    status, parts = 500, list[bytes]()

    async def receive() -> HTTPReceiveMessage:
        return _ASKED

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        elif message["type"] == "http.response.body":
            parts.append(message["body"])

    headers = ((b"accept", b"application/json"), (b"accept-language", page_language(request).encode()))
    await request.app(inner_scope(request, _target(path, query), headers), receive, send)
    return ApiResponse(status, msgspec.json.decode(b"".join(parts)))


def _target(path: str, query: dict[str, object]) -> str:
    given = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items() if value is not None}
    return f"{quote(path)}?{urlencode(given)}"
