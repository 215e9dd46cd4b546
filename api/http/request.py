"""The request as handlers take it, its headers, and the services that answer it."""

from typing import Any, TypeAlias, cast

from litestar import Request as LitestarRequest
from litestar.datastructures import State

from api.http.tokens import Principal
from api.services import Services

Request: TypeAlias = LitestarRequest[Principal, Any, State]


def sent(request: Request, name: bytes) -> str | None:
    """A header of the request, as it came. Looks once through the few there are."""
    for known, value in request.scope["headers"]:
        if known == name:
            return value.decode("latin-1")
    return None


def header(request: Request, name: bytes) -> str:
    """The same for headers of which an empty one says as much as none."""
    return sent(request, name) or ""


def services_of(request: Request) -> Services:
    return cast(Services, request.app.state["services"])
