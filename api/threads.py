"""The threads of the service, in pools that never wait for each other: who records waits for no reader, and who is let in for neither.

It is the executor of the loop. So whoever leaves work to a thread (``asyncio.to_thread``) says nothing of pools: the request did, once.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar, get_args

Pool: TypeAlias = Literal["recording", "reading", "admission", "service"]
"""``recording``: commands. ``admission``: look-ups of tokens and sessions. ``service``: what nobody asked for."""

SIZES: Mapping[Pool, int] = {"recording": 4, "reading": 3, "admission": 2, "service": 3}
"""Threads of each. Of readers so few compute at a time: they share the interpreter's lock with the loop."""
MOST_WAITING = 64
"""Jobs of readers that may wait; beyond it no further reader is let in."""

_POOL: ContextVar[Pool] = ContextVar("pool", default="service")
"""Goes with a task to the tasks that it begins."""

P = ParamSpec("P")
T = TypeVar("T")


def use_pool(pool: Pool) -> None:
    """From now on the work of this task is done there."""
    _POOL.set(pool)


@contextmanager
def using_pool(pool: Pool) -> Iterator[None]:
    before = _POOL.set(pool)
    try:
        yield
    finally:
        _POOL.reset(before)


class Threads(ThreadPoolExecutor):
    """A loop takes nothing but a ``ThreadPoolExecutor``; no thread of its own ever starts. ``jobs`` counts those of each pool."""

    def __init__(self) -> None:
        super().__init__(1)
        self.jobs = Counter[Pool]()
        self._pools = {pool: ThreadPoolExecutor(SIZES[pool], pool) for pool in get_args(Pool)}

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        pool = _POOL.get()
        self.jobs[pool] += 1
        return self._pools[pool].submit(fn, *args, **kwargs)

    def waiting(self) -> Mapping[str, int]:
        """Jobs that no thread has begun."""
        return {pool: threads._work_queue.qsize() for pool, threads in self._pools.items()}

    def shutdown(self, *how: Any, **named: Any) -> None:
        for pool in self._pools.values():
            pool.shutdown(*how, **named)
