"""The frame that all pages have: bar, language, theme, what may be loaded, and the answer as it goes out."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any, cast

from msgspec import Struct

from api.common.live.change_feed import ResponseCoalescer, change_feed_of
from api.common.pages.assets import CHOICES, ThemeSettings, address_of, modules_of, page_language, read_theme_settings
from api.http.browsers.cookies import is_secure, read_session_cookies
from api.http.browsers.sessions import Sessions
from api.http.media_types import HTML
from api.http.pages import REFERRER_POLICY, render_template
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash
from domain.journal.sessions import Session
from domain.texts import Texts, load_catalog, words_of

_OWN = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'"
_TRUSTED = "require-trusted-types-for 'script'; trusted-types kiebitz streams"
POLICY = f"{_OWN}; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; {_TRUSTED}"
EMBEDDED = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""Of a page that others may show in a frame of theirs: there is nothing on it to press that changes anything."""
_SECOND = 1.0  # for so long a page is shared: another process may have changed something
_VARIES = "cookie, accept, accept-language, authorization"


class Page(Struct, frozen=True, kw_only=True):
    """``template`` extends ``shell.html.j2``. ``script``: the module that runs on it; ``also``: those that it will fetch besides.
    ``reads``: paths of the API that it asks first, so that the browser need not load the script before it asks.
    ``public``: whether search engines may have it. ``address``: the whole one, of a page that is
    shared. ``package``: where the words of its template lie. ``embedded``: others may show it in a
    frame."""

    template: str
    title: str
    description: str = ""
    values: Mapping[str, Any] = {}
    script: str = "boot.js"
    also: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    public: bool = False
    address: str | None = None
    package: str = "api.pages"
    embedded: bool = False


async def build_page_response(request: Request, page: Page) -> Response:
    """A page as it is answered, with an ETag made of all that stands on it."""
    return _build_response(request, page, await _render_for_reader(request, page))


async def build_shared_page_response(request: Request, version: Hashable, make: Callable[[], Awaitable[Page]]) -> Response:
    """Return the same, cached for a second for all readers without a token, unless ``version`` changes: a page that hundreds look at is
    made once.
    """
    if not request.user.is_address:
        return await build_page_response(request, await make())

    async def render() -> tuple[Page, bytes]:
        page = await make()
        return page, await _render_for_reader(request, page)

    spoken, second = page_language(request), asyncio.get_running_loop().time() // _SECOND
    key = (str(request.url), spoken, read_theme_settings(request), is_secure(request), version, change_feed_of(request).rung, second)
    return _build_response(request, *await cast(ResponseCoalescer, request.app.state["replays"]).once(key, render))


async def _render_for_reader(request: Request, page: Page) -> bytes:
    return await asyncio.to_thread(render_page, request, page, await _session_of(request))


def _build_response(request: Request, page: Page, body: bytes) -> Response:
    headers = [*security(embedded=page.embedded), ("content-language", page_language(request))]
    kind = f"{HTML}; charset=utf-8"
    return build_etag_response(request, content_hash(body), lambda: body, media_type=kind, vary=_VARIES, headers=headers)


def render_page(request: Request, page: Page, session: Session | None) -> bytes:
    language, appearance = page_language(request), read_theme_settings(request)
    return render_template(page.template, {**_frame(request, page, language, appearance), "session": session, **page.values})


def security(*, embedded: bool = False) -> tuple[tuple[str, str], ...]:
    return (
        ("content-security-policy", EMBEDDED if embedded else POLICY),
        ("referrer-policy", REFERRER_POLICY),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
    )


def words(language: str, package: str = "api.pages") -> Texts:
    """Those that all pages share, and those of a package."""
    return {**words_of(load_catalog("api.common.pages"), language), **words_of(load_catalog(package), language)}


def _frame(request: Request, page: Page, language: str, appearance: ThemeSettings) -> Mapping[str, Any]:
    return {
        "language": language,
        "appearance": appearance,
        "appearances": CHOICES,
        "words": words(language, page.package),
        "page": page,
        "here": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        "asset": address_of,
        "modules": list(modules_of(page.script, *page.also, f"words/{language}.js")),
        "secure": is_secure(request),
        "zone": services_of(request).time_zone,
    }


async def _session_of(request: Request) -> Session | None:
    """Of a browser. Who shows a token is a program: his pages are those of everybody with his role."""
    return await cast(Sessions, request.app.state["sessions"]).find(read_session_cookies(request))
