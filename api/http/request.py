"""The request as handlers take it, its headers, and the services that answer it."""

from typing import Any, TypeAlias, cast

from litestar import Request
from litestar.datastructures import State

from api.http.tokens import Principal
from api.services import House

Asked: TypeAlias = Request[Principal, Any, State]


def sent(asked: Asked, name: bytes) -> str | None:
    """A header of the request, as it came. Looks once through the few there are."""
    for known, value in asked.scope["headers"]:
        if known == name:
            return value.decode("latin-1")
    return None


def header(asked: Asked, name: bytes) -> str:
    """The same for headers of which an empty one says as much as none."""
    return sent(asked, name) or ""


def house_of(asked: Asked) -> House:
    return cast(House, asked.app.state["house"])
