"""Who comes in. Runs before a body is read.

Not Litestar's guards: those copy the whole route handler for every request, which took longer than all that is done here.
"""

from collections.abc import Awaitable, Callable
from typing import cast

from api.http.errors import Forbidden
from api.http.limits import Buckets
from api.http.response import Asked, header
from api.http.tokens import (
    ROLES_FOR,
    Need,
    Principal,
    Tokens,
)


async def readers(asked: Asked) -> None:
    """Raises ``Unauthenticated`` and ``TooMany``."""
    await admitted(asked)


async def writers(asked: Asked) -> None:
    """Raises ``Forbidden`` for those who may not record play, too."""
    await _admitted_for(asked, "recorder")


def admitting(need: Need) -> Callable[[Asked], Awaitable[None]]:
    """The guard of what not everybody may do."""

    async def guard(asked: Asked) -> None:
        await _admitted_for(asked, need)

    return guard


async def _admitted_for(asked: Asked, need: Need) -> None:
    principal, roles = await admitted(asked), ROLES_FOR[need]
    if principal.role not in roles:
        raise Forbidden(f"the role {principal.role} may not do this; it takes the role {' or '.join(roles)}", *roles)


async def admitted(asked: Asked) -> Principal:
    state = asked.app.state
    tokens, buckets = cast(Tokens, state["tokens"]), cast(Buckets, state["buckets"])
    principal = await tokens.principal(header(asked, b"authorization"))
    buckets.take(principal)
    asked.scope["user"] = principal
    return principal
