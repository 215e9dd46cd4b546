"""Styles, scripts and pictures of pages, as they lie in ``api/assets``.

Their address has the digest of the whole folder, so that browsers may keep them for ever, and so that modules find each other by relative
addresses: what belongs together has the same digest.
"""

import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

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
