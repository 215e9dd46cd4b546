"""Requests: parameters, headers and services of a request, and the principal behind its access token."""

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from litestar import Litestar
from litestar import Request as LitestarRequest
from litestar.datastructures import State
from litestar.exceptions import ClientException, NotFoundException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import Scope
from msgspec import Struct
from msgspec.structs import replace

from api.http.errors import AuthenticationError, BadRequest, NotAcceptable, say
from api.services import Services
from api.threads import using_pool
from domain.access import ARBITERS, JUDGES, OFFICIALS, PUBLISHED, UNBOUND, WRITERS, Grant, VisibilityScope, visibility_within
from domain.errors import Forbidden
from domain.journal.registers import Registers
from domain.texts import FALLBACK, LANGUAGES, Phrase

# Authentication by bearer token, and the principal of a request.


Role: TypeAlias = Literal["director", "recorder", "arbiter", "committee", "viewer", "player"]
ROLES: tuple[Role, ...] = get_args(Role)
NOBODY = "public"
"""The role of callers without a token. No token has it."""

Need: TypeAlias = Literal["director", "recorder", "arbiter", "judge", "official", "player", "player_or_recorder", "player_or_official"]
ROLES_FOR: Mapping[Need, tuple[str, ...]] = {
    "director": ("director",),
    "recorder": WRITERS,
    "arbiter": ARBITERS,
    "judge": JUDGES,
    "official": OFFICIALS,
    "player": ("player",),
    "player_or_recorder": (*WRITERS, "player"),
    "player_or_official": (*OFFICIALS, "player"),
}
"""The roles for each need: direct a tournament, record play, act as an arbiter, give a ruling, speak about a game. A player acts, alone or
besides, for the seat that they hold: give a chance for the deck; make a move or confirm a result, speak about their game.
"""


def role_name(role: str) -> Phrase:
    return say(f"role.{role}")


def role_names(roles: Iterable[str]) -> tuple[Phrase, ...]:
    return tuple(map(role_name, roles))


KEPT = 1.0  # seconds for which a revoked token may still count as valid
FRESH = 0.3  # seconds: the same for a fresh look-up
_MOST = 10_000


class Principal(Struct, frozen=True, dict=True):
    """A caller: an opaque id, what it may do, and where.

    A viewer reads what the public may see, a player what their seat sees, the others see all, unless their grant says otherwise. In a
    request it is what the caller is in the place that the request is about (``api/http/places.py``): beyond their scope a viewer.

    ``token`` is the id of the caller's token, if there is one, ``session`` that of the browser. ``expires_at`` is that of the token, or of
    the one from which the session came.
    """

    id: str
    role: str
    grant: Grant = UNBOUND
    expires_at: str | None = None
    token: str | None = None
    session: str | None = None

    @cached_property
    def is_anonymous(self) -> bool:
        return self.role == NOBODY

    @property
    def is_address(self) -> bool:
        """True if no token was shown, whatever the caller is in the place of the request."""
        return is_address(self.id)

    @cached_property
    def has_record_role(self) -> bool:
        return self.role in OFFICIALS

    @cached_property
    def has_full_view(self) -> bool:
        """True if the caller may see all cards and names of the place."""
        return self.has_record_role and self.grant.sees == "all"

    @cached_property
    def visibility(self) -> VisibilityScope:
        """The scope of reading where a response is about more than one place."""
        return PUBLISHED if self.is_anonymous else visibility_within(self.grant.scope)

    @property
    def has_public_sight(self) -> bool:
        """True if the caller acts as an official, and sees what the public sees."""
        return self.has_record_role and self.grant.sees == "public"

    def as_viewer(self) -> "Principal":
        """Return the principal without powers, as it is beyond its scope."""
        return replace(self, role="viewer", grant=Grant(self.grant.scope))


_AT = "@"
PUBLIC = Principal("", NOBODY)


def anonymous_from(address: str) -> Principal:
    """Return the principal of callers without a token, counted by their address, which is stored nowhere."""
    return Principal(f"{_AT}{address}", NOBODY)


def is_address(id: str) -> bool:
    return id.startswith(_AT)


class Tokens:
    """The register of tokens behind a short cache."""

    def __init__(
        self,
        registers: Registers,
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
        *,
        used: Callable[[str], None],
    ) -> None:
        """``used`` is called with the id of every token that was accepted."""
        self._registers = registers
        self._used = used
        self._now = now
        self._clock = clock
        self._known: dict[bytes, tuple[Principal, float]] = {}

    async def principal(self, authorization: str, *, fresh: bool = False) -> Principal:
        """Return the principal of the Authorization header; the public without one. Raises ``AuthenticationError``."""
        key = sha256(authorization.encode("latin-1", "replace")).digest()
        known = self._known.get(key)
        if known is not None and known[1] > self._clock() + (KEPT - FRESH if fresh else 0):
            principal = known[0]
        elif authorization:
            principal = await self._load_principal(authorization, key)
        else:
            return PUBLIC
        if principal.token is not None:
            self._used(principal.token)
        return principal

    async def _load_principal(self, authorization: str, key: bytes) -> Principal:
        self._known.pop(key, None)
        until = self._clock() + KEPT  # set before the read: a token revoked meanwhile must not stay valid longer because of it
        with using_pool("admission"):
            principal = await asyncio.to_thread(self._found, _secret(authorization))
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[key] = (principal, until)
        return principal

    def _found(self, secret: str) -> Principal:
        token = self._registers.find_token(sha256(secret.encode()).hexdigest())
        if token is None or token.revoked_at is not None:
            raise AuthenticationError(say("token_unknown"), invalid=True)
        if token.expires_at is not None and datetime.fromisoformat(token.expires_at) <= self._now():
            raise AuthenticationError(say("token_expired", at=token.expires_at), invalid=True)
        if token.role not in ROLES:
            raise Forbidden(say("role_unknown", role=token.role, roles=role_names(ROLES)), *ROLES)
        return Principal(token.principal, token.role, token.grant, token.expires_at, token.id)


def _secret(authorization: str) -> str:
    scheme, _, secret = authorization.partition(" ")
    secret = secret.strip()
    if scheme.lower() != "bearer" or not secret:
        raise AuthenticationError(say("scheme_unknown"), invalid=True)
    return secret


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
_PARTS = "parts"

T = TypeVar("T")
LARGEST_NUMBER = 2**31 - 1
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

    Raises ``NotFoundException`` for the character 0, which no store keeps, for a number beyond ``LARGEST_NUMBER``, and for one with another
    spelling than the canonical one.
    """
    path = request.scope["path"]
    if "\0" in path:
        raise NotFoundException
    for value in request.path_params.values():
        if isinstance(value, int) and not (1 <= value <= LARGEST_NUMBER and str(value) in path.split("/")):
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


def set_parts(app: Litestar, *parts: object) -> None:
    """Set the parts of the application, each under its type, in place of all earlier ones."""
    app.state = State({_PARTS: {type(part): part for part in parts}})


def add_part(app: Litestar, part: object) -> None:
    """Add a part, or replace the one of its type."""
    app.state[_PARTS][type(part)] = part


def part_of(app: Litestar, kind: type[T]) -> T:
    """Return the part of the application that has this type."""
    part: T = app.state[_PARTS][kind]
    return part


def services_of(request: Request) -> Services:
    return part_of(request.app, Services)


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
