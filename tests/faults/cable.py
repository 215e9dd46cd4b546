"""The network between browsers and a service: a cable that can be pulled, in three ways."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from tests.postgres import free_port

Way = Literal["open", "refused", "silent", "unheard"]
"""``refused``: nobody listens. ``silent``: nothing arrives on either side, and nobody is told so. ``unheard``: requests arrive, answers
do not."""

PIECE = 65536  # bytes


class Cable:
    """``unheard`` counts the requests to record that went through and whose answer was lost."""

    def __init__(self, to: int) -> None:
        self._to, self.port = to, free_port()
        self.way: Way = "open"
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self.unheard = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def pull(self, way: Way) -> None:
        """Connections that saw a pulled cable end when it is put back: nobody between them knows them any more."""
        asyncio.run_coroutine_threadsafe(self._put(way), self._loop).result()

    async def _put(self, way: Way) -> None:
        if way in ("open", "refused"):
            for end in self._ends:
                end.transport.abort()
        if self._server and way == "refused":
            self._server.close()
            self._server = None
        elif self._server is None and way != "refused":
            self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        self.way = way

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, to = await asyncio.open_connection("127.0.0.1", self._to)
        self._ends |= {writer, to}
        await asyncio.gather(self._carry(reader, to, ("open", "unheard")), self._carry(there, writer, ("open",)))
        self._ends -= {writer, to}

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ways: tuple[Way, ...]) -> None:
        try:
            while piece := await reader.read(PIECE):
                self.unheard += self.way == "unheard" and piece.startswith(b"POST /v1/")
                if self.way in ways:
                    writer.write(piece)
                    await writer.drain()
        except ConnectionError:
            pass
        writer.transport.abort() if self.way == "open" else None

    def run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)


@contextmanager
def cable(to: int) -> Iterator[Cable]:
    """One that is plugged in."""
    found = Cable(to)
    threading.Thread(target=found.run, daemon=True).start()
    found.pull("open")
    try:
        yield found
    finally:
        found.end()
