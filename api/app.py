"""The ASGI application: its routes, its parts, and its start and stop."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, cast

from litestar import Litestar, route
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.types import HTTPScope, LifeSpanReceive, LifeSpanScope, LifeSpanSend, Receive, Scope, Send

import api
from api.common import consistency
from api.common.access_audit import AttemptLimit
from api.common.exporting import Exporting
from api.common.live.change_feed import ChangeFeed, ChangeSignal, ResponseCoalescer, SharedReads
from api.common.live.event_stream import SubscriptionGuard
from api.common.long_reads import build_read_queues
from api.common.reading import pasts_of
from api.common.shared_reads import LatestChange
from api.fast_path import FastPath
from api.games.moves import play
from api.games.tables import read_table
from api.games.tally import TallyCache
from api.http.browsers.attempts import LoginThrottle
from api.http.browsers.sessions import Sessions
from api.http.deprecation import add_deprecation
from api.http.limits import ConcurrencyLimiter, RateLimiter, StreamLimits, TimeoutMiddleware, with_deadline
from api.http.operations import handlers_in
from api.http.paging import Counts, add_epoch_header
from api.http.places import GamePlaces
from api.http.request import Tokens, add_part, part_of, set_parts
from api.http.response import Response
from api.http.sending import Origins, ResponseFinalizer, add_cache_control, complete, note_request, request_id_of
from api.pages.problems import problem_or_page
from api.service.docs import PageCache
from api.service.health import ReadyCheck
from api.services import Connections, Services
from api.threads import Threads
from api.webhooks.sending.sender import Sender
from domain.journal.access_audit import AccessWriter, RefusalCounter, TokenUses

ROUTES = handlers_in(*(import_module(module.name) for module in walk_packages(api.__path__, "api.") if module.name != __name__))
"""Every handler of the API, wherever it stands."""

MOST_ASKED = (("POST", play), ("GET", read_table))
"""These take the fast path."""

BODY_LIMIT = 1024 * 1024


class App(Litestar):
    """Litestar, with the fast path before it."""

    short_way: FastPath

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Receive | LifeSpanReceive, send: Send | LifeSpanSend) -> None:
        if scope["type"] == ScopeType.HTTP:
            http = cast(HTTPScope, scope)
            http.setdefault("state", {})
            if self.short_way.prepare_scope(http):
                return await self.short_way(http, cast(Receive, receive), cast(Send, send))
            note_request(request_id_of(http))
        return await super().__call__(scope, receive, send)


def create_app(services: Services) -> App:
    """Return the application for these services. Its lifespan starts the journal's writer and the projector, and stops them."""
    app = register_routes()
    set_services(app, services)
    return app


def register_routes() -> App:
    """Return an application with all routes, without services yet. Nearly all of the time to make an application is spent here."""
    handlers = cast("dict[int | type[Exception], Callable[..., Any]]", {Exception: problem_or_page})
    return App(
        route_handlers=[*_options(ROUTES), *ROUTES],
        lifespan=[_running],
        exception_handlers=handlers,
        middleware=[with_deadline],
        before_send=[complete],
        request_max_body_size=BODY_LIMIT,
        openapi_config=None,
        logging_config=None,
    )


def set_services(app: App, services: Services) -> None:
    """Set the services of the application, which it uses from its next start on."""
    counts, journal = Counts(), services.journal
    uses = TokenUses(services.registers, services.clock)
    pulse = ChangeSignal(journal.store.wait_for, journal.head, lambda: journal.store.epoch.id)
    looks = AccessWriter(services.registers, services.clock)
    pasts = pasts_of(journal)
    completing = ResponseFinalizer(
        Origins(services.origins), counts.count_response, consistency.add_lag_header, add_epoch_header, add_cache_control, add_deprecation
    )
    patience = TimeoutMiddleware(services.limits.answer)
    set_parts(
        app,
        services,
        counts,
        completing,
        patience,
        Tokens(services.registers, services.clock, used=uses.note),
        uses,
        RefusalCounter(services.registers, services.clock),
        Sessions(services),
        LoginThrottle(),
        GamePlaces(),
        looks,
        AttemptLimit(),
        RateLimiter(services.limits),
        StreamLimits(ConcurrencyLimiter("streams", services.limits.streams), ConcurrencyLimiter("followers", services.limits.followers)),
        SubscriptionGuard(),
        build_read_queues(services.readers, services.limits),
        Exporting(services.exports, ConcurrencyLimiter("exports", services.limits.exports)),
        pasts,
        ReadyCheck(services),
        pulse,
        ChangeFeed(journal, pulse),
        SharedReads(
            streams=ResponseCoalescer(),
            audits=ResponseCoalescer(),
            replays=ResponseCoalescer(),
            tables=ResponseCoalescer(256),
            standings=ResponseCoalescer(512),
        ),
        LatestChange(journal),
        TallyCache(),
        Sender.of(services, pasts, looks, pulse, counts),
        PageCache(),
        Connections(),
    )
    app.short_way = FastPath(app, MOST_ASKED if services.fast_path else (), completing, patience)


def _options(routes: Iterable[HTTPRouteHandler]) -> list[HTTPRouteHandler]:
    """Return handlers of OPTIONS with all methods of each address. Litestar's own response names only the first handler of an address."""
    methods: dict[str, set[str]] = {}
    for handler in routes:
        for path in handler.paths:
            methods.setdefault(path, {"OPTIONS"}).update(handler.http_methods)
    return [_options_handler(path, ", ".join(sorted(found))) for path, found in methods.items()]


def _options_handler(path: str, methods: str) -> HTTPRouteHandler:
    @route(path, http_method="OPTIONS", status_code=200)
    async def list_methods() -> Response:
        return Response(b"", status=204, headers=(("allow", methods),))

    return list_methods


@asynccontextmanager
async def _running(app: Litestar) -> AsyncIterator[None]:
    services, webhooks, threads = part_of(app, Services), part_of(app, Sender), Threads()
    registers = part_of(app, AccessWriter), part_of(app, TokenUses), part_of(app, RefusalCounter)
    add_part(app, threads)
    asyncio.get_running_loop().set_default_executor(threads)
    await services.journal.start()
    try:
        for register in registers:
            await register.start()
        await asyncio.to_thread(services.projector.start)
        await webhooks.start()
        if services.log:
            await asyncio.to_thread(services.log.start)
        try:
            yield
        finally:
            part_of(app, ChangeFeed).stop()
            await webhooks.close()
            if services.log:
                await asyncio.to_thread(services.log.stop)
            await asyncio.to_thread(services.projector.stop)
    finally:
        try:
            for register in registers:
                await register.close()
        finally:
            for process in (services.exports, services.readers):
                process.stop()  # it has the store open: killed after the journal, it would leave the write-ahead log behind
            await services.journal.stop()
