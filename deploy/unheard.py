"""What callers are told whose request never came as far as the API: problems like all others, as bytes of HTTP/1.1."""

from http import HTTPStatus
from uuid import uuid4

from litestar.types import ASGIApp, Receive, Scope, Send

from api.http.problems import MEDIA_TYPE, Problem, ProblemType
from api.http.response import encode

MALFORMED = ProblemType(400, "malformed_request", "This is no HTTP")
TIMEOUT = ProblemType(408, "request_timeout", "The request was not finished in time")
URI_TOO_LONG = ProblemType(414, "uri_too_long", "The address is too long")
HEADER_TOO_LARGE = ProblemType(431, "header_too_large", "The header is too large")
UNKNOWN_METHOD = ProblemType(501, "unknown_method", "No resource knows this method")
FULL = ProblemType(503, "no_room", "There is no room for another connection")
KINDS = (MALFORMED, TIMEOUT, URI_TOO_LONG, HEADER_TOO_LARGE, UNKNOWN_METHOD, FULL)

_DETAILS = {
    MALFORMED: "a request begins with a line like: GET /health/live HTTP/1.1",
    TIMEOUT: "nothing of it was used; send it again, in one piece",
    URI_TOO_LONG: "nothing here has so long an address; an address has at most 32 kB",
    HEADER_TOO_LARGE: "a header has at most 64 kB, all its lines together",
    UNKNOWN_METHOD: "what can be asked here is asked with GET, HEAD, OPTIONS or POST",
    FULL: "ask again in a moment",
}
_RETRY = 1  # seconds


def refusal(kind: ProblemType) -> bytes:
    """The whole answer. The connection ends with it."""
    headers, body = _told(kind)
    lines = [f"HTTP/1.1 {kind.status} {HTTPStatus(kind.status).phrase}".encode(), *(name + b": " + value for name, value in headers)]
    return b"\r\n".join([*lines, b"", body])


def refusing(kind: ProblemType) -> ASGIApp:
    """The same as an application, for requests whose header was read to its end."""

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        headers, body = _told(kind)
        await send({"type": "http.response.start", "status": kind.status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return refuse


def _told(kind: ProblemType) -> tuple[list[tuple[bytes, bytes]], bytes]:
    problem = Problem(type=f"/docs#{kind.name}", title=kind.title, status=kind.status, detail=_DETAILS[kind], code=kind.name)
    body = encode(problem)
    headers = [
        (b"connection", b"close"),
        *([(b"retry-after", b"%d" % _RETRY)] if kind is FULL else []),
        (b"request-id", uuid4().hex.encode()),
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-language", b"en"),
        (b"cache-control", b"no-store"),
        (b"content-length", b"%d" % len(body)),
    ]
    return headers, body
