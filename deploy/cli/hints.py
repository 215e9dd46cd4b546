"""Commands that a person can copy from the terminal: they work where he stands, on the store that he is using."""

import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from deploy.settings import Settings, without_password


def command(words: str, flags: Mapping[str, object] | None = None) -> str:
    """``words`` after the name of this program, and the flags of the store as they were given."""
    given = flags or {}
    line = [program(), words]
    if given.get("data"):
        line.append(f"--data {shlex.quote(str(given['data']))}")
    if given.get("database_url"):
        line.append(f"--database-url {shlex.quote(without_password(str(given['database_url'])))}")
    return " ".join(line)


def flags_of(settings: Settings) -> dict[str, object]:
    """Those that name this store."""
    return {"data": settings.data} if settings.embedded else {"database_url": settings.database_url}


def program() -> str:
    """How this program was started: by its name, by ./run, or by its path."""
    here = Path(sys.argv[0]).absolute()
    found = shutil.which("kiebitz")
    if found and here.exists() and Path(found).samefile(here):
        return "kiebitz"
    if (here.parent.parent.parent / "run").is_file():
        return "./run"
    return str(here) if here.name == "kiebitz" else "kiebitz"
