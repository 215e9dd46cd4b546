"""The smallest authenticated endpoint that does one durable INSERT, in an app of its own; and an ASGI app that always says the same.

``python -m tests.benchmarks.moves.bare TOKEN [URL [pool|stock]]``: without URL the constant, as long as the query says; ``sqlite:///FILE``
one connection in the loop; PostgreSQL one connection, or a pool; ``stock`` the recorder of the library eventsourcing as it comes. Prints
its port, and ends at SIGTERM.
"""

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import uvicorn
from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore
from litestar import Litestar, Request, Response, post
from litestar.exceptions import NotAuthorizedException
from psycopg_pool import AsyncConnectionPool

from deploy.stores.sqlite.connections import connect, path_of

Insert = Callable[[bytes], Awaitable[object]]

_POOL = 16
_ADD = "INSERT INTO bare (state) VALUES (%b)"


async def constant(scope: Any, receive: Any, send: Any) -> None:
    while (await receive()).get("more_body"):
        pass
    size = int(scope["query_string"] or 2)
    await send({"type": "http.response.start", "status": 201, "headers": [(b"content-length", b"%d" % size)]})
    await send({"type": "http.response.body", "body": b"{" * size})


def endpoint(token: str, insert: Insert) -> Litestar:
    known = {sha256(token.encode()).hexdigest(): "recorder"}

    async def guard(request: Request) -> None:
        secret = request.headers.get("authorization", "").removeprefix("Bearer ")
        if sha256(secret.encode()).hexdigest() not in known:
            raise NotAuthorizedException

    @post("/insert", before_request=guard)
    async def add(request: Request) -> Response:
        await insert(await request.body())
        return Response(b"{}", status_code=201, media_type="application/json")

    return Litestar([add], openapi_config=None)


def sqlite(url: str) -> Insert:
    """With the journal's durability; in the loop, since one line alone has nobody to give way to."""
    line = connect(path_of(url), "rwc")
    line.execute("CREATE TABLE bare (sequence INTEGER PRIMARY KEY AUTOINCREMENT, state BLOB NOT NULL) STRICT")

    async def insert(state: bytes) -> None:
        line.execute("INSERT INTO bare (state) VALUES (?)", (state,))

    return insert


async def postgres(url: str, *, pooled: bool) -> Insert:
    line = await psycopg.AsyncConnection.connect(url, autocommit=True)
    await line.execute("CREATE TABLE IF NOT EXISTS bare (sequence bigserial PRIMARY KEY, state bytea NOT NULL)")
    if pooled:
        pool = AsyncConnectionPool(url, min_size=_POOL, max_size=_POOL, kwargs={"autocommit": True}, open=False)
        await pool.open(wait=True)

        async def insert_pooled(state: bytes) -> None:
            async with pool.connection() as line:
                await line.execute(_ADD, (state,), prepare=True)

        return insert_pooled

    async def insert(state: bytes) -> None:
        await line.execute(_ADD, (state,), prepare=True)

    return insert


def stock(url: str) -> Insert:
    """A thread for each insert, as the library is used."""
    recorder: SQLiteApplicationRecorder | PostgresApplicationRecorder
    if url.startswith("sqlite"):
        recorder = SQLiteApplicationRecorder(SQLiteDatastore(str(Path(path_of(url)).with_name("stock.db"))))
    else:
        at = urlsplit(url)
        where = at.path[1:], at.hostname or "", at.port or 5432, at.username or "", at.password or ""
        recorder = PostgresApplicationRecorder(PostgresDatastore(*where))
    recorder.create_table()

    async def insert(state: bytes) -> None:
        await asyncio.to_thread(recorder.insert_events, [StoredEvent(uuid4(), 1, "move", state)])

    return insert


async def main(token: str, url: str = "", how: str = "") -> None:
    app: Any = constant
    if how == "stock":
        app = endpoint(token, stock(url))
    elif url.startswith("sqlite"):
        app = endpoint(token, sqlite(url))
    elif url:
        app = endpoint(token, await postgres(url, pooled=bool(how)))
    place = socket.create_server(("127.0.0.1", 0), backlog=2048)
    server = uvicorn.Server(uvicorn.Config(app, http="httptools", ws="none", lifespan="off", access_log=False, log_level="warning"))
    print(place.getsockname()[1], flush=True)
    await server.serve([place])


if __name__ == "__main__":
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(*sys.argv[1:]))
