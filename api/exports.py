"""Long answers, made in a thread of their own and sent piece by piece, so that nobody else waits for them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import partial
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TypeAlias, TypeVar

Step = TypeVar("Step")
Make: TypeAlias = Callable[[Iterator[Step]], Iterator[bytes]]
Write: TypeAlias = Callable[[Path, Iterator[Step]], None]

_PIECE = 256 * 1024


async def exported(make: Make[Step], steps: Iterable[Step]) -> AsyncIterator[bytes]:
    """The pieces that are made of the steps; while one is sent, the next one is made. Whoever stops reading stops the work."""
    gone, thread = Event(), ThreadPoolExecutor(1, "export")
    pieces = make(takewhile(lambda _: not gone.is_set(), steps))
    another = partial(asyncio.get_running_loop().run_in_executor, thread, next, pieces, None)
    try:
        made = another()
        while (piece := await made) is not None:
            made = another()
            yield piece
    finally:
        gone.set()
        thread.submit(_close, pieces)
        thread.shutdown(wait=False)


async def begun(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same pieces, the first of them made already: what goes wrong at the beginning can still be told instead of an answer."""
    first = await anext(pieces, b"")
    return _going_on(first, pieces)


async def _going_on(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async with aclosing(rest):  # type: ignore[type-var]
        yield first
        async for piece in rest:
            yield piece


def through_a_file(write: Write[Step]) -> Make[Step]:
    """For forms that cannot be written from front to back: whole on the disk first, then piece by piece."""

    def make(steps: Iterator[Step]) -> Iterator[bytes]:
        with TemporaryDirectory(prefix="kiebitz-") as folder:
            file = Path(folder) / "export"
            write(file, steps)
            with file.open("rb") as stream:
                while piece := stream.read(_PIECE):
                    yield piece

    return make


def _close(pieces: Iterator[bytes]) -> None:
    if hasattr(pieces, "close"):
        pieces.close()
