"""How tokens end: revoked, or rotated into another secret."""

import asyncio
from datetime import timedelta
from functools import partial

from litestar.params import FromPath

from api.access.issuing import check_room_for_token
from api.access.lists import issued_before, token_in_scope
from api.access.requests import RevokeToken, RotateToken
from api.access.responses import IssuedToken, TokenView, issued_token, token_view
from api.access.secrets import hashed, new_secret, successor
from api.common.grants import Granted, check_gives
from api.common.repeats import once
from api.http.decoding import read_body
from api.http.errors import Forbidden, say
from api.http.guards import readers
from api.http.operations import Content, Operation, writes
from api.http.request import Request, services_of
from api.http.response import Response, unstored
from api.http.tokens import role_name, role_names
from domain.errors import Refused
from domain.journal.commits import CommandKey
from domain.journal.registers import Duplicate, stamp
from domain.journal.tokens import Token


@writes(
    "/v1/tokens/{token:str}/revocation",
    Operation(
        id="revoke_token",
        tag="Access",
        summary="Revoke a token",
        description="One that lies in your scope. It is refused within a second; what was revoked before stays so.",
        body=RevokeToken,
        responses={200: Content("the token", TokenView)},
        refuses=(404,),
        headers=("Idempotency-Key",),
        role="director",
        within="body",
    ),
)
async def revoke_token(request: Request, token: FromPath[str]) -> Response:
    await read_body(request, RevokeToken)
    services = services_of(request)

    async def tell(_: str) -> Response:
        return unstored(token_view(await token_in_scope(request, token)))

    async def revoke(command: CommandKey | None) -> Response:
        await token_in_scope(request, token)
        await asyncio.to_thread(services.registers.revoke_token, token, stamp(services.clock()), command)
        return await tell(token)

    return await once(request, revoke, tell)


@writes(
    "/v1/tokens/{token:str}/rotation",
    Operation(
        id="rotate_token",
        tag="Access",
        summary="Rotate a token: a new secret in the place of the old one",
        description="The same principal, role, scope, label and end. The old one ends at once, or after the `grace` that is asked for. "
        "Everybody may rotate the token that he shows; a director others in his scope that he could issue himself. Repeated under its "
        "Idempotency-Key it is answered without the secret, as the issue of a token is.",
        body=RotateToken,
        responses={201: Content("the new token", IssuedToken, creates={"token": "/id"})},
        refuses=(403, 404, 409, 422),
        headers=("Idempotency-Key",),
        within="body",
    ),
    admit=readers,
)
async def rotate_token(request: Request, token: FromPath[str]) -> Response:
    body = await read_body(request, RotateToken)
    try:
        return await once(request, partial(_rotate, request, token, body), partial(issued_before, request))
    except Duplicate:  # somebody else has rotated it, with a grace
        raise Refused("token_over") from None


async def _rotate(request: Request, id: str, body: RotateToken, command: CommandKey | None) -> Response:
    old = await _to_rotate(request, id)
    if body.grace:  # for so long there are two
        await check_room_for_token(request)
    services, secret = services_of(request), new_secret(services_of(request).new_salt)
    now = services.clock()
    new = successor(old, hashed(secret), stamp(now), request.user.id)
    ends_at = _end(old, stamp(now + timedelta(seconds=body.grace))) if body.grace else None
    keep = partial(services.registers.rotate_token, old, new, stamp(now), ends_at=ends_at, command=command)
    if not await asyncio.to_thread(keep):
        raise Refused("token_over")
    return unstored(issued_token(new, secret), status=201)


def _end(old: Token, grace_ends: str) -> str:
    """No grace prolongs a token."""
    return grace_ends if old.expires_at is None else min(old.expires_at, grace_ends)


async def _to_rotate(request: Request, id: str) -> Token:
    """Raises ``Forbidden``, ``Unknown``, and ``Refused`` for a token that is over."""
    caller = request.user
    if id != caller.token and caller.role != "director":
        raise Forbidden(say("role_may_not", role=role_name(caller.role), roles=role_names(("director",))), "director")
    token = await token_in_scope(request, id)
    if id != caller.token:
        check_gives(caller, Granted(token.role, token.grant, token.expires_at))
    if token.is_over(stamp(services_of(request).clock())):
        raise Refused("token_over")
    return token
