"""Requests for a secret that come again under their Idempotency-Key: the token is made once, and its secret, kept nowhere, told once."""

import asyncio
from collections.abc import Callable

from msgspec import UNSET

from api.access.responses import issued_token
from api.common.commands import idempotency_key, replayed_header
from api.common.fingerprints import fingerprints_of
from api.http.request import Request, services_of
from api.http.response import Response, unstored
from domain.errors import Reused
from domain.journal.commits import CommandKey
from domain.journal.registers import Duplicate
from domain.journal.tokens import Token


async def command_of(request: Request) -> CommandKey | None:
    """Raises ``BadRequest`` for a key of the wrong form."""
    key = idempotency_key(request)
    return None if key is None else CommandKey(request.user.id, key, (await fingerprints_of(request))[0])


async def made_under(request: Request, command: CommandKey | None) -> Response | None:
    """The answer of before, without the secret; ``None`` where the key is new. Raises ``Reused``."""
    if command is None:
        return None
    registers = services_of(request).registers
    found = await asyncio.to_thread(registers.token_under, command.principal, command.key)
    if found is None:
        return None
    token = await asyncio.to_thread(registers.token_of, found[1])
    if found[0] != command.fingerprint or token is None:
        raise Reused(command.key)
    return unstored(issued_token(token, UNSET), status=201, headers=replayed_header(repeated=True))


async def keep_once(request: Request, command: CommandKey | None, keep: Callable[[], Token | None], secret: str) -> Response | None:
    """Answers the token that ``keep`` kept, with its secret; where the key came twice at once, as it is answered again.

    ``None`` where nothing was kept. Raises ``Duplicate`` where there is such a token, though the key is new.
    """
    try:
        token = await asyncio.to_thread(keep)
    except Duplicate:
        if (again := await made_under(request, command)) is None:
            raise
        return again
    return None if token is None else unstored(issued_token(token, secret), status=201)
