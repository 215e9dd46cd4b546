"""The frame of every page: shell, internal calls of the API, errors, and the addresses of scripts and styles.

The address of a file contains a digest of the whole folder. So browsers may cache files permanently, and files that belong together have
the same digest. A page fetches one style and one script, bundles of these files: on a slow network requests take longer than their bytes.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal, NamedTuple, cast, get_args
from urllib.parse import quote, unquote, urlencode

import msgspec
import segno
from litestar.types import HTTPReceiveMessage, HTTPScope, Message
from markupsafe import escape
from msgspec import Struct
from msgspec.structs import replace

from api.common.consistency import BEHIND, note_lag
from api.common.shared_reads import share_read
from api.http.browsers.cookies import is_secure, read_session_cookies
from api.http.browsers.sessions import Sessions
from api.http.guards import principal_of
from api.http.media_types import HTML
from api.http.pages import REFERRER_POLICY, render_template
from api.http.request import Request, header, language_of, part_of, services_of
from api.http.response import Response, build_etag_response, content_hash
from domain.journal.sessions import Session
from domain.texts import LANGUAGES, Language, Texts, load_catalog, words_of

_FOLDER = Path(__file__).parents[2] / "assets"
_REMARKS = re.compile(r"^[ ]*(?://.*\n|/\*\*(?:[^*]|\*(?!/))*\*/\n|(?=\S))|(?<=;) // [^\"'`\n]*$", re.MULTILINE)
"""Matches comments on lines of their own and behind statements, and indents: readers of the source need them, browsers do not."""

_IMPORT = re.compile(r'^import (?:({[^}]*}) from )?"(\.{1,2}/[^"]+)"(?=;$)', re.MULTILINE)
_LATER = re.compile(r'\bimport\(["`](\.{1,2}/[^"`]+)["`]\)')
_WORDS = "${lang}"
"""In the address of an import: the language of the page. Its words come at once."""
_EXPORT = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)
_PAGE = re.compile(rf"(\w+)\.({'|'.join(LANGUAGES)})(?:\.(\w+))?")
"""The name of a page's script without its suffix: the module that runs, the language, the deck whose cards it draws."""

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"}
"""The media types of the files, by suffix."""


@cache
def files() -> Mapping[str, bytes]:
    """Return the contents of all files by their names relative to the folder, with slashes."""
    lying = sorted(path for path in _FOLDER.rglob("*") if path.suffix in TYPES)
    return {path.relative_to(_FOLDER).as_posix(): _read_asset(path) for path in lying}


def _read_asset(path: Path) -> bytes:
    """Return the content as it is sent; scripts without comments and indents."""
    return _REMARKS.sub("", path.read_text(encoding="utf-8")).encode() if path.suffix == ".js" else path.read_bytes()


@cache
def digest() -> str:
    """Return one digest of all files together."""
    together = sha256()
    for name, content in files().items():
        together.update(f"{name}\0{len(content)}\0".encode() + content)
    return together.hexdigest()[:16]


def address_of(name: str) -> str:
    """Return the address of a file. Raises ``KeyError`` for an unknown name."""
    find_asset(name)
    return f"/assets/{digest()}/{name}"


def name_script(entry: str, language: str, deck: str | None = None) -> str:
    """Return the name of a page's script: ``record.js`` with all that it needs is ``record.de.french.js``."""
    return ".".join((entry.removesuffix(".js"), language, *([deck] if deck else []), "js"))


def name_style(*names: str) -> str:
    """Return the name of a page's style: ``ground.css`` and ``cards.css`` are ``ground.cards.css``."""
    return ".".join((*(name.removesuffix(".css") for name in names), "css"))


@lru_cache(maxsize=128)
def find_asset(name: str) -> bytes:
    """Return a file, or a bundle of files. Raises ``KeyError`` for an unknown name.

    What a page's script fetches later is in a folder of its name: ``record.de.french/record.signing.js`` with what only that needs.
    """
    if name in files():
        return files()[name]
    stem, _, suffix = name.rpartition(".")
    if suffix == "css":
        return b"".join(files()[f"{one}.css"] for one in dict.fromkeys(stem.split(".")))
    page, _, part = stem.partition("/")
    if suffix != "js" or not (found := _PAGE.fullmatch(page)):
        raise KeyError(name)
    entry, language, deck = found.groups()
    first = modules_of(language, f"{entry}.js", *([f"cards/{deck}.js"] if deck else []))
    if not part:
        return files()["bundle.js"] + f'add({_wrap_modules(first, language)});\nawait use("{entry}.js");\n'.encode()
    further = modules_of(language, f"{part.replace('.', '/')}.js")
    return f"export default {_wrap_modules([one for one in further if one not in first], language)};\n".encode()


def modules_of(language: str, *scripts: str) -> tuple[str, ...]:
    """Return scripts and all that they import at once, in the order in which they are found."""
    found: dict[str, None] = {}
    waiting = [*reversed(scripts)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            text = files()[name].decode()
            at_once = [*(path for _, path in _IMPORT.findall(text)), *(path for path in _LATER.findall(text) if _WORDS in path)]
            waiting += [_resolve_path(name, path, language) for path in at_once]
    return tuple(found)


def _wrap_modules(names: Iterable[str], language: str) -> str:
    """Return modules as the functions that ``bundle.js`` runs, by their names."""
    return "{\n" + "".join(f'"{name}": {_wrap_module(name, language)},\n' for name in names) + "}"


def _wrap_module(name: str, language: str) -> str:
    """Return a module as a function that returns what it exports. ``use`` runs another module, ``url`` knows addresses."""
    text = files()[name].decode()
    exported = ", ".join(_EXPORT.findall(text))

    def use(found: re.Match[str]) -> str:
        *names, path = found.groups()
        bound = f"const {names[0].replace(' as ', ': ')} = " if names and names[0] else ""
        return f'{bound}{"await " if names else ""}use("{_resolve_path(name, path, language)}")'

    for sought, put in ((_EXPORT, lambda found: found[0].removeprefix("export ")), (_IMPORT, use), (_LATER, use)):
        text = sought.sub(put, text)
    text = text.replace("import.meta.url", f'url("{name}")')
    return f"async (use, url) => {{\n{text}return {{{exported}}};\n}}"


def _resolve_path(name: str, other: str, language: str) -> str:
    room = [*name.split("/")[:-1]]
    for part in other.replace(_WORDS, language).split("/"):
        if part == "..":
            room.pop()
        elif part != ".":
            room.append(part)
    return "/".join(room)


# QR codes, for screens and for paper.


def draw_code(text: str, *, fitting: bool = False) -> str:
    """Return a QR code as SVG, with the quiet zone that scanners need; dark on light also on a dark page.

    ``fitting``: the code fills its place instead of a fixed size.
    """
    drawn = BytesIO()
    segno.make(text, micro=False).save(drawn, kind="svg", scale=8, light="white", xmldecl=False, nl=False, omitsize=fitting)
    return drawn.getvalue().decode()


def draw_code_image(text: str) -> str:
    """Return a QR code as the address of a picture (a data URL)."""
    uri: str = segno.make(text, micro=False).svg_data_uri(light="white", border=2)
    return uri


# The appearance of pages: language, light or dark, colours of suits. It is stored in a cookie and nowhere else.


Theme = Literal["system", "light", "dark"]
Suits = Literal["four", "two"]
Spoken = Literal["system"] | Language
COOKIE = "kiebitz-looks"
CHOICES: Mapping[str, tuple[str, ...]] = {"language": ("system", *LANGUAGES), "theme": get_args(Theme), "suits": get_args(Suits)}
"""The values of each field of ``ThemeSettings``, in the order of the fields."""
_LASTS = 365 * 24 * 3600


class ThemeSettings(Struct, frozen=True):
    """The appearance that somebody chose. ``system``: as the browser says."""

    language: Spoken = "system"
    theme: Theme = "system"
    suits: Suits = "four"

    def cookie(self) -> tuple[str, str]:
        value = f"{self.language}.{self.theme}.{self.suits}"
        return "set-cookie", f"{COOKIE}={value}; Path=/; Max-Age={_LASTS}; SameSite=Lax; HttpOnly"


def read_theme_settings(request: Request) -> ThemeSettings:
    """Return the appearance from the cookie; the default for an invalid cookie."""
    named = (one.strip().partition("=") for one in header(request, b"cookie").replace(", ", "; ").split(";"))
    said = next((value for name, _, value in named if name == COOKIE), "").split(".")
    fits = len(said) == len(CHOICES) and all(value in values for value, values in zip(said, CHOICES.values(), strict=True))
    return ThemeSettings(*said) if fits else ThemeSettings()  # pyrefly: ignore[bad-argument-type]


def page_language(request: Request) -> str:
    """Return the language of a page: the chosen one, else the browser's preferred one."""
    chosen = read_theme_settings(request).language
    return language_of(request) if chosen == "system" else chosen


# The frame that all pages have: bar, language, theme, what may be loaded, and the answer as it goes out.


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
        **{name: outer[name] for name in _COPIED if name in outer},
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
            note_lag(request, int(dict(message["headers"]).get(BEHIND.encode(), 0)))
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
_ANY_ID, _ANY_LABEL = token_hex(16), token_hex(16)
"""Stand for the session on a page that several readers share."""
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


async def build_shared_page_response(request: Request, make: Callable[[], Awaitable[Page]], *version: Hashable) -> Response:
    """Return the same, rendered once for all who see alike: a page that hundreds look at. Only the session in its bar is the reader's own.

    The page may depend on the role and the scope of the reader, not on the player or the seat. ``version``: as of ``share_read``.
    """
    session, caller = await _session_of(request), principal_of(request)
    alike = replace(caller.grant, player=None, seat=None, since=0)
    look = page_language(request), read_theme_settings(request), session is None, caller.role, alike

    async def render() -> tuple[Page, bytes]:
        page = await make()
        anyone = session and replace(session, id=_ANY_ID, label=_ANY_LABEL)
        return page, await asyncio.to_thread(render_page, request, page, anyone)

    page, body = await share_read(request, ("page", str(request.url), look), render, *version)
    return _build_response(request, page, body if session is None else _name_session(request, page, body, session))


def _name_session(request: Request, page: Page, body: bytes, session: Session) -> bytes:
    label = session.label or words(page_language(request), page.package)["signed_in"]
    return body.replace(_ANY_ID.encode(), session.id.encode()).replace(_ANY_LABEL.encode(), escape(label).encode())


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


@cache
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
    return await part_of(request.app, Sessions).find(read_session_cookies(request))
