"""Access log: one line per request, written when its response ends.

It is installed only if the setting asks for it; otherwise it costs nothing.
"""

import logging
import re
from collections.abc import Callable
from time import perf_counter
from typing import cast

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import HTTPScope, LifeSpanReceive, LifeSpanScope, LifeSpanSend, Message, Receive, Scope, Send

from api.app import App
from api.fast_path import Answer, FastPath
from api.http.request import Principal
from api.http.sending import request_id_of
from deploy.system.log_lines import Access

_LOG = logging.getLogger("kiebitz.access")
_SECRET = re.compile(r"\b(kb|whsec)_[^/]+")
"""Secrets in a path: a client may have used one in place of the id of a token or webhook."""


class AccessLog:
    """ASGI application that logs each request of the application and of its fast path. An incomplete request leaves no line."""

    def __init__(self, app: Litestar, clock: Callable[[], float] = perf_counter) -> None:
        _LOG.setLevel(logging.INFO)  # access lines are logged although they are below WARNING
        self._app = app
        self._clock = clock
        self.short_way = _FastPathLog(cast(App, app).short_way, clock)

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Receive | LifeSpanReceive, send: Send | LifeSpanSend) -> None:
        if scope["type"] != ScopeType.HTTP:
            return await self._app(scope, receive, send)
        begun, status = self._clock(), None

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)  # pyrefly: ignore[bad-argument-type]

        try:
            await self._app(scope, receive, note_status)
        finally:
            _note(cast(HTTPScope, scope), status, self._clock() - begun)


class _FastPathLog:
    def __init__(self, short: FastPath, clock: Callable[[], float]) -> None:
        self.prepare_scope = short.prepare_scope
        self._short = short
        self._clock = clock

    async def handle_request(self, scope: HTTPScope, receive: Receive) -> Answer:
        begun = self._clock()
        start, body = await self._short.handle_request(scope, receive)
        _note(scope, start["status"], self._clock() - begun)
        return start, body


def _note(scope: HTTPScope, status: int | None, seconds: float) -> None:
    method, path = scope["method"], _SECRET.sub(r"\1_…", scope["raw_path"].decode("ascii", "replace"))
    access = Access(method, path, status, round(seconds * 1e3, 1), _principal(scope.get("user")))
    named = access.principal or "-", request_id_of(scope)
    _LOG.info("%s %s %s %.1f ms %s %s", method, path, status or "-", access.milliseconds, *named, extra={"access": access})


def _principal(user: object) -> str | None:
    """Return the id of the principal, or ``None`` without a token: the address of an anonymous client is not logged."""
    return user.id if isinstance(user, Principal) and not user.is_anonymous else None
