"""Pages read what the API tells their reader, and nothing else: through its own door, with his cookie or token.

So each mask, each guard and each limit of the API is that of the page, and no page can tell what the API does not tell.
"""

from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from litestar.types import HTTPReceiveMessage, Message, Scope

from api.common.pages.appearance import spoken_to
from api.http.request import Request

_PASSED = (b"authorization", b"cookie", b"host", b"sec-fetch-site")
_ASKED: HTTPReceiveMessage = {"type": "http.request", "body": b"", "more_body": False}


class Told(NamedTuple):
    """What the API answered: JSON, as plain values."""

    status: int
    value: Any


class Untold(Exception):
    """The API refused: ``told.value`` is the problem."""

    def __init__(self, told: Told) -> None:
        super().__init__(told.value.get("detail"))
        self.told = told


async def told(request: Request, path: str, **query: object) -> Any:
    """What ``path`` answers to the reader of the page, in the language of the page. Raises ``Untold``."""
    answer = await asked(request, path, **query)
    if answer.status >= 400:
        raise Untold(answer)
    return answer.value


async def asked(request: Request, path: str, **query: object) -> Told:
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

    await request.app(_scope(request, path, query), receive, send)
    return Told(status, msgspec.json.decode(b"".join(parts)))


def _scope(request: Request, path: str, query: dict[str, object]) -> Scope:
    """A request from the same place, by the same caller."""
    outer = request.scope
    headers = [pair for pair in outer["headers"] if pair[0] in _PASSED]
    headers += [(b"accept", b"application/json"), (b"accept-language", spoken_to(request).encode())]
    given = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items() if value is not None}
    return {  # type: ignore[return-value]
        **{name: outer[name] for name in ("asgi", "http_version", "scheme", "server", "client") if name in outer},  # type: ignore[misc]
        "type": "http",
        "method": "GET",
        "root_path": "",
        "path": path,
        "raw_path": path.encode(),
        "query_string": urlencode(given).encode(),
        "headers": headers,
    }
