"""Requests that are under way together, because the database takes no write for a while."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from httpx import ASGITransport, AsyncClient, Response

from api.services import Services
from tests.api.conftest import BODY, Service, app_of
from tests.deploy.stores.stores import writing_stopped

Ask = Callable[[], Any]


class Crowd:
    """A client of a service in the same loop. Counts the requests that the service has been given and has not answered yet."""

    def __init__(self, app: Any, services: Services, url: str, headers: dict[str, str]) -> None:
        self.services = services
        self.under_way = 0
        self.most = 0
        self._url = url
        self._app = app
        self.client = AsyncClient(transport=ASGITransport(self._counted), base_url="http://kiebitz", headers=BODY | headers, timeout=None)

    async def _counted(self, scope: Any, receive: Any, send: Any) -> None:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await self._app(scope, receive, send)
        finally:
            self.under_way -= 1

    async def together(self, *asked: Coroutine[Any, Any, Response]) -> Sequence[Response]:
        """The answers to requests that were all under way together, while something of them was being stored."""
        writer = self.services.journal.writer
        groups, self.most = writer.groups, 0
        with writing_stopped(self._url):
            tasks = [asyncio.create_task(one) for one in asked]
            while writer.groups == groups or self.most < len(tasks):
                await asyncio.sleep(0)
        return await asyncio.gather(*tasks)


@asynccontextmanager
async def crowd(services: Services, url: str, **headers: str) -> AsyncIterator[Crowd]:
    with app_of(services) as app:
        found = Crowd(app, services, url, headers)
        async with app.lifespan(), found.client:
            yield found


def at_once(service: Service, url: str, stream: UUID, first: Ask, *others: Ask) -> list[Any]:
    """The answers. The first is being stored while all others wait for their turn in the stream."""
    journal = service.services.journal
    groups = journal.writer.groups
    with ThreadPoolExecutor(1 + len(others)) as threads:
        with writing_stopped(url):
            asked = [threads.submit(first)]
            while journal.writer.groups == groups:
                os.sched_yield()
            asked += [threads.submit(other) for other in others]
            while len(journal._held[stream].lock._waiters or ()) < len(others):
                os.sched_yield()
        return [one.result() for one in asked]
