"""HTTP error responses for requests that never reached the API: problem details as bytes of HTTP/1.1."""

from collections.abc import Iterable
from http import HTTPStatus
from uuid import uuid4

from litestar.types import ASGIApp, Receive, Scope, Send

from api.http.errors import say
from api.http.problems import MEDIA_TYPE, Problem, ProblemType
from api.http.request import language
from api.http.response import encode
from api.http.sending import request_id_of
from domain import texts
from domain.texts import FALLBACK

MALFORMED = ProblemType(400, "malformed_request")
TIMEOUT = ProblemType(408, "request_timeout")
URI_TOO_LONG = ProblemType(414, "uri_too_long")
HEADER_TOO_LARGE = ProblemType(431, "header_too_large")
UNKNOWN_METHOD = ProblemType(501, "unknown_method")
FULL = ProblemType(503, "no_room")
KINDS = (MALFORMED, TIMEOUT, URI_TOO_LONG, HEADER_TOO_LARGE, UNKNOWN_METHOD, FULL)

_RETRY = 1  # seconds


def refusal(kind: ProblemType, usual: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the whole response, in English because the client's language is not known. The connection ends with it.

    ``usual``: the headers of every response of the server, above all the date (RFC 9110, 6.6.1).
    """
    headers, body = _write_problem(kind, uuid4().hex, FALLBACK)
    lines = [
        f"HTTP/1.1 {kind.status} {HTTPStatus(kind.status).phrase}".encode(),
        *(name + b": " + value for name, value in (*usual, *headers)),
    ]
    return b"\r\n".join([*lines, b"", body])


def build_error_app(kind: ProblemType) -> ASGIApp:
    """Return the same response as an ASGI application, for requests whose header was read to its end."""

    async def reject(scope: Scope, receive: Receive, send: Send) -> None:
        headers, body = _write_problem(kind, request_id_of(scope), language(_accept_language(scope)))
        await send({"type": "http.response.start", "status": kind.status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return reject


def _accept_language(scope: Scope) -> str:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == b"accept-language"), "")


def _write_problem(kind: ProblemType, id: str, language: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
    detail = texts.render(say(f"about.{kind.name}"), language)
    problem = Problem(type=f"/docs#{kind.name}", title=kind.title(language), status=kind.status, detail=detail, code=kind.name)
    body = encode(problem)
    headers = [
        (b"connection", b"close"),
        *([(b"retry-after", b"%d" % _RETRY)] if kind is FULL else []),
        (b"request-id", id.encode()),
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-language", language.encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        (b"content-length", b"%d" % len(body)),
    ]
    return headers, body
