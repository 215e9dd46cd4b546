"""Permission checks of requests: authenticate the caller by token or session, and check the role, before a body is read.

Litestar's guards are not used: they copy the whole route handler for every request, which took longer than all checks here.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from functools import partial

from api.http.browsers.cookies import check_own_origin, check_sender, read_session_cookies
from api.http.browsers.sessions import Sessions
from api.http.errors import AuthenticationError, say
from api.http.limits import RateLimiter, StreamLimits
from api.http.places import Within, check_place_access
from api.http.request import ROLES_FOR, Need, Principal, Request, Tokens, address_of, anonymous_from, header, part_of, role_name, role_names
from api.http.response import Headers, StreamedResponse
from api.http.sending import note_for_all, note_quota
from domain.errors import Forbidden

_LARGE = 10
"""Requests as which one request for a large response (some hundred kilobytes) counts."""
_ADMITTED = "admitted"
"""The state key of the admitted principal; its rights in the scope of the request are in ``request.user``."""


async def readers(request: Request) -> None:
    """Admit everybody, with or without a token. Raises ``AuthenticationError`` and ``RateLimitedError``."""
    await authenticate(request)


async def count_by_address(request: Request) -> None:
    """Admit everybody to large public responses, counted by address. Raises ``RateLimitedError``."""
    part_of(request.app, RateLimiter).acquire(anonymous_from(address_of(request)), _LARGE)


async def own_pages(request: Request) -> None:
    """Admit everybody from a page of ours, counted by address. Raises ``Forbidden`` and ``RateLimitedError``."""
    part_of(request.app, RateLimiter).acquire(anonymous_from(address_of(request)))
    check_own_origin(request)


def require_role(need: Need) -> Callable[[Request], Awaitable[None]]:
    """Return the guard of an operation that needs a role."""
    return partial(_check_role, need=need)


async def _check_role(request: Request, need: Need) -> None:
    principal, roles = await authenticate(request), ROLES_FOR[need]
    if principal.is_anonymous:
        raise AuthenticationError(say("token_missing"), invalid=False)
    check_role(principal, roles)


def check_role(principal: Principal, roles: Sequence[str]) -> None:
    """Raise ``Forbidden`` if the caller has none of these roles."""
    if principal.role not in roles:
        raise Forbidden(say("role_may_not", role=role_name(principal.role), roles=role_names(roles)), *roles)


async def authenticate(request: Request) -> Principal:
    """Authenticate and count the caller. Raises ``AuthenticationError`` and ``RateLimitedError``."""
    try:
        principal = await _principal(request)
    except AuthenticationError:  # requests with an invalid token are counted by address
        part_of(request.app, RateLimiter).acquire(anonymous_from(address_of(request)))
        raise
    if principal.is_anonymous:
        note_for_all(request.scope)
    if not principal.has_record_role:  # a game at a table must not wait for a limit
        weight = request.scope["route_handler"].opt["operation"].weight
        note_quota(request.scope, part_of(request.app, RateLimiter).acquire(principal, weight))
    request.scope["user"] = request.scope["state"][_ADMITTED] = principal
    return principal


def principal_of(request: Request) -> Principal:
    """Return the caller as admitted, with the rights of their whole scope."""
    found: Principal = request.scope["state"][_ADMITTED]
    return found


async def repeat_authentication(request: Request) -> None:
    """Check the caller again during a long response.

    Raises ``AuthenticationError`` once the token is revoked, and ``Forbidden`` if its role changed.
    """
    if await _principal(request) != principal_of(request):
        raise Forbidden(say("token_changed"))


async def check_subscriber(request: Request, within: Within) -> None:
    """Check a follower again, with a fresh look-up: the same principal, and the same rights in the scope of the request.

    Raises what the first check raises, and ``Forbidden`` where the credentials belong to another principal by now.
    """
    user = request.user
    principal = await _principal(request, fresh=True)
    if principal != principal_of(request):
        raise Forbidden(say("token_changed"))
    request.scope["user"] = principal
    try:
        await check_place_access(request, within, powers=False)
        if request.user != user:
            raise Forbidden(say("token_changed"))
    finally:
        request.scope["user"] = user


def stream_response(request: Request, pieces: AsyncGenerator[bytes, None], *, media_type: str, headers: Headers = ()) -> StreamedResponse:
    """Return a response in pieces that runs while the token is valid. When it begins it takes a place among the streams; raises
    ``ConcurrencyLimitError`` then.
    """
    place = part_of(request.app, StreamLimits).streams.acquire(request.user)
    return StreamedResponse(place, stream_while_allowed(request, pieces), media_type=media_type, headers=headers)


async def stream_while_allowed(request: Request, pieces: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Yield the pieces of a response while the token is valid.

    It is checked before each piece, against a cache of one second. Raises what ``repeat_authentication`` raises.
    """
    async with aclosing(pieces):
        async for piece in pieces:
            await repeat_authentication(request)
            yield piece


async def _principal(request: Request, *, fresh: bool = False) -> Principal:
    """Return the principal of the token, else of the browser session. Writes with a session have to come from our own page.

    ``fresh``: at most ``FRESH`` seconds old. Raises ``AuthenticationError`` for a token, and ``Forbidden`` for a foreign page. A session
    that is over counts as none.
    """
    shown = header(request, b"authorization")
    secrets = () if shown else read_session_cookies(request)
    if not secrets:
        found = await part_of(request.app, Tokens).principal(shown, fresh=fresh)
        return anonymous_from(address_of(request)) if found.is_anonymous else found
    principal = await part_of(request.app, Sessions).principal(secrets, fresh=fresh)
    if principal.is_anonymous:
        return anonymous_from(address_of(request))
    if request.method not in ("GET", "HEAD"):
        check_own_origin(request)
        check_sender(request, principal.id)
    return principal
