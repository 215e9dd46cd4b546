"""Listeners of games, in a process of their own: ``listeners.py`` starts it.

``python -m tests.benchmarks.live.audience`` reads from a line of its standard input whom to follow (``NameViewer``), says when all do, and
writes down at the end of its standard input what came (``Heard``). Times are those of ``perf_counter``, which on Linux all processes share.
It gives way to the server and to those who play, since it stands for other machines; its own delay is in every time that it notes.
"""

import asyncio
import os
import re
import resource
import sys
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeAlias, cast

import msgspec
import uvloop

Heard: TypeAlias = list[tuple[int, int, float]]
"""Which listener, a position, and when it came."""

NICE = 10
_ID = re.compile(rb"id: (\d+)\n")
_LAST = re.compile(rb'"position":(\d+),"view"')
_SETTLED = 2.0  # seconds until all have what there was before


class Audience(msgspec.Struct, frozen=True):
    """``following``: the address of a game and a token, a listener each. ``waits``: they ask and ask again instead of keeping a stream.

    ``heard``: the file where it is written what came.
    """

    host: str
    port: int
    waits: bool
    following: list[tuple[str, str]]
    heard: str


class Listener(asyncio.Protocol):
    """Reads a stream and notes when which position came."""

    def __init__(self, number: int, request: bytes, heard: Heard) -> None:
        self._number = number
        self._request = request
        self._heard = heard

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast(asyncio.Transport, transport).write(self._request)

    def data_received(self, data: bytes) -> None:
        now = perf_counter()
        self._heard += [(self._number, int(found), now) for found in _ID.findall(data)]


async def _listened(audience: Audience) -> Heard:
    heard: Heard = []
    loop, follow = asyncio.get_running_loop(), _wait if audience.waits else _stream
    following = [loop.create_task(follow(audience, number, heard)) for number in range(len(audience.following))]
    await asyncio.sleep(_SETTLED)
    print("all follow", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for one in following:
        one.cancel()
    return heard


async def _stream(audience: Audience, number: int, heard: Heard) -> None:
    listener = partial(Listener, number, _asked(audience, number, "stream?after=2"), heard)
    await asyncio.get_running_loop().create_connection(listener, audience.host, audience.port)


async def _wait(audience: Audience, number: int, heard: Heard) -> None:
    """A page that follows by waiting requests: each goes on where the last answer ended."""
    reader, writer = await asyncio.open_connection(audience.host, audience.port)
    after = 2
    while True:
        writer.write(_asked(audience, number, f"replay?after={after}&wait=25"))
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        body = await reader.readexactly(int(head.split(b"content-length: ")[1].split(b"\r\n")[0]))
        now, last = perf_counter(), int(_LAST.search(body)[1])  # pyrefly: ignore[unsupported-operation]
        heard += [(number, position, now) for position in range(after + 1, last + 1)]
        after = last


def _asked(audience: Audience, number: int, what: str) -> bytes:
    game, token = audience.following[number]
    return f"GET {game}/{what} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


def main() -> None:
    os.nice(NICE)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    audience = msgspec.json.decode(sys.stdin.readline(), type=Audience)
    Path(audience.heard).write_bytes(msgspec.json.encode(uvloop.run(_listened(audience))))


if __name__ == "__main__":
    main()
