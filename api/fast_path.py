"""Fast path for the most frequent requests: do what Litestar would do for these operations, and no more.

Their handlers, guards, timeouts, problems and headers are the very same functions, called in the same order. Litestar handles unusual
requests: another spelling of the address, a mount, a strange host. docs/decisions/0060-the-short-way.md says what that saves.
"""

import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, NamedTuple, TypeAlias, cast
from uuid import UUID

import msgspec
from litestar import Litestar
from litestar import Request as LitestarRequest
from litestar.handlers import HTTPRouteHandler
from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, HTTPScope, Receive, Send

from api.http.limits import TimeoutMiddleware
from api.http.request import Request, headers_of
from api.http.response import Response
from api.http.sending import ResponseFinalizer, note_request, request_id_of
from api.pages.problems import problem_or_page

_GAME = "{game:uuid}"
_CANONICAL = "([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"
_HOST = re.compile(rb"[0-9A-Za-z.:\[\]-]*")
"""A usual Host header; a request with any other goes to Litestar."""


Answer: TypeAlias = tuple[HTTPResponseStartEvent, bytes]
"""The start of a response, and its body."""


class _FastRoute(NamedTuple):
    """The operation at one address. ``before`` and ``answer`` are the functions that Litestar calls, too."""

    handler: HTTPRouteHandler
    template: str
    address: re.Pattern[str]
    before: Callable[[Request], Awaitable[None]]
    answer: Callable[[Request, UUID], Awaitable[Response]]


class FastPath:
    """The fast path for operations of one game, one per method; ``app`` is where they are registered."""

    def __init__(
        self, app: Litestar, handlers: Iterable[tuple[str, HTTPRouteHandler]], completing: ResponseFinalizer, patience: TimeoutMiddleware
    ) -> None:
        self._app = app
        self._ways = {method: _build_route(handler) for method, handler in handlers}
        self._completing = completing
        self._patience = patience

    def prepare_scope(self, scope: Any) -> bool:
        """Return whether the request takes the fast path. Then its scope is as Litestar would have made it."""
        found = self._find(scope["method"], scope["path"])
        scope.setdefault("state", {})
        if found is None or scope.get("root_path") or not _HOST.fullmatch(headers_of(scope).get(b"host", b"")):
            return False
        scope.update(found)
        return True

    def _find(self, method: str, path: str) -> dict[str, Any] | None:
        """Return the entries that Litestar adds to the scope for this address."""
        way = self._ways.get(method)
        found = way.address.fullmatch(path) if way else None
        if way is None or found is None:
            return None
        return {
            "app": self._app,
            "litestar_app": self._app,
            "path_params": {"game": msgspec.convert(found[1], UUID)},  # a third of the time of UUID(…)
            "route_handler": way.handler,
            "path_template": way.template,
        }

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        start, body = await self.handle_request(scope, receive)
        await send(start)
        end: HTTPResponseBodyEvent = {"type": "http.response.body", "body": body, "more_body": False}
        await send(end)

    async def handle_request(self, scope: HTTPScope, receive: Receive) -> Answer:
        """Return the whole response to a request that takes the fast path."""
        note_request(request_id_of(scope))
        try:
            start, body = await self._patience.keep(self._call_handler, scope, receive, _nothing_yet)
        except Exception as error:
            start, body = await problem_or_page(LitestarRequest(scope, receive), error).render(scope)
        self._completing.complete(start, scope)
        return start, body

    async def _call_handler(self, scope: Any, receive: Receive, send: Send) -> Answer:
        way = self._ways[scope["method"]]
        request: Request = LitestarRequest(scope, receive, send)
        await way.before(request)
        response = await way.answer(request, scope["path_params"]["game"])
        return await response.render(scope)


async def _nothing_yet(_: object) -> None:
    raise RuntimeError("an answer of the short way is made whole before it is sent")


def _build_route(handler: HTTPRouteHandler) -> _FastRoute:
    (template,) = handler.paths
    before, _, after = template.partition(_GAME)
    address = re.compile(re.escape(before) + _CANONICAL + re.escape(after))
    return _FastRoute(handler, template, address, cast(Any, handler.before_request), cast(Any, handler.fn))
