"""Styles, scripts and pictures of pages, as they lie in ``api/assets``.

Their address has the digest of the whole folder, so that browsers may keep them for ever, and so that modules find each other by relative
addresses: what belongs together has the same digest.
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
"""Comments on lines of their own and behind statements, and indents: they are for who reads the source, and no browser needs them."""

_IMPORT = re.compile(r"""^(?:import|export)\b[^"';]*?["'](\.{1,2}/[^"']+)["']""", re.MULTILINE)

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"}
"""What may lie there."""


@cache
def files() -> Mapping[str, bytes]:
    """By their names, that of the room before a slash."""
    lying = sorted(path for path in _FOLDER.rglob("*") if path.suffix in TYPES)
    return {path.relative_to(_FOLDER).as_posix(): _served(path) for path in lying}


def _served(path: Path) -> bytes:
    """Scripts go out without what only their readers need."""
    return _REMARKS.sub("", path.read_text(encoding="utf-8")).encode() if path.suffix == ".js" else path.read_bytes()


@cache
def digest() -> str:
    """Of all of them together."""
    together = sha256()
    for name, content in files().items():
        together.update(f"{name}\0{len(content)}\0".encode() + content)
    return together.hexdigest()[:16]


def address_of(name: str) -> str:
    """Raises ``KeyError`` for what does not lie there."""
    if name not in files():
        raise KeyError(name)
    return f"/assets/{digest()}/{name}"


@cache
def modules_of(*scripts: str) -> tuple[str, ...]:
    """Scripts and all that they need, in the order in which they are found: a page names them at once, so that none waits for another."""
    found: dict[str, None] = {}
    waiting = [*reversed(scripts)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting += [_beside(name, other) for other in _IMPORT.findall(files()[name].decode())]
    return tuple(found)


def _beside(name: str, other: str) -> str:
    room = [*name.split("/")[:-1]]
    for part in other.split("/"):
        if part == "..":
            room.pop()
        elif part != ".":
            room.append(part)
    return "/".join(room)


# QR codes, for screens and for paper.


def qr_code(text: str, *, fitting: bool = False) -> str:
    """As SVG, with the quiet zone that scanners need; dark on light also where a page is dark. ``fitting``: as large as its place."""
    drawn = BytesIO()
    segno.make(text, micro=False).save(drawn, kind="svg", scale=8, light="white", xmldecl=False, nl=False, omitsize=fitting)
    return drawn.getvalue().decode()


# How somebody likes his pages: in which language, light or dark, with how many colours of suits. A cookie says it, and nothing else.


Theme = Literal["system", "light", "dark"]
Suits = Literal["four", "two"]
Spoken = Literal["system"] | Language
COOKIE = "kiebitz-looks"
CHOICES: Mapping[str, tuple[str, ...]] = {"language": ("system", *LANGUAGES), "theme": get_args(Theme), "suits": get_args(Suits)}
"""By the fields of ``Appearance``, in their order."""
_LASTS = 365 * 24 * 3600


class Appearance(Struct, frozen=True):
    """``system``: as the browser says."""

    language: Spoken = "system"
    theme: Theme = "system"
    suits: Suits = "four"

    def cookie(self) -> tuple[str, str]:
        value = f"{self.language}.{self.theme}.{self.suits}"
        return "set-cookie", f"{COOKIE}={value}; Path=/; Max-Age={_LASTS}; SameSite=Lax; HttpOnly"


def appearance_of(request: Request) -> Appearance:
    """As his cookie says; what is none of ours says nothing."""
    named = (one.strip().partition("=") for one in header(request, b"cookie").replace(", ", "; ").split(";"))
    said = next((value for name, _, value in named if name == COOKIE), "").split(".")
    fits = len(said) == len(CHOICES) and all(value in values for value, values in zip(said, CHOICES.values(), strict=True))
    return Appearance(*said) if fits else Appearance()  # type: ignore[arg-type]


def spoken_to(request: Request) -> str:
    """The language of a page: the one that was chosen, else the one that the browser would like best."""
    chosen = appearance_of(request).language
    return language_of(request) if chosen == "system" else chosen
