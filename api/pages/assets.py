"""What pages are made of besides words: styles, scripts, pictures. And the worker that keeps them for when there is no network."""

import json
from pathlib import PurePath

from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from api.common.pages.assets import TYPES, address_of, digest, files, modules_of
from api.http.operations import PAGES, Content, Operation, reads
from api.http.request import Request
from api.http.response import Response
from domain.texts import LANGUAGES

_KEPT = "public, max-age=31536000, immutable"
_LOOKS = ("ground.css", "icon.svg", "manifest.webmanifest")
_CONTENT = Content("the file", {kind: {"type": "string"} for kind in TYPES.values()})


def _page(id: str, summary: str) -> Operation:
    return Operation(id=id, tag=PAGES, summary=summary, responses={200: _CONTENT}, refuses=(404,), role="anybody")


@reads(
    "/assets/{digest:str}/{name:str}",
    Operation(
        id="read_asset",
        tag="Operation",
        summary="A style or a script of a page",
        responses={200: _CONTENT},
        refuses=(404,),
        role="anybody",
    ),
    admit=None,
)
async def read_asset(request: Request, digest: FromPath[str], name: FromPath[str]) -> Response:
    return _file(digest, name)


@reads("/assets/{digest:str}/{room:str}/{name:str}", _page("read_part", "A part of a script of a page"), admit=None)
async def read_part(request: Request, digest: FromPath[str], room: FromPath[str], name: FromPath[str]) -> Response:
    return _file(digest, f"{room}/{name}")


@reads("/sw.js", _page("read_worker", "What keeps the files of pages in a browser"), admit=None)
async def read_worker(request: Request) -> Response:
    """It has no digest in its address: browsers look here whether there is a newer one."""
    kept = [address_of(name) for name in ("early.js", *modules_of("boot.js", *(f"words/{language}.js" for language in LANGUAGES)), *_LOOKS)]
    known = f"const VERSION = {json.dumps(digest())};\nconst FILES = {json.dumps(kept)};\n"
    headers = (("cache-control", "no-cache"), ("cross-origin-resource-policy", "same-origin"))
    return Response(known.encode() + files()["sw.js"], media_type="text/javascript; charset=utf-8", headers=headers)


def _file(shown: str, name: str) -> Response:
    if name not in files():
        raise NotFoundException
    kept = _KEPT if shown == digest() else "no-cache"  # of another version, a page asks for its own
    headers = (("cache-control", kept), ("cross-origin-resource-policy", "same-origin"))
    return Response(files()[name], media_type=f"{TYPES[PurePath(name).suffix]}; charset=utf-8", headers=headers)
