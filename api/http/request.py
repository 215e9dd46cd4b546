"""Access to a request: its headers with content negotiation, its body, read once, and the services that answer it."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from litestar import Request as LitestarRequest
from litestar.datastructures import State
from litestar.exceptions import ClientException, NotFoundException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import Scope

from api.http.errors import BadRequest, NotAcceptable, say
from api.http.tokens import Principal
from api.services import Services
from domain.texts import FALLBACK, LANGUAGES

# The headers of a request by their names, parsed once.


_STATE = "headers"


def by_name(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return the headers by name. Several of one name are one list (RFC 9110)."""
    pairs = list(headers)
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    values = defaultdict[bytes, list[bytes]](list)
    for name, value in pairs:
        values[name].append(value)
    return {name: b", ".join(several) for name, several in values.items()}


def headers_of(scope: Scope) -> Mapping[bytes, bytes]:
    """Return the headers of the request, or those that ``note_headers`` set."""
    try:
        found: Mapping[bytes, bytes] = scope["state"][_STATE]
    except KeyError:
        found = scope["state"][_STATE] = by_name(scope["headers"])
    return found


def note_headers(scope: Scope, found: Mapping[bytes, bytes]) -> None:
    scope["state"][_STATE] = found


Request: TypeAlias = LitestarRequest[Principal, Any, State]


_ONCE = frozenset((b"authorization", b"content-length", b"content-type", b"host", b"idempotency-key", b"if-match"))
"""Headers that may be given once: with two, a proxy may have used the other one."""


_BODY = "body"
_LARGEST = 2**31 - 1
"""Largest position, round, entrant or dispute; every database holds it."""


def check_headers(request: Request) -> None:
    """Raise ``BadRequest`` where a header that may be given once is given twice."""
    headers = list(request.scope["headers"])
    if len(headers_of(request.scope)) == len(headers):
        return
    seen = set()
    for name, _ in headers:
        if name in seen:
            raise BadRequest("bad_header", say("header_twice"), name.decode().title())
        if name in _ONCE:
            seen.add(name)


def check_path(request: Request) -> None:
    """Check the path parameters: every resource has one address.

    Raises ``NotFoundException`` for the character 0, which no store keeps, for a number beyond ``_LARGEST``, and for one with another
    spelling than the canonical one.
    """
    path = request.scope["path"]
    if "\0" in path:
        raise NotFoundException
    for value in request.path_params.values():
        if isinstance(value, int) and not (1 <= value <= _LARGEST and str(value) in path.split("/")):
            raise NotFoundException


def read_header(request: Request, name: bytes) -> str | None:
    """Return a header of the request as it came; several of one name are one list."""
    found = headers_of(request.scope).get(name)
    return None if found is None else found.decode("latin-1")


async def body_of(request: Request) -> bytes:
    """Return the whole body, read once.

    Litestar's ``body()`` is not used: it is a generator over all headers, which took as long as the rules. Raises
    ``RequestEntityTooLarge``, and ``ClientException`` where its length is no number.
    """
    state = request.scope["state"]
    if _BODY in state:
        known: bytes = state[_BODY]
        return known
    handler: Any = request.scope["route_handler"]
    most, announced = handler.resolve_request_max_body_size() or math.inf, read_header(request, b"content-length") or "0"
    if not announced.isdecimal():
        raise ClientException
    if int(announced) > most:
        raise RequestEntityTooLarge
    pieces, size, more = list[bytes](), 0, True
    while more:
        message: Any = await request.receive()
        pieces.append(message["body"])
        size += len(message["body"])
        if size > most:
            raise RequestEntityTooLarge
        more = message.get("more_body", False)
    body = state[_BODY] = b"".join(pieces)
    return body


def header(request: Request, name: bytes) -> str:
    """Return a header for which an empty value means the same as none."""
    return headers_of(request.scope).get(name, b"").decode("latin-1")


def note_body(scope: Scope, body: bytes) -> None:
    """Set the body of a request that arrived as a whole: nothing more has to be received."""
    scope["state"][_BODY] = body


def address_of(request: Request) -> str:
    """Return the address of the client as the server determined it: behind a trusted proxy, the address that the proxy names."""
    client = request.scope.get("client")
    return client[0] if client else ""


def language_of(request: Request) -> str:
    """Return the language of ours that the caller prefers."""
    return language(header(request, b"accept-language"))


def services_of(request: Request) -> Services:
    services: Services = request.scope["litestar_app"].state["services"]
    return services


# Content negotiation: media type, language and compression from the Accept headers.


_USUAL = 200  # characters of a header that is worth remembering


def media_type(accept: str, offered: Sequence[str]) -> str:
    """Return the offered type that fits best; of equally good ones the first. Raises ``NotAcceptable``."""
    wanted = _parse_accept(accept) or [("*/*", 1.0)]
    weights = [_weight(kind, wanted) for kind in offered]
    best = max(weights)
    if best <= 0:
        raise NotAcceptable(tuple(offered))
    return offered[weights.index(best)]


def language(accept_language: str) -> str:
    """Return the preferred language of ours; English if none is wanted."""
    return _language(accept_language) if len(accept_language) < _USUAL else _language.__wrapped__(accept_language)


@lru_cache(maxsize=1000)
def _language(accept_language: str) -> str:
    wanted = sorted(_parse_accept(accept_language), key=lambda item: -item[1])
    for tag, weight in wanted:
        spoken = tag.partition("-")[0]
        if spoken in LANGUAGES and weight > 0:
            return spoken
    return FALLBACK


def takes_gzip(accept_encoding: str) -> bool:
    """Return whether the caller accepts a compressed body. Without the header it is not compressed."""
    weights = dict(_parse_accept(accept_encoding))
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def _parse_accept(header: str) -> list[tuple[str, float]]:
    """Return the items of an Accept header with their weights; an invalid weight counts as 0."""
    items = []
    for item in header.lower().split(","):
        name, *parameters = (part.strip() for part in item.split(";"))
        if name:
            quality = next((parameter[2:] for parameter in parameters if parameter.startswith("q=")), "1")
            items.append((name, _number(quality)))
    return items


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if 0 <= value <= 1 else 0.0


def _weight(kind: str, body: list[tuple[str, float]]) -> float:
    """Return the weight of the most specific item that matches this type."""
    group = kind.partition("/")[0] + "/*"
    for name in (kind, group, "*/*"):
        for item, weight in body:
            if item == name:
                return weight
    return 0.0
