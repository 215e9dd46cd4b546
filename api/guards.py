"""Who comes in: guards of the routes. They run before a body is read."""

from typing import Any, cast

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from api.errors import Forbidden
from api.limits import Buckets
from api.tokens import WRITERS, Principal, Tokens

Connection = ASGIConnection[Any, Any, Any, Any]


async def anybody_known(connection: Connection, _: BaseRouteHandler) -> None:
    """Raises ``Unauthenticated`` and ``TooMany``."""
    await admitted(connection)


async def writers(connection: Connection, _: BaseRouteHandler) -> None:
    """Raises ``Forbidden`` for a viewer, too."""
    principal = await admitted(connection)
    if not principal.writes:
        raise Forbidden(f"a {principal.role} may read; this takes the role {' or '.join(WRITERS)}", *WRITERS)


async def admitted(connection: Connection) -> Principal:
    state = connection.app.state
    tokens, buckets = cast(Tokens, state["tokens"]), cast(Buckets, state["buckets"])
    principal = await tokens.principal(connection.headers.get("authorization", ""))
    buckets.take(principal)
    connection.scope["user"] = principal
    return principal


READERS: list[Guard] = [anybody_known]
WRITING: list[Guard] = [writers]
