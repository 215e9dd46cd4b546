"""Entry point of the command `kiebitz`: refuses foreign packages of the same names, then starts the command line.

Our top-level packages have plain names (docs/releases.md), and another distribution may have them too. Python would mix both, and fail
somewhere in the middle. So this module, whose name is our own, looks first. It imports nothing of ours before.
"""

import os
import re
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("domain", "projections", "replay", "api", "deploy")
HERE = Path(__file__).resolve().parent

_SENTENCES = {
    "en": """Kiebitz cannot start: the Python package “{name}” in {place} belongs to another program.
Install Kiebitz in an environment of its own: uv tool install kiebitz-….whl (or pipx). Unset PYTHONPATH if it names that folder.""",
    "de": """Kiebitz kann nicht starten: Das Python-Paket „{name}“ in {place} gehört zu einem anderen Programm.
Installieren Sie Kiebitz in einer eigenen Umgebung: uv tool install kiebitz-….whl (oder pipx). Leeren Sie PYTHONPATH, falls es den
Ordner nennt.""",
}


def main() -> None:
    for name, place in find_foreign_packages(HERE):
        sys.exit(_SENTENCES[_language()].format(name=name, place=place))
    from deploy.cli.main import main as start

    start()


def find_foreign_packages(here: Path) -> Iterator[tuple[str, Path]]:
    """Yield name and folder of each package that Python finds elsewhere first, or that another distribution overwrote in ``here``."""
    installed = _installed_digests(here)
    for name in PACKAGES:
        spec = find_spec(name)
        place = Path(spec.origin).resolve() if spec and spec.origin else None
        if place != here / name / "__init__.py":
            yield name, (place or here / name).parent
        elif name in installed and installed[name] != _digest(place):
            yield name, place.parent


def _installed_digests(here: Path) -> dict[str, str]:
    """Return the digest that the installer noted for each package; nothing in a checkout."""
    notes = [file.read_text(encoding="utf-8") for file in here.glob("kiebitz-*.dist-info/RECORD")]
    return dict(re.findall(r"^(\w+)/__init__\.py,sha256=([\w-]+),", "".join(notes), re.MULTILINE))


def _digest(file: Path) -> str:
    return urlsafe_b64encode(sha256(file.read_bytes()).digest()).decode().rstrip("=")


def _language() -> str:
    locale = os.environ.get("LC_ALL") or os.environ.get("LANG", "")
    found = re.search(r"--lang[ =](\w\w)", " ".join(sys.argv)) or re.match(r"(\w\w)", locale)
    return found[1] if found and found[1] in _SENTENCES else "en"


if __name__ == "__main__":
    main()
