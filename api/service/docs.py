"""The description of this API: for programs, and as a page for people that needs no script and no network."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, cast

import msgspec
from litestar import Litestar

from api.http.etag import respond_with_etag
from api.http.media_types import HTML, JSON
from api.http.openapi import document
from api.http.operations import Content, Operation, reads
from api.http.pages import page, style
from api.http.problems import HTTP, PROBLEMS, UNEXPECTED
from api.http.request import Request
from api.http.response import Response, encode

_DAY = "max-age=86400"


@reads(
    "/openapi.json",
    Operation(
        id="openapi",
        tag="Operation",
        summary="This description, for programs",
        responses={200: Content("OpenAPI 3.1", {JSON: {"type": "object"}}, headers=("ETag",))},
        headers=("If-None-Match",),
        role="anybody",
    ),
    admit=None,
)
async def openapi(request: Request) -> Response:
    body = encode(_document(request.app))
    return respond_with_etag(request, sha256(body).hexdigest()[:16], lambda: body, vary="accept-encoding")


@reads(
    "/docs",
    Operation(
        id="docs",
        tag="Operation",
        summary="This description, for people",
        responses={200: Content("a page", {HTML: {"type": "string"}})},
        role="anybody",
    ),
    admit=None,
)
async def docs(request: Request) -> Response:
    named = {kind.name: kind for kind in (*PROBLEMS.values(), *HTTP.values(), UNEXPECTED)}
    kinds = sorted(named.values(), key=lambda kind: (kind.status, kind.name))
    return page("docs.html.j2", {"api": _document(request.app), "kinds": kinds, "json": _pretty, "language": "en"})


@reads(
    "/assets/page.css",
    Operation(
        id="style",
        tag="Operation",
        summary="How the pages look",
        responses={200: Content("a style sheet", {"text/css": {"type": "string"}})},
        role="anybody",
    ),
    admit=None,
)
async def stylesheet(request: Request) -> Response:
    return Response(style(), media_type="text/css; charset=utf-8", headers=(("cache-control", _DAY),))


def _document(app: Litestar) -> Mapping[str, Any]:
    """Written once, at the first request."""
    if "document" not in app.state:
        app.state["document"] = document(app)
    return cast("Mapping[str, Any]", app.state["document"])


def _pretty(value: object) -> str:
    return msgspec.json.format(encode(value), indent=2).decode()
