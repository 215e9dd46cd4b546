"""Static files of pages: styles, scripts and pictures from ``api/assets``, QR codes, and the appearance cookie.

The address of a file contains a digest of the whole folder. So browsers may cache files permanently, and files that belong together have
the same digest. A page fetches one style and one script, bundles of these files: on a slow network requests take longer than their bytes.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Literal, get_args

import segno
from msgspec import Struct

from api.http.request import Request, header, language_of
from domain.texts import LANGUAGES, Language

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
    return ThemeSettings(*said) if fits else ThemeSettings()  # type: ignore[arg-type]


def page_language(request: Request) -> str:
    """Return the language of a page: the chosen one, else the browser's preferred one."""
    chosen = read_theme_settings(request).language
    return language_of(request) if chosen == "system" else chosen
