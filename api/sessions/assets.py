"""Styles and scripts of pages. Their address has their digest, so that browsers may keep them for ever."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from api.http.operations import Content, Operation, reads
from api.http.request import Request
from api.http.response import Response

_API = Path(__file__).parents[1]
_FILES = {"page.css": _API / "templates" / "page.css", "sign_in.js": _API / "assets" / "sign_in.js"}
_TYPES = {".css": "text/css", ".js": "text/javascript"}


@cache
def _file(name: str) -> bytes:
    return _FILES[name].read_bytes()


def address_of(name: str) -> str:
    return f"/assets/{_digest(name)}/{name}"


@cache
def _digest(name: str) -> str:
    return sha256(_file(name)).hexdigest()[:16]


@reads(
    "/assets/{digest:str}/{name:str}",
    Operation(
        id="read_asset",
        tag="Operation",
        summary="A style or a script of a page",
        responses={200: Content("the file", {kind: {"type": "string"} for kind in _TYPES.values()})},
        refuses=(404,),
        role="anybody",
    ),
    admit=None,
)
async def read_asset(request: Request, digest: FromPath[str], name: FromPath[str]) -> Response:
    if name not in _FILES:
        raise NotFoundException
    kept = "public, max-age=31536000, immutable" if digest == _digest(name) else "no-cache"  # of another version, a page asks for its own
    kind = f"{_TYPES[_FILES[name].suffix]}; charset=utf-8"
    headers = (("cache-control", kept), ("cross-origin-resource-policy", "same-origin"))
    return Response(_file(name), media_type=kind, headers=headers)
