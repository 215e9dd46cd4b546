"""Reads that many followers make at the same time, made once."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

_MOST = 64

T = TypeVar("T")


class Shared:
    """The last reads by their keys, which have to name all that the answer depends on. Used from one loop."""

    def __init__(self) -> None:
        self._reads: dict[Hashable, asyncio.Future[Any]] = {}

    async def once(self, key: Hashable, read: Callable[[], Awaitable[T]]) -> T:
        """Raises what ``read`` raises; that is not kept."""
        found = self._reads.get(key)
        if found is None:
            if len(self._reads) >= _MOST:
                del self._reads[next(iter(self._reads))]
            found = self._reads[key] = asyncio.ensure_future(read())
            found.add_done_callback(lambda done: self._drop_failed(key, done))
        return await asyncio.shield(found)

    def _drop_failed(self, key: Hashable, done: "asyncio.Future[Any]") -> None:
        if (done.cancelled() or done.exception() is not None) and self._reads.get(key) is done:
            del self._reads[key]
