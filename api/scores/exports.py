"""Long responses, made in a thread of their own and sent piece by piece, so that no other request waits for them."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, islice, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TypeAlias, TypeVar

Step = TypeVar("Step")
Pieces: TypeAlias = Generator[bytes, None, None]
Make: TypeAlias = Callable[[Iterator[Step]], Pieces]
Write: TypeAlias = Callable[[Path, Iterator[Step]], None]

_PIECE = 256 * 1024  # bytes sent at a time


async def exported(make: Make[Step], steps: Iterable[Step]) -> AsyncGenerator[bytes, None]:
    """The pieces that are made of the steps; while one is sent, the next one is made. The work ends when the caller stops reading."""
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


async def begun(steps: Iterator[Step]) -> Iterator[Step]:
    """The same steps, the first of them read already: if the store does not answer, a problem can still be sent instead."""
    first = await asyncio.to_thread(lambda: list(islice(steps, 1)))
    return chain(first, steps)


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
