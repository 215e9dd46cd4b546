"""How steps of what was found become the bytes of a file."""

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias, TypeVar

Step = TypeVar("Step")
Pieces: TypeAlias = Generator[bytes, None, None]
Make: TypeAlias = Callable[[Iterator[Step]], Pieces]
Write: TypeAlias = Callable[[Path, Iterator[Step]], None]

_PIECE = 256 * 1024  # bytes passed on at a time


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
