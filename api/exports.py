"""Long answers, made in a thread of their own and sent piece by piece, so that nobody else waits for them."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import partial
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TypeAlias, TypeVar

Step = TypeVar("Step")
Pieces: TypeAlias = Generator[bytes, None, None]
Make: TypeAlias = Callable[[Iterator[Step]], Pieces]
Write: TypeAlias = Callable[[Path, Iterator[Step]], None]

_PIECE = 256 * 1024


async def exported(make: Make[Step], steps: Iterable[Step]) -> AsyncGenerator[bytes, None]:
    """The pieces that are made of the steps; while one is sent, the next one is made. Whoever stops reading stops the work."""
    gone, thread = Event(), ThreadPoolExecutor(1, "export")
    pieces = make(takewhile(lambda _: not gone.is_set(), steps))
    another = partial(asyncio.get_running_loop().run_in_executor, thread, next, pieces, None)
    try:
        made = another()
        while (piece := await made) is not None:
            made = another()
            if piece:
                yield piece
    finally:
        gone.set()
        thread.submit(pieces.close)
        thread.shutdown(wait=False)


async def begun(pieces: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The same pieces, the first of them made already: what goes wrong at the beginning can still be told instead of an answer."""
    first = await anext(pieces, b"")
    return _going_on(first, pieces)


async def _going_on(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(rest):
        yield first
        async for piece in rest:
            yield piece


def through_a_file(write: Write[Step]) -> Make[Step]:
    """For forms that cannot be written from front to back: whole on the disk first, then piece by piece."""

    def make(steps: Iterator[Step]) -> Pieces:
        with TemporaryDirectory(prefix="kiebitz-") as folder:
            file = Path(folder) / "export"
            write(file, steps)
            with file.open("rb") as stream:
                while piece := stream.read(_PIECE):
                    yield piece

    return make
