"""Requests that the service makes to itself for a caller: through its own routing, with the caller's cookie or token.

So each guard, each redaction and each limit of the API holds for them, and no answer tells what the API does not tell this caller.
"""

from collections.abc import Iterable
from typing import Any, cast
from urllib.parse import unquote

from litestar.types import HTTPScope

from api.http.request import Request

_PASSED = (b"authorization", b"cookie", b"host", b"sec-fetch-site")
_COPIED = ("asgi", "http_version", "scheme", "server", "client")


def inner_scope(
    request: Request, target: str, headers: Iterable[tuple[bytes, bytes]], extensions: dict[str, Any] | None = None
) -> HTTPScope:
    """Return the ASGI scope of a GET of ``target``, a path with its query, percent-encoded, from the same place and by the same caller."""
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
