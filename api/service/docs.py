"""The OpenAPI document, and the same as a page for people that needs no script and no network.

Both need no token. So they are written and compressed once, a request costs no more than sending them, and requests are counted by address.
"""

import asyncio
import gzip
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from importlib.resources import files
from typing import cast

from litestar import Litestar
from msgspec import Struct

from api.http.description.openapi import document
from api.http.guards import count_by_address
from api.http.limits import more_time
from api.http.media_types import HTML, JSON
from api.http.operations import PAGES, Content, Operation, reads
from api.http.pages import SECURITY
from api.http.problems import HTTP, PROBLEMS, UNEXPECTED
from api.http.request import Request, header, services_of, takes_gzip
from api.http.response import Response, build_etag_response, encode
from api.service.docs_page import page

_WRITING = 60.0  # extra seconds: far more than it takes, even on a busy machine
_PYTHON = "text/x-python"
PROGRAMS, PEOPLE, VERIFIER = "description for programs", "description for people", "verifier"
"""Keys of the application's state; the second one is followed by the keys of the log."""


class _CompressedPage(Struct, frozen=True):
    """The content, plain and compressed."""

    plain: bytes
    compressed: bytes
    digest: str


@reads(
    "/openapi.json",
    Operation(
        id="openapi",
        tag="Operation",
        summary="Read this description, for programs",
        responses={200: Content("OpenAPI 3.1", {JSON: {"type": "object"}}, headers=("ETag",))},
        refuses=(429,),
        role="anybody",
    ),
    admit=count_by_address,
)
async def openapi(request: Request) -> Response:
    return _response(request, await _write_once(request, PROGRAMS, _for_programs), JSON)


@reads(
    "/docs",
    Operation(
        id="docs",
        tag=PAGES,
        summary="Show this description, for people",
        responses={200: Content("a page", {HTML: {"type": "string"}}, headers=("ETag",))},
        refuses=(429,),
        role="anybody",
    ),
    admit=count_by_address,
)
async def docs(request: Request) -> Response:
    log = services_of(request).log
    keys = await asyncio.to_thread(log.keys) if log and log.open else []
    told = await _write_once(request, " ".join((PEOPLE, *keys)), partial(_for_readers, keys=keys))
    return _response(request, told, f"{HTML}; charset=utf-8", *SECURITY)


@reads(
    "/docs/verifier",
    Operation(
        id="verifier",
        tag="Operation",
        summary="Read the program that verifies proof files",
        description="The program is one file. It needs Python and the package `cryptography`, and no part of Kiebitz.",
        responses={200: Content("Python", {_PYTHON: {"type": "string"}}, headers=("ETag",))},
        refuses=(429,),
        role="anybody",
    ),
    admit=count_by_address,
)
async def verifier(request: Request) -> Response:
    saved_as = ("content-disposition", 'attachment; filename="kiebitz-verify.py"')
    return _response(request, await _write_once(request, VERIFIER, _for_verifying), f"{_PYTHON}; charset=utf-8", saved_as)


def _response(request: Request, told: _CompressedPage, media_type: str, *headers: tuple[str, str]) -> Response:
    """Return the content, compressed for clients that accept it. The two forms are different bytes, so each has an ETag of its own."""
    compressed = takes_gzip(header(request, b"accept-encoding"))
    body, etag = (told.compressed, f"{told.digest}.gzip") if compressed else (told.plain, told.digest)
    coding = [("content-encoding", "gzip")] if compressed else []
    return build_etag_response(request, etag, lambda: body, media_type=media_type, headers=[*headers, *coding], vary="accept-encoding")


async def _write_once(request: Request, name: str, write: Callable[[Litestar], bytes]) -> _CompressedPage:
    """Return the cached content. The first request writes it in a thread; requests meanwhile wait for the same result."""
    state = request.app.state
    if name not in state:
        state[name] = asyncio.ensure_future(asyncio.to_thread(lambda: _compress(write(request.app))))
    if not state[name].done():
        more_time(request, _WRITING)
    return cast(_CompressedPage, await asyncio.shield(state[name]))


def _compress(body: bytes) -> _CompressedPage:
    return _CompressedPage(body, gzip.compress(body, mtime=0), sha256(body).hexdigest()[:16])


def _for_programs(app: Litestar) -> bytes:
    return encode(document(app))


def _for_readers(app: Litestar, keys: Sequence[str]) -> bytes:
    named = {kind.name: kind for kind in (*PROBLEMS.values(), *HTTP.values(), UNEXPECTED)}
    return page(document(app), sorted(named.values(), key=lambda kind: (kind.status, kind.name)), keys)


def _for_verifying(app: Litestar) -> bytes:
    return files("replay.proof").joinpath("single_file.py").read_bytes()
