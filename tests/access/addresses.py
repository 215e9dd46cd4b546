"""The law of addresses: no secret stands in a path or a query, which end up in histories, logs and referrers. In a fragment it may."""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from html import unescape
from typing import Any
from urllib.parse import unquote

_ADDRESS = re.compile(r"""(?:https?://[^\s"'<>/\\]+)?/[^\s"'<>\\]*""")
_TELLS = {"code", "secret", "chance"}
"""Fields by which an answer tells a secret."""


_BODIES = lru_cache(maxsize=16)
"""Many roles are answered the same, of the description half a megabyte: it is read once."""


def secrets_in_addresses(target: str, answer: Any, known: Sequence[str]) -> list[str]:
    """Return the addresses, of the request and in its answer, that hold one of the known secrets or of those that the answer tells."""
    secrets = {*known, *_told(answer)}
    own = map(_without_fragment, (target, answer.headers.get("location", ""), answer.headers.get("link", "")))
    return [address for addresses in (*own, _addresses(answer)) for address in _holding(secrets, addresses)]


def _holding(secrets: Collection[str], addresses: str) -> list[str]:
    """Return those of the lines that hold one of the secrets."""
    if not any(secret in addresses for secret in secrets):
        return []
    return [address for address in addresses.split("\n") if any(secret in address for secret in secrets)]


def _without_fragment(address: str) -> str:
    return unquote(address.partition("#")[0])


def _addresses(answer: Any) -> str:
    """Return the addresses in the body, one a line."""
    if answer.headers.get("content-type", "").startswith(("text/html", "application/json", "text/event-stream", "application/x-ndjson")):
        return _in_body(answer.text)
    return ""


@_BODIES
def _in_body(text: str) -> str:
    return "\n".join(map(_without_fragment, _ADDRESS.findall(unescape(text))))


def _told(answer: Any) -> Iterator[str]:
    if cookie := answer.headers.get("set-cookie"):
        yield from filter(None, [cookie.partition(";")[0].partition("=")[2]])
    if answer.status_code < 400 and answer.headers.get("content-type") == "application/json":
        yield from _told_in_body(answer.text)


@_BODIES
def _told_in_body(text: str) -> tuple[str, ...]:
    return tuple(_values(json.loads(text)))


def _values(value: object) -> Iterator[str]:
    for name, inner in value.items() if isinstance(value, dict) else ():
        if name in _TELLS and isinstance(inner, str):
            yield inner
        yield from _values(inner)
    for inner in value if isinstance(value, list) else ():
        yield from _values(inner)
