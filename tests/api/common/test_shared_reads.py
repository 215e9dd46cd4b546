"""What many readers share is renewed by events, and not by each move of a hand."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

from litestar import Request

from api.common.live.change_feed import ResponseCoalescer, SharedReads
from api.common.shared_reads import LatestChange, share_read
from api.http.errors import RateLimitedError
from api.http.request import anonymous_from, set_parts
from api.services import Services
from deploy.compose import open_services
from deploy.config.settings import Settings
from domain.journal.commits import Call
from tests.benchmarks.games import played


def test_a_move_that_scores_nothing_renews_nothing_that_readers_share(tmp_path: Path):
    events = tuple(played(1))
    with open_services(Settings(data=tmp_path), alone=True) as services:
        journal = services.journal
        latest = LatestChange(journal)
        found = []
        for game, shown in enumerate((events[:2], events[:5], events), 1):
            journal.open_now(Call("bench"), UUID(int=game, version=4), shown)
            found.append((journal.head(), latest.read()[1]))
    assert found == [(2, 2), (7, 4), (7 + len(events), 7 + len(events))]


def test_the_limit_of_one_caller_is_not_that_of_another_who_waits_for_the_same(tmp_path: Path):
    limit = RateLimitedError("address", 1, 1)

    async def ask_both(services: Services) -> list[object]:
        begun, joined = asyncio.Event(), asyncio.Event()

        async def refuse() -> str:
            begun.set()
            await joined.wait()
            raise limit

        async def read() -> str:
            return "read"

        app: Any = SimpleNamespace()
        set_parts(app, services, LatestChange(services.journal), SharedReads(*(ResponseCoalescer() for _ in SharedReads._fields)))
        scope = {"type": "http", "headers": [], "state": {}, "app": app, "litestar_app": app, "user": anonymous_from("192.0.2.1")}
        first = asyncio.create_task(share_read(Request(cast(Any, scope)), "key", refuse))
        await begun.wait()
        second = asyncio.create_task(share_read(Request(cast(Any, scope)), "key", read))
        for _ in range(3):
            await asyncio.to_thread(int)  # as the second does before it joins the first
        joined.set()
        return [*await asyncio.gather(first, second, return_exceptions=True)]

    with open_services(Settings(data=tmp_path), alone=True) as services:
        assert asyncio.run(ask_both(services)) == [limit, "read"]
