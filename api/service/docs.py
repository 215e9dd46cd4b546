"""The OpenAPI document, and the same as pages for people that need no script and no network.

Both need no token. So they are written and compressed once, a request costs no more than sending them, and requests are counted by address.
"""

import asyncio
import gzip
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec
from litestar import Litestar
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from msgspec import Meta, Struct

from api.http.decoding import Incoming, read_query
from api.http.description.openapi import document
from api.http.guards import count_by_address
from api.http.limits import more_time
from api.http.media_types import HTML, JSON
from api.http.operations import Content, reads, shows
from api.http.pages import SECURITY_OF_SEARCH
from api.http.problems import HTTP, PROBLEMS, UNEXPECTED, ProblemType
from api.http.request import Request, header, part_of, services_of, takes_gzip
from api.http.response import Response, build_etag_response, encode
from api.service.docs_page import contents_page, schema_page, tag_page

_WRITING = 60.0  # extra seconds: far more than it takes, even on a busy machine
_PYTHON = "text/x-python"
PROGRAMS, PEOPLE, VERIFIER = "description for programs", "description for people", "verifier"
"""Keys of the written pages; the second one is followed by the name of the page."""


class _CompressedPage(Struct, frozen=True):
    """The content, plain and compressed."""

    plain: bytes
    compressed: bytes
    digest: str


class PageCache(dict[str, asyncio.Future[_CompressedPage]]):
    """The pages that were written, or are being written."""


@reads(
    "/openapi.json",
    "openapi",
    "Read this description, for programs",
    tag="Operation",
    responses={200: Content("OpenAPI 3.1", {JSON: {"type": "object"}}, headers=("ETag",))},
    refuses=(429,),
    role="anybody",
    admit=count_by_address,
)
async def openapi(request: Request) -> Response:
    return _response(request, await _write_once(request, PROGRAMS, _for_programs), JSON)


class ContentsQuery(Incoming, frozen=True, kw_only=True):
    """The words of a search."""

    search: Annotated[str, Meta(max_length=100, description="only operations in which all these words occur")] = ""


@shows("/docs", "docs", "Show first steps, operations and problems", query=ContentsQuery, role="anybody", admit=count_by_address)
async def docs(request: Request) -> Response:
    search = read_query(request, ContentsQuery, from_form=True).search
    return await _page_response(request, "" if search else "start", lambda told: contents_page(told, _kinds(), search))


class TagQuery(Incoming, frozen=True, kw_only=True):
    """The part of a large tag, and the language of the requests."""

    part: Annotated[int, Meta(ge=1, le=99, description="the page, of a tag with many operations")] = 1
    code: Annotated[Literal["curl", "python", "typescript"], Meta(description="the language of the requests")] = "curl"


@shows("/docs/{tag:str}", "docs_of_tag", "Show the operations of a tag", query=TagQuery, role="anybody", admit=count_by_address)
async def docs_of_tag(request: Request, tag: FromPath[str]) -> Response:
    query, log = read_query(request, TagQuery), services_of(request).log
    keys = await asyncio.to_thread(log.keys) if log and log.open else []
    return await _page_response(
        request, f"{tag} {query.part} {query.code} {keys}", lambda told: tag_page(told, tag, query.part, query.code, keys)
    )


@shows("/docs/schemas", "docs_of_schemas", "Show the names of all schemas", role="anybody", admit=count_by_address)
async def docs_of_schemas(request: Request) -> Response:
    return await _page_response(request, "schemas", lambda told: schema_page(told, ""))


@shows("/docs/schemas/{schema:str}", "docs_of_schema", "Show a schema", role="anybody", admit=count_by_address)
async def docs_of_schema(request: Request, schema: FromPath[str]) -> Response:
    return await _page_response(request, "", lambda told: schema_page(told, schema))


async def _page_response(request: Request, name: str, write: Callable[[Any], bytes]) -> Response:
    """Return a page that ``write`` makes of the document. One without a ``name`` is small, and is written for each request."""
    document = await _write_once(request, PROGRAMS, _for_programs)

    def render(_: Litestar) -> bytes:
        return write(msgspec.json.decode(document.plain))

    told = await (_write_once(request, f"{PEOPLE} {name}", render) if name else asyncio.to_thread(lambda: _compress(render(request.app))))
    return _response(request, told, f"{HTML}; charset=utf-8", *SECURITY_OF_SEARCH)


def _kinds() -> list[ProblemType]:
    named = {kind.name: kind for kind in (*PROBLEMS.values(), *HTTP.values(), UNEXPECTED)}
    return sorted(named.values(), key=lambda kind: (kind.status, kind.name))


@reads(
    "/docs/verifier",
    "verifier",
    "Read the program that verifies proof files",
    tag="Operation",
    description="The program is one file. It needs Python and the package `cryptography`, and no part of Kiebitz.",
    responses={200: Content("Python", {_PYTHON: {"type": "string"}}, headers=("ETag",))},
    refuses=(429,),
    role="anybody",
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
    pages = part_of(request.app, PageCache)
    if name not in pages:
        pages[name] = asyncio.ensure_future(asyncio.to_thread(lambda: _compress(write(request.app))))
    if not pages[name].done():
        more_time(request, _WRITING)
    try:
        return await asyncio.shield(pages[name])
    except NotFoundException:
        pages.pop(name, None)
        raise


def _compress(body: bytes) -> _CompressedPage:
    return _CompressedPage(body, gzip.compress(body, mtime=0), sha256(body).hexdigest()[:16])


def _for_programs(app: Litestar) -> bytes:
    return encode(document(app))


def _for_verifying(app: Litestar) -> bytes:
    return files("replay.proof").joinpath("single_file.py").read_bytes()
