"""Who comes in. Runs before a body is read.

Not Litestar's guards: those copy the whole route handler for every request, which took longer than all that is done here.
"""

from typing import cast

from api.errors import Forbidden
from api.http import Asked, header
from api.limits import Buckets
from api.tokens import WRITERS, Principal, Tokens


async def readers(asked: Asked) -> None:
    """Raises ``Unauthenticated`` and ``TooMany``."""
    await admitted(asked)


async def writers(asked: Asked) -> None:
    """Raises ``Forbidden`` for a viewer, too."""
    principal = await admitted(asked)
    if not principal.writes:
        raise Forbidden(f"a {principal.role} may read; this takes the role {' or '.join(WRITERS)}", *WRITERS)


async def admitted(asked: Asked) -> Principal:
    state = asked.app.state
    tokens, buckets = cast(Tokens, state["tokens"]), cast(Buckets, state["buckets"])
    principal = await tokens.principal(header(asked, b"authorization"))
    buckets.take(principal)
    asked.scope["user"] = principal
    return principal
