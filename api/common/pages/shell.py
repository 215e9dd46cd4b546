"""The frame that all pages have: bar, language, theme, what may be loaded, and the answer as it goes out."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from typing import Any, NamedTuple, cast
from urllib.parse import quote, unquote, urlencode

import msgspec
from litestar.types import HTTPReceiveMessage, HTTPScope, Message
from msgspec import Struct

from api.common.live.change_feed import ResponseCoalescer, change_feed_of
from api.common.pages.assets import CHOICES, ThemeSettings, address_of, name_script, name_style, page_language, read_theme_settings
from api.http.browsers.cookies import is_secure, read_session_cookies
from api.http.browsers.sessions import Sessions
from api.http.media_types import HTML
from api.http.pages import REFERRER_POLICY, render_template
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash
from domain.journal.sessions import Session
from domain.texts import Texts, load_catalog, words_of

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


_LONGEST = 200  # items on a page of a list
_ASKED: HTTPReceiveMessage = {"type": "http.request", "body": b"", "more_body": False}


class ApiResponse(NamedTuple):
    """A response of the API: JSON, as plain values."""

    status: int
    value: Any

    @property
    def value_if_ok(self) -> Mapping[str, Any] | None:
        """The answer, or None where the API refused."""
        return cast("Mapping[str, Any]", self.value) if self.status == 200 else None


class ApiError(Exception):
    """The API refused: ``told.value`` is the problem."""

    def __init__(self, told: ApiResponse) -> None:
        super().__init__(told.value.get("detail"))
        self.told = told


async def fetch_value(request: Request, path: str, **query: object) -> Any:
    """Return the API's response at ``path`` for the reader of the page, in the language of the page. Raises ``ApiError``."""
    answer = await call_api(request, path, **query)
    if answer.status >= 400:
        raise ApiError(answer)
    return answer.value


async def fetch_all_pages(request: Request, path: str) -> Any:
    """The same of a list that has pages: the first one, with the ``items`` of all. Raises ``ApiError``."""
    first = page = await fetch_value(request, path, limit=_LONGEST)
    while page["next"] is not None:
        page = await fetch_value(request, path, limit=_LONGEST, cursor=page["next"])
        first["items"] += page["items"]
    return first


async def call_api(request: Request, path: str, **query: object) -> ApiResponse:
    """The same where a refusal is an answer, too."""
    status, parts = 500, list[bytes]()

    async def receive() -> HTTPReceiveMessage:
        return _ASKED

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        elif message["type"] == "http.response.body":
            parts.append(message["body"])

    headers = ((b"accept", b"application/json"), (b"accept-language", page_language(request).encode()))
    await request.app(inner_scope(request, _target(path, query), headers), receive, send)
    return ApiResponse(status, msgspec.json.decode(b"".join(parts)))


def _target(path: str, query: dict[str, object]) -> str:
    given = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items() if value is not None}
    return f"{quote(path)}?{urlencode(given)}"


_OWN = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'"
_TRUSTED = "require-trusted-types-for 'script'; trusted-types kiebitz streams"
POLICY = f"{_OWN}; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; {_TRUSTED}"
EMBEDDED = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""Of a page that others may show in a frame of theirs: there is nothing on it to press that changes anything."""
_SECOND = 1.0  # for so long a page is shared: another process may have changed something
_VARIES = "cookie, accept, accept-language, authorization"


class Page(Struct, frozen=True, kw_only=True):
    """``template`` extends ``shell.html.j2``. ``script``: the module that runs on it; ``deck``: the one whose cards it draws.
    ``reads``: paths of the API that it asks first, so that the browser need not load the script before it asks.
    ``public``: whether search engines may have it. ``address``: the whole one, of a page that is
    shared. ``package``: where the words of its template lie. ``embedded``: others may show it in a
    frame."""

    template: str
    title: str
    description: str = ""
    values: Mapping[str, Any] = {}
    script: str = "boot.js"
    deck: str | None = None
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
        "script": address_of(name_script(page.script, language, page.deck)),
        "style": address_of(name_style("ground.css", *page.styles)),
        "secure": is_secure(request),
        "zone": services_of(request).time_zone,
    }


async def _session_of(request: Request) -> Session | None:
    """Of a browser. Who shows a token is a program: his pages are those of everybody with his role."""
    return await cast(Sessions, request.app.state["sessions"]).find(read_session_cookies(request))
