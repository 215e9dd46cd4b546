"""The service over a store of one's own, in this process: asked as a server is asked, but through no socket."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal
from litestar import Litestar

from api.app import create_app
from api.http.tokens import Principal, Tokens
from deploy.cli.journal import CALL
from deploy.compose import open_services, settle_epoch
from deploy.config.settings import Settings, existing_journal
from deploy.processes.serve_lock import lock_data_folder


@contextmanager
def client_here(settings: Settings, language: str, *, create: bool) -> Iterator[httpx.Client]:
    """``create``: a store is made where there is none. Raises ``Failure``, also if another process writes there."""
    if settings.embedded and not create:
        existing_journal(settings)
    with (
        lock_data_folder(settings, "record"),
        open_services(settings, alone=settings.embedded) as services,
    ):
        settle_epoch(services, settings)
        app = create_app(services)
        app.state["tokens"] = _Owner(services.registers, services.clock, used=lambda token: None)
        with (
            start_blocking_portal() as portal,
            _running(portal, app),
            httpx.Client(transport=_InProcess(portal, app), base_url="http://here", headers={"Accept-Language": language}) as http,
        ):
            yield http


@contextmanager
def _running(portal: BlockingPortal, app: Litestar) -> Iterator[None]:
    """What is raised inside goes its way as it is; the lifespan would wrap it up in a group."""
    raised = None
    with portal.wrap_async_context_manager(app.lifespan()):
        try:
            yield
        except BaseException as error:
            raised = error
    if raised is not None:
        raise raised


class _Owner(Tokens):
    """Whoever may write the files of a store may record in it; nobody else reaches this service, so no token is asked for."""

    async def principal(self, authorization: str, *, fresh: bool = False) -> Principal:
        return Principal(CALL.by, "recorder")


class _InProcess(httpx.BaseTransport):
    def __init__(self, portal: BlockingPortal, app: Litestar) -> None:
        self._portal = portal
        self._service = httpx.ASGITransport(app)  # type: ignore[arg-type]  # the two name the same protocol by other types

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._portal.call(self._answer, request)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        answer = await self._service.handle_async_request(request)
        pieces = [piece async for piece in answer.aiter_raw()]
        return httpx.Response(answer.status_code, headers=answer.headers, stream=httpx.ByteStream(b"".join(pieces)))
