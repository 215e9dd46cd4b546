"""Static files of pages: styles, scripts and pictures from ``api/assets``, QR codes, and the appearance cookie.

The address of a file contains a digest of the whole folder. So browsers may cache files permanently, and modules import each other by
relative addresses: files that belong together have the same digest.
"""

import re
from collections.abc import Mapping
from functools import cache
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

_IMPORT = re.compile(r"""^(?:import|export)\b[^"';]*?["'](\.{1,2}/[^"']+)["']""", re.MULTILINE)

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
    if name not in files():
        raise KeyError(name)
    return f"/assets/{digest()}/{name}"


@cache
def modules_of(*scripts: str) -> tuple[str, ...]:
    """Return scripts and all that they import, in the order in which they are found.

    A page names all of them at once, so that the browser need not discover one after the other.
    """
    found: dict[str, None] = {}
    waiting = [*reversed(scripts)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting += [_resolve_path(name, other) for other in _IMPORT.findall(files()[name].decode())]
    return tuple(found)


def _resolve_path(name: str, other: str) -> str:
    room = [*name.split("/")[:-1]]
    for part in other.split("/"):
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
