"""Exports that another process makes, so that nobody who plays has to wait for them.

The server opens a file without a name and hands it over with one end of a line (``Exports.begin``). There it says in two lines of JSON for
which request what is wanted, and closes its side when nobody wants it any more. The process answers in lines: how many bytes stand in the
file by now, again and again, and at last ``DONE``, or ``AWAY`` where the database or the disk does not answer, or ``FAILED`` where our
program has a fault, which stands in the log. So one who reads slowly keeps the process from nothing, and the file is gone with whoever
holds it.
"""

import asyncio
import os
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from contextlib import aclosing, asynccontextmanager
from tempfile import TemporaryFile
from typing import BinaryIO, TypeAlias

from api.http.errors import BrokenOff, ConcurrencyLimitError
from api.http.limits import ConcurrencyLimiter
from api.http.request import Principal
from api.http.response import encode
from api.http.sending import current_request_id
from api.services import Exports, Job
from domain.errors import Unavailable

DONE, AWAY, FAILED = b"done\n", b"away\n", b"failed\n"

AT_ONCE = 2
"""Exports of each lane that are made at a time."""
TURN = 8.0
"""Seconds that an export waits for its turn: less than the status waits for the first piece."""
SILENCE = 120.0
"""Seconds without a word until the process counts as hung: more than the last step of the largest spreadsheet takes."""

_READ = 64 * 1024  # bytes of the file in memory
_Grown: TypeAlias = "asyncio.Queue[int | None]"  # how many bytes there are, whenever there are more; ``None`` at the end, good or bad


class Exporting:
    """Used from one loop."""

    def __init__(self, exports: Exports, places: ConcurrencyLimiter, at_once: int = AT_ONCE) -> None:
        self._exports = exports
        self.places = places
        self._at_once = at_once
        self._turns = defaultdict[str, asyncio.Semaphore](lambda: asyncio.Semaphore(at_once))
        self._making = set[asyncio.Task[None]]()
        self.waiting = 0
        """For their turn."""

    @property
    def in_progress(self) -> int:
        """Those that wait among them."""
        return len(self._making)

    async def pieces(self, principal: Principal, export: Job) -> AsyncGenerator[bytes, None]:
        """Yield the export while it is made. Raises ``ConcurrencyLimitError``, ``BrokenOff`` and ``Unavailable``."""
        with TemporaryFile(prefix="kiebitz-") as file:
            sent = 0
            async with aclosing(self._sizes(principal, export, file)) as sizes:
                async for size in sizes:
                    while sent < size:
                        piece = await asyncio.to_thread(os.pread, file.fileno(), min(_READ, size - sent), sent)
                        sent += len(piece)
                        yield piece

    async def read_all(self, principal: Principal, export: Job) -> bytes:
        """For what is small. Raises what ``pieces`` raises."""
        return b"".join([piece async for piece in self.pieces(principal, export)])

    async def make_file(self, principal: Principal, export: Job) -> BinaryIO:
        """Return the file when it is whole. Raises what ``pieces`` raises."""
        file = TemporaryFile(prefix="kiebitz-")  # noqa: SIM115
        try:
            async with aclosing(self._sizes(principal, export, file)) as sizes:
                async for _ in sizes:
                    pass
        except BaseException:
            file.close()
            raise
        return file

    async def _sizes(self, principal: Principal, export: Job, file: BinaryIO) -> AsyncGenerator[int, None]:
        """Yield how many bytes the file has, whenever there are more."""
        with self.places.acquire(principal):
            grown: _Grown = asyncio.Queue()
            making = self._begin_making(export, file, grown)
            try:
                while (size := await grown.get()) is not None:
                    yield size
                await making
            finally:
                making.cancel()

    def _begin_making(self, export: Job, file: BinaryIO, grown: _Grown) -> asyncio.Task[None]:
        """The making, which outlives whoever wanted it until the process has noticed that it is not wanted any more."""
        making = asyncio.create_task(self._make(export, file, grown))
        self._making.add(making)
        making.add_done_callback(self._discard_making)
        return making

    def _discard_making(self, making: asyncio.Task[None]) -> None:
        self._making.discard(making)
        if not making.cancelled():
            making.exception()  # whoever still wanted it has heard of it

    async def _make(self, export: Job, file: BinaryIO, grown: _Grown) -> None:
        try:
            async with self._turn(export.queue_name), self._line(file) as (reader, writer):
                writer.write(encode(current_request_id()) + b"\n" + encode(export) + b"\n")
                while (line := await self._read_process(reader.readline())) not in (DONE, AWAY, FAILED):
                    if not line:
                        raise BrokenOff
                    grown.put_nowait(int(line))
                _check(line)
        finally:
            grown.put_nowait(None)

    @asynccontextmanager
    async def _turn(self, lane: str) -> AsyncIterator[None]:
        """Raises ``ConcurrencyLimitError``."""
        turn = self._turns[lane]
        self.waiting += 1
        try:
            async with asyncio.timeout(TURN):
                await turn.acquire()
        except TimeoutError:
            raise ConcurrencyLimitError(self.places.what, self._at_once, own=False) from None
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            turn.release()

    @asynccontextmanager
    async def _line(self, file: BinaryIO) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Ends when the process has left off, so that it never makes more at a time than it should. Raises ``BrokenOff``."""
        try:
            reader, writer = await asyncio.open_unix_connection(sock=self._exports.begin(file.fileno()))
        except OSError as error:
            raise BrokenOff from error
        try:
            yield reader, writer
        finally:
            try:
                if not writer.is_closing():
                    writer.write_eof()
                    await self._read_process(reader.read())
            finally:
                writer.close()

    async def _read_process(self, saying: Awaitable[bytes]) -> bytes:
        """Return what the process says, nothing if it has ended. Raises ``BrokenOff`` and ends it where it says nothing for too long."""
        try:
            async with asyncio.timeout(SILENCE):
                return await saying
        except TimeoutError:
            self._exports.stop()
            raise BrokenOff from None
        except ConnectionError:
            return b""


def _check(end: bytes) -> None:
    """Raises what became of an export that is not whole."""
    if end == AWAY:
        raise Unavailable("the process that makes exports says why in the log", unclear=False)
    if end == FAILED:
        raise RuntimeError("a fault where an export was made; the process that makes exports has written it into the log")
