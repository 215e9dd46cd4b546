"""The headers of a request by their names: looked through once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from litestar.types import Scope

_STATE = "headers"


def by_name(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Several of one name are one list (RFC 9110)."""
    pairs = list(headers)
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    values = defaultdict[bytes, list[bytes]](list)
    for name, value in pairs:
        values[name].append(value)
    return {name: b", ".join(several) for name, several in values.items()}


def headers_of(scope: Scope) -> Mapping[bytes, bytes]:
    """As they came, or as they were noted last."""
    try:
        found: Mapping[bytes, bytes] = scope["state"][_STATE]
    except KeyError:
        found = scope["state"][_STATE] = by_name(scope["headers"])
    return found


def note_headers(scope: Scope, found: Mapping[bytes, bytes]) -> None:
    scope["state"][_STATE] = found
