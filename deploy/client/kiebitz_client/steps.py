"""Sans-IO core: a call is a generator that yields what a transport does, and receives what came of it.

Both transports drive the same generators, so that each call is written once.
"""

from collections.abc import Generator, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Request(Struct, frozen=True, kw_only=True):
    """Send a request; the result is the ``Reply``. ``stream``: leave the body of a 200 to ``Read``."""

    method: str
    path: str
    query: Mapping[str, Any] = {}
    headers: Mapping[str, str] = {}
    content: bytes = b""
    stream: bool = False


class Read(Struct, frozen=True):
    """Read on in the streamed body; the result is the next piece, or ``None`` at its end."""


class Pause(Struct, frozen=True):
    """Wait for so many seconds."""

    seconds: float


class Item(Struct, Generic[T], frozen=True):
    """Hand an item to the caller who iterates."""

    value: T


class Reply(Struct, frozen=True):
    """An answer. The names of ``headers`` are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    links: Mapping[str, str] = {}

    @property
    def epoch(self) -> str:
        """The epoch of the positions, sequences and cursors in the answer."""
        return self.headers.get("kiebitz-epoch", "")


class LostError(Exception):
    """The transport failed; raised inside the generator."""


Effect: TypeAlias = Request | Read | Pause
Steps: TypeAlias = Generator[Effect, Any, T]
Flow: TypeAlias = Generator[Effect | Item[T], Any, None]


class Result(Struct, frozen=True):
    """The value that a finished generator returned."""

    value: Any


def resume(steps: Generator[Effect | Item[Any], Any, Any], came: object) -> Effect | Item[Any] | Result:
    """Let a generator run on with what came of its last effect; return the next one, or its result."""
    try:
        return steps.throw(came) if isinstance(came, LostError) else steps.send(came)
    except StopIteration as end:
        return Result(end.value)
