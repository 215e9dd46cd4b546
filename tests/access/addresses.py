"""The law of addresses: no secret stands in a path or a query, which end up in histories, logs and referrers. In a fragment it may."""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Any
from urllib.parse import unquote

_ADDRESS = re.compile(r"""(?:https?://[^\s"'<>/\\]+)?/[^\s"'<>\\]*""")
_TELLS = {"code", "secret", "chance"}
"""Fields by which an answer tells a secret."""


def secrets_in_addresses(target: str, answer: Any, known: Sequence[str]) -> list[str]:
    """Return the addresses, of the request and in its answer, that hold one of the known secrets or of those that the answer tells."""
    secrets = {*known, *_told(answer)}
    found = (unquote(address.partition("#")[0]) for address in (target, *_addresses(answer)))
    return [address for address in found if any(secret in address for secret in secrets)]


def _addresses(answer: Any) -> Iterator[str]:
    yield answer.headers.get("location", "")
    yield answer.headers.get("link", "")
    if answer.headers.get("content-type", "").startswith(("text/html", "application/json", "text/event-stream", "application/x-ndjson")):
        yield from _ADDRESS.findall(unescape(answer.text))


def _told(answer: Any) -> Iterator[str]:
    if cookie := answer.headers.get("set-cookie"):
        yield from filter(None, [cookie.partition(";")[0].partition("=")[2]])
    if answer.status_code < 400 and answer.headers.get("content-type") == "application/json":
        yield from _values(answer.json())


def _values(value: object) -> Iterator[str]:
    for name, inner in value.items() if isinstance(value, dict) else ():
        if name in _TELLS and isinstance(inner, str):
            yield inner
        yield from _values(inner)
    for inner in value if isinstance(value, list) else ():
        yield from _values(inner)
