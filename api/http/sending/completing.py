"""The headers that every answer has: steps, each of which may change those of an answer, whoever made it."""

from collections.abc import Callable
from typing import TypeAlias, cast

from litestar.types import HTTPResponseStartEvent, Message, Scope

from api.http.sending.headers import Growing, varying
from api.http.sending.origins import Origins
from api.http.sending.quotas import quota_of
from api.http.sending.request_ids import request_id_of

Step: TypeAlias = Callable[[int, Growing, Scope], None]
"""By the status of the answer, its headers so far, and the request."""


class Completing:
    """The steps in their order, and after them what goes with every answer."""

    def __init__(self, origins: Origins, *steps: Step) -> None:
        self._origins = origins
        self._steps = steps

    def complete(self, start: HTTPResponseStartEvent, scope: Scope) -> None:
        headers = list(start["headers"])
        for step in self._steps:
            step(start["status"], headers, scope)
        headers += (b"request-id", request_id_of(scope).encode()), *quota_of(scope), *self._origins.headers(scope)
        for name, value in headers:
            if name == b"vary" and b"authorization" in value:
                headers = varying(headers, b"cookie")  # who sends no token may be known by his cookie
                break
        start["headers"] = varying(headers, b"origin") if self._origins.vary else headers


async def complete(message: Message, scope: Scope) -> None:
    """Litestar calls it before each message that is sent."""
    if message["type"] == "http.response.start":
        cast(Completing, scope["litestar_app"].state["completing"]).complete(message, scope)
