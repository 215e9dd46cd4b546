"""Thread pools of the service that never wait for each other: recording does not wait for readers, and sign-in waits for neither.

``Threads`` is the executor of the event loop. So callers of ``asyncio.to_thread`` name no pool: the request set it once.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar, get_args

Pool: TypeAlias = Literal["recording", "drawing", "reading", "admission", "service"]
"""``recording``: commands; ``drawing``: their draws of rounds, which take long. ``admission``: look-ups of tokens and sessions.
``service``: background work that belongs to no request.
"""

SIZES: Mapping[Pool, int] = {"recording": 4, "drawing": 2, "reading": 3, "admission": 2, "service": 3}
"""Threads of each pool. Few readers compute at a time: they share the interpreter's lock with the event loop."""
MOST_WAITING = 64
"""Reads that may wait for a thread; beyond it further readers are refused."""

_POOL: ContextVar[Pool] = ContextVar("pool", default="service")
"""Copied with the context to the tasks that a task starts."""

P = ParamSpec("P")
T = TypeVar("T")


def use_pool(pool: Pool) -> None:
    """Set the pool for the work of this task from now on."""
    _POOL.set(pool)


@contextmanager
def using_pool(pool: Pool) -> Iterator[None]:
    before = _POOL.set(pool)
    try:
        yield
    finally:
        _POOL.reset(before)


class Threads(ThreadPoolExecutor):
    """An executor that dispatches to several pools.

    An event loop accepts only a ``ThreadPoolExecutor``; no thread of its own ever starts. ``jobs`` counts the jobs of each pool.
    """

    def __init__(self) -> None:
        super().__init__(1)
        self.jobs = Counter[Pool]()
        self._pools = {pool: ThreadPoolExecutor(SIZES[pool], pool) for pool in get_args(Pool)}

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        pool = _POOL.get()
        self.jobs[pool] += 1
        return self._pools[pool].submit(fn, *args, **kwargs)

    def waiting(self) -> Mapping[str, int]:
        """Return the jobs per pool that no thread has begun."""
        return {pool: threads._work_queue.qsize() for pool, threads in self._pools.items()}

    def shutdown(self, *how: Any, **named: Any) -> None:
        for pool in self._pools.values():
            pool.shutdown(*how, **named)
