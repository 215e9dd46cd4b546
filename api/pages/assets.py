"""Routes for static files of pages, the service worker that keeps them for offline use, and the form for the appearance."""

import json
from pathlib import PurePath
from typing import Annotated

from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from msgspec import Meta

from api.common.pages.shell import (
    TYPES,
    Page,
    Spoken,
    Suits,
    Theme,
    ThemeSettings,
    address_of,
    build_page_response,
    digest,
    find_asset,
    name_script,
    name_style,
    page_language,
    words,
)
from api.http.addresses import LONGEST, own_path
from api.http.decoding import Incoming, convert_value, read_form
from api.http.guards import own_pages
from api.http.operations import PAGES, Content, reads, shows, writes
from api.http.request import Request
from api.http.response import Response
from domain.texts import LANGUAGES

_KEPT = "public, max-age=31536000, immutable"
_CONTENT = Content("the file", {kind: {"type": "string"} for kind in TYPES.values()})


@reads(
    "/assets/{digest:str}/{name:str}",
    "read_asset",
    "Read a style or a script of a page",
    tag=PAGES,
    responses={200: _CONTENT},
    role="anybody",
)
async def read_asset(request: Request, digest: FromPath[str], name: FromPath[str]) -> Response:
    return _file(digest, name)


@shows("/assets/{digest:str}/{room:str}/{name:str}", "read_part", "Read a part of a page's script", role="anybody")
async def read_part(request: Request, digest: FromPath[str], room: FromPath[str], name: FromPath[str]) -> Response:
    return _file(digest, f"{room}/{name}")


@shows("/sw.js", "read_worker", "Read the service worker that caches the files of pages", role="anybody")
async def read_worker(request: Request) -> Response:
    """Return the service worker. Its address has no digest: browsers ask here for a newer one."""
    scripts = (name_script("boot.js", language) for language in LANGUAGES)
    kept = [address_of(name) for name in ("early.js", *scripts, name_style("ground.css"), "icon.svg", "manifest.webmanifest")]
    known = f"const VERSION = {json.dumps(digest())};\nconst FILES = {json.dumps(kept)};\n"
    headers = (("cache-control", "no-cache"), ("cross-origin-resource-policy", "same-origin"))
    return Response(known.encode() + find_asset("sw.js"), media_type="text/javascript; charset=utf-8", headers=headers)


def _file(shown: str, name: str) -> Response:
    try:
        content = find_asset(name)
    except KeyError:
        raise NotFoundException from None
    kept = _KEPT if shown == digest() else "no-cache"  # a page of another version asks with its own digest; that file must not be cached
    headers = (("cache-control", kept), ("cross-origin-resource-policy", "same-origin"))
    return Response(content, media_type=f"{TYPES[PurePath(name).suffix]}; charset=utf-8", headers=headers)


# The form to choose the appearance.


FORM = "application/x-www-form-urlencoded"


class ThemeForm(Incoming, frozen=True, kw_only=True):
    language: Annotated[Spoken, Meta(description="of pages; `system`: as the browser says")] = "system"
    theme: Annotated[Theme, Meta(description="light or dark; `system`: as the device says")] = "system"
    suits: Annotated[Suits, Meta(description="how many colours the suits of cards have")] = "four"
    next: Annotated[str, Meta(max_length=LONGEST, description="the next page: a path of this service")] = "/"


@writes(
    "/appearance",
    "choose_appearance",
    "Choose language, colours and suits of the pages",
    tag=PAGES,
    description="Only a page of this service may send this. The answer sets a cookie that holds nothing else.",
    body={FORM: ThemeForm},
    responses={303: Content("back to the page", {}, headers=("Location", "Set-Cookie"))},
    refuses=(403, 422, 429),
    keyed=False,
    role="anybody",
    admit=own_pages,
)
async def save_theme_settings(request: Request) -> Response:
    chosen = convert_value(await read_form(request), ThemeForm)
    cookie = ThemeSettings(chosen.language, chosen.theme, chosen.suits).cookie()
    return Response(b"", status=303, headers=[("location", own_path(chosen.next) or "/"), ("cache-control", "no-store"), cookie])


# The page that the service worker shows while there is no network.


@shows("/offline", "offline_page", "Show the page that browsers cache for use offline", role="anybody")
async def network_error_page(request: Request) -> Response:
    return await build_page_response(request, Page(template="offline.html.j2", title=words(page_language(request))["offline.title"]))
