"""Internal requests: the service calls its own API on behalf of a caller, with the caller's cookie or token.

The requests go through normal routing. So every guard, redaction and limit of the API applies to them.
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
