"""Who comes in. Runs before a body is read.

Not Litestar's guards: those copy the whole route handler for every request, which took longer than all that is done here.
"""

from collections.abc import Awaitable, Callable
from typing import cast

from api.http.errors import Forbidden
from api.http.limits import Buckets
from api.http.request import Request, header
from api.http.tokens import ROLES_FOR, Need, Principal, Tokens


async def readers(request: Request) -> None:
    """Raises ``Unauthenticated`` and ``TooMany``."""
    await admitted(request)


async def writers(request: Request) -> None:
    """Raises ``Forbidden`` for those who may not record play, too."""
    await _admitted_for(request, "recorder")


def admitting(need: Need) -> Callable[[Request], Awaitable[None]]:
    """The guard of what not everybody may do."""

    async def guard(request: Request) -> None:
        await _admitted_for(request, need)

    return guard


async def _admitted_for(request: Request, need: Need) -> None:
    principal, roles = await admitted(request), ROLES_FOR[need]
    if principal.role not in roles:
        raise Forbidden(f"the role {principal.role} may not do this; it takes the role {' or '.join(roles)}", *roles)


async def admitted(request: Request) -> Principal:
    state = request.app.state
    tokens, buckets = cast(Tokens, state["tokens"]), cast(Buckets, state["buckets"])
    principal = await tokens.principal(header(request, b"authorization"))
    buckets.take(principal)
    request.scope["user"] = principal
    return principal
