"""How phones and other devices of the network get in: two lines of the start text."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from deploy.cli.hints import command
from deploy.connections.network_addresses import list_network_hosts
from deploy.language import sentence
from deploy.settings import Settings

_SHOWN = 3
"""Of the addresses of a machine with many networks."""
_ASKED_FOR = ("port", "tls_cert", "tls_key")


def describe_phone_access(settings: Settings, address: str, words: str, flags: Mapping[str, object], language: str) -> str:
    """Return the two lines. ``address``: where a browser of this machine finds the service; ``words`` and ``flags`` of the command that
    started it."""
    parts, hosts = urlsplit(address), list_network_hosts(settings.host)
    found = [settings.public_url] if settings.public_url else [f"{parts.scheme}://{host}:{parts.port}" for host in hosts[:_SHOWN]]
    if found:
        return f"{sentence('phones_open', language, addresses=tuple(f'{one}/in' for one in found))}\n{sentence('phones_code', language)}"
    unheard = settings.host not in ("0.0.0.0", "::")
    said, more = ("phones_not", "--host 0.0.0.0") if unheard else ("phones_no_network", f"--host {settings.host} --public-url URL")
    given = " ".join(f"--{name.replace('_', '-')} {flags[name]}" for name in _ASKED_FOR if flags.get(name))
    return f"{sentence(said, language, address=address)}\n  {command(f'{words} {more} {given}'.strip(), flags)}"
