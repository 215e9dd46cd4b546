"""Suggested commands that a user can copy from the terminal; they apply to the store in use."""

import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from deploy.config.settings import Settings, without_password
from deploy.http.network_addresses import list_network_hosts
from deploy.system.language import sentence


def command(words: str, flags: Mapping[str, object] | None = None) -> str:
    """Return a command line: this program, ``words``, and the flags of the store as they were given."""
    given = flags or {}
    line = [program(), words]
    if given.get("data"):
        line.append(f"--data {shlex.quote(str(given['data']))}")
    if given.get("database_url"):
        line.append(f"--database-url {shlex.quote(without_password(str(given['database_url'])))}")
    return " ".join(line)


def flags_of(settings: Settings) -> dict[str, object]:
    """Return the flags that name this store."""
    return {"data": settings.data} if settings.embedded else {"database_url": settings.database_url}


def program() -> str:
    """Return how this program was started: by its name, by ./run, or by its path."""
    here = Path(sys.argv[0]).absolute()
    found = shutil.which("kiebitz")
    if found and here.exists() and Path(found).samefile(here):
        return "kiebitz"
    if (here.parent.parent.parent / "run").is_file():
        return "./run"
    return str(here) if here.name == "kiebitz" else "kiebitz"


# Access for phones and other devices of the network: two lines of the start text.


_SHOWN = 3
"""Maximum number of addresses that are shown for a machine with many networks."""
_ASKED_FOR = ("port", "tls_cert", "tls_key")


def describe_device_access(settings: Settings, address: str, words: str, flags: Mapping[str, object], language: str) -> str:
    """Return the two lines.

    ``address``: the service's address for a browser on this machine. ``words`` and ``flags``: of the command that started it.
    """
    parts, hosts = urlsplit(address), list_network_hosts(settings.host)
    found = [settings.public_url] if settings.public_url else [f"{parts.scheme}://{host}:{parts.port}" for host in hosts[:_SHOWN]]
    if found:
        return f"{sentence('phones_open', language, addresses=tuple(f'{one}/in' for one in found))}\n{sentence('phones_code', language)}"
    unheard = settings.host not in ("0.0.0.0", "::")
    said, more = ("phones_not", "--host 0.0.0.0") if unheard else ("phones_no_network", f"--host {settings.host} --public-url URL")
    given = " ".join(f"--{name.replace('_', '-')} {flags[name]}" for name in _ASKED_FOR if flags.get(name))
    return f"{sentence(said, language, address=address)}\n  {command(f'{words} {more} {given}'.strip(), flags)}"
