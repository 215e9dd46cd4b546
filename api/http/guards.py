"""Who comes in. Runs before a body is read.

Not Litestar's guards: those copy the whole route handler for every request, which took longer than all that is done here.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from functools import partial
from typing import cast

from api.http.browsers.cookies import check_own_origin, read_session_cookies
from api.http.browsers.sessions import Sessions
from api.http.errors import Unauthenticated, say
from api.http.limits import Buckets, Places
from api.http.places import Within, enter
from api.http.request import Request, address_of, header
from api.http.response import Headers, StreamedResponse
from api.http.sending import note_for_all, note_quota
from api.http.tokens import ROLES_FOR, Need, Principal, Tokens, nobody_from, role_name, role_names
from domain.errors import Forbidden

_LARGE = 10
"""As so many requests counts one for what is large: some hundred kilobytes."""
_ADMITTED = "admitted"
"""Who was let in; what he is in the place of the request is its user."""


async def readers(request: Request) -> None:
    """Nobody in particular comes this far, too. Raises ``Unauthenticated`` and ``TooMany``."""
    await admitted(request)


async def counted(request: Request) -> None:
    """Everybody, counted by his address: what anybody may ask for without a token, and is large. Raises ``TooMany``."""
    cast(Buckets, request.app.state["buckets"]).take(nobody_from(address_of(request)), _LARGE)


async def own_pages(request: Request) -> None:
    """Everybody, from a page of ours, counted by the address. Raises ``Forbidden`` and ``TooMany``."""
    cast(Buckets, request.app.state["buckets"]).take(nobody_from(address_of(request)))
    check_own_origin(request)


def admitting(need: Need) -> Callable[[Request], Awaitable[None]]:
    """The guard of what not everybody may do."""
    return partial(_admitted_for, need=need)


async def _admitted_for(request: Request, need: Need) -> None:
    principal, roles = await admitted(request), ROLES_FOR[need]
    if principal.is_nobody:
        raise Unauthenticated(say("token_missing"), invalid=False)
    if principal.role not in roles:
        raise Forbidden(say("role_may_not", role=role_name(principal.role), roles=role_names(roles)), *roles)


async def admitted(request: Request) -> Principal:
    try:
        principal = await _principal(request)
    except Unauthenticated:  # who shows a token that is none is nobody, and counted like that
        cast(Buckets, request.app.state["buckets"]).take(nobody_from(address_of(request)))
        raise
    if principal.is_nobody:
        note_for_all(request.scope)
    if not principal.is_official:  # a game at a table must not wait for a limit
        weight = request.scope["route_handler"].opt["operation"].weight
        note_quota(request.scope, cast(Buckets, request.app.state["buckets"]).take(principal, weight))
    request.scope["user"] = request.scope["state"][_ADMITTED] = principal
    return principal


async def still_admitted(request: Request) -> None:
    """For answers that take their time. Raises ``Unauthenticated`` once the token is revoked, and ``Forbidden`` if its role changed."""
    if await _principal(request) != request.scope["state"][_ADMITTED]:
        raise Forbidden(say("token_changed"))


async def admitted_again(request: Request, within: Within) -> None:
    """For those who follow: the same, looked up anew, and that the place of the request still opens to the same eyes.

    Raises what it raises when one comes in, and ``Forbidden`` where he is somebody else by now.
    """
    user = request.user
    principal = await _principal(request, fresh=True)
    if principal != request.scope["state"][_ADMITTED]:
        raise Forbidden(say("token_changed"))
    request.scope["user"] = principal
    try:
        await enter(request, within, powers=False)
        if request.user != user:
            raise Forbidden(say("token_changed"))
    finally:
        request.scope["user"] = user


def streamed(request: Request, pieces: AsyncGenerator[bytes, None], *, media_type: str, headers: Headers = ()) -> StreamedResponse:
    """An answer in pieces, for as long as the token holds. It takes a place among the streams when it begins; raises ``Crowded`` then."""
    place = cast(Places, request.app.state["streams"]).taken(request.user)
    return StreamedResponse(place, while_admitted(request, pieces), media_type=media_type, headers=headers)


async def while_admitted(request: Request, pieces: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The pieces of an answer for as long as the token holds; looked up again before each, at most once a second. Raises what
    ``still_admitted`` raises."""
    async with aclosing(pieces):
        async for piece in pieces:
            await still_admitted(request)
            yield piece


async def _principal(request: Request, *, fresh: bool = False) -> Principal:
    """By the token that is shown, else by the session of a browser; what a browser writes has to come from a page of ours.

    ``fresh``: as it was a moment ago, at most. Raises ``Unauthenticated`` for a token, and ``Forbidden`` for a page of elsewhere. A session
    that is over is none.
    """
    shown = header(request, b"authorization")
    secrets = () if shown else read_session_cookies(request)
    if not secrets:
        tokens: Tokens = request.scope["litestar_app"].state["tokens"]
        found = await tokens.principal(shown, fresh=fresh)
        return nobody_from(address_of(request)) if found.is_nobody else found
    principal = await cast(Sessions, request.app.state["sessions"]).principal(secrets, fresh=fresh)
    if principal.is_nobody:
        return nobody_from(address_of(request))
    if request.method not in ("GET", "HEAD"):
        check_own_origin(request)
    return principal
