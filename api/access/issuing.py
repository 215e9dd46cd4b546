"""Issuing tokens: a director gives others what lies in his own scope."""

import asyncio
from functools import partial

from api.access.lists import issued_before
from api.access.requests import IssueToken
from api.access.responses import IssuedToken, issued_token
from api.access.secrets import hashed, new_secret
from api.common.grants import Granted, granted
from api.common.repeats import once
from api.http.decoding import read_body
from api.http.errors import Forbidden, say
from api.http.operations import Content, Operation, writes
from api.http.request import Request, services_of
from api.http.response import Response, unstored
from domain.access.bounds import check_room
from domain.access.scopes import EVERYTHING
from domain.journal.commits import CommandKey
from domain.journal.registers import stamp
from domain.journal.tokens import Token


@writes(
    "/v1/tokens",
    Operation(
        id="issue_token",
        tag="Access",
        summary="Issue a token",
        description="Nobody gives more than he has: the scope lies in his own, it is good no longer than his own, and who sees what is "
        "public gives no eyes that see more. The answer tells the secret, this once. Under the same Idempotency-Key no second token is "
        "issued, and the answer tells the first one without its secret, which is kept nowhere: `if_lost` says where to rotate it.",
        body=IssueToken,
        responses={201: Content("issued", IssuedToken, creates={"token": "/id"})},
        refuses=(404, 422),
        headers=("Idempotency-Key",),
        role="director",
        within="body",
    ),
)
async def issue_token(request: Request) -> Response:
    body, services = await read_body(request, IssueToken), services_of(request)

    async def issue(command: CommandKey | None) -> Response:
        given = await granted(request, body, body.expires_at)
        _check_principal(request, body.principal)
        await check_room_for_token(request)
        secret = new_secret(services.new_salt)
        token = _token(request, body, given, hashed(secret))
        await asyncio.to_thread(services.registers.add_token, token, command)
        return unstored(issued_token(token, secret), status=201)

    return await once(request, issue, partial(issued_before, request))


async def check_room_for_token(request: Request) -> None:
    """Raises ``Refused``."""
    services = services_of(request)
    tokens, now = await asyncio.to_thread(services.registers.list_tokens), stamp(services.clock())
    check_room("tokens", request.user.id, (one.issued_by for one in tokens if not one.is_over(now)))


def _check_principal(request: Request, principal: str | None) -> None:
    """Raises ``Forbidden``: who acts as somebody else stands in the events as that one, everywhere."""
    if principal not in (None, request.user.id) and request.user.grant.scope != EVERYTHING:
        raise Forbidden(say("gives_more.principal"), where="principal")


def _token(request: Request, body: IssueToken, given: Granted, hash: str) -> Token:
    services = services_of(request)
    return Token(
        id=services.new_id().hex[:8],
        hash=hash,
        principal=body.principal or str(services.new_id()),
        role=given.role,
        label=body.label,
        issued_at=stamp(services.clock()),
        grant=given.grant,
        expires_at=given.expires_at,
        issued_by=request.user.id,
    )
