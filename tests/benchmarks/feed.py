"""The feed as lines, from the first event to the newest, beside a bare SELECT of the same columns."""

import asyncio
from contextlib import closing
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from uuid import UUID

from litestar import Litestar

from api.app import create_app
from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.config.tokens import issue
from deploy.stores.sqlite.connections import connect
from domain.journal.commits import StoredEvent, to_stored
from tests.benchmarks.games import endless, recorded
from tests.benchmarks.measure import Figure, compared

_GAME = 200
_AT_ONCE = 10_000
_BARE = "SELECT sequence, originator_id, originator_version, topic, state FROM events WHERE sequence > ? ORDER BY sequence LIMIT 1000"


def figures(quick: bool) -> list[Figure]:
    with TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        with open_services(settings, alone=True) as services:
            number = _filled(services.journal.store, 20_000 if quick else 1_000_000)
            _, secret = issue(services.registers, services.clock, "recorder", "bench")
            bare = _read(settings.journal_file)
            streamed, size = asyncio.run(_streamed(create_app(services), secret))
        return [
            compared(f"an entry of {number:,} as a line", streamed / number, "a bare SELECT of its columns", bare / number),
            Figure("entries a second", number / streamed, ""),
            Figure("length of a line", size / number, "bytes"),
        ]


def _filled(store: Any, number: int) -> int:
    """Games of some 200 events, each with the bytes of a real one."""
    model = [to_stored(event) for event in recorded(islice(endless(1), _GAME))]
    events = [
        StoredEvent(UUID(int=game, version=4), one.position, one.name, one.state) for game in range(1, number // _GAME + 1) for one in model
    ]
    for start in range(0, len(events), _AT_ONCE):
        store.insert_events(events[start : start + _AT_ONCE])
    return len(events)


def _read(file: Path) -> float:
    """Seconds for all rows, a thousand at a time as the feed reads them."""
    with closing(connect(file)) as db:
        start, after = perf_counter(), 0
        while rows := db.execute(_BARE, (after,)).fetchall():
            after = rows[-1][0]
        return perf_counter() - start


async def _streamed(app: Litestar, secret: str) -> tuple[float, int]:
    """Seconds and bytes of the whole feed. No client stands between: those of this process would gather it all first."""
    size, messages = 0, asyncio.Queue[Any]()
    messages.put_nowait({"type": "http.request", "body": b"", "more_body": False})  # and then nothing more: nobody goes away

    async def send(message: Any) -> None:
        nonlocal size
        size += len(message.get("body", b""))

    async def receive() -> Any:
        return await messages.get()

    headers = [(b"authorization", f"Bearer {secret}".encode()), (b"accept", b"application/x-ndjson")]
    scope: Any = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http"}
    scope |= {"path": "/v1/feed", "raw_path": b"/v1/feed", "query_string": b"", "headers": headers, "server": ("bench", 80), "state": {}}
    start = perf_counter()
    await app(scope, receive, send)  # without its lifespan: the projections would be filled meanwhile
    return perf_counter() - start, size
