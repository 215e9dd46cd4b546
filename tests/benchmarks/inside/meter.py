"""Processor time by part of a process, from the outside: wrapped functions count their own time, without that of those they call.

The processor time of a coroutine is that of its steps; what others do while it waits is not its own.
"""

from collections import Counter
from collections.abc import Callable, Generator
from functools import wraps
from inspect import iscoroutinefunction
from threading import local
from time import thread_time
from typing import Any


class Meter:
    """``seconds`` by part, over all threads; adding up is not locked, since each part runs in one thread."""

    def __init__(self) -> None:
        self.seconds = Counter[str]()
        self._here = local()

    def wrap(self, owner: Any, name: str, part: str) -> None:
        """From now on the function of that name counts for the part."""
        function = getattr(owner, name)

        @wraps(function)
        def timed(*args: Any, **kwargs: Any) -> Any:
            return self._timed(part, lambda: function(*args, **kwargs))

        @wraps(function)
        async def stepped(*args: Any, **kwargs: Any) -> Any:
            return await _Steps(lambda step: self._timed(part, step), function(*args, **kwargs))

        setattr(owner, name, stepped if iscoroutinefunction(function) else timed)

    def _timed(self, part: str, do: Callable[[], Any]) -> Any:
        outer, self._here.inner, start = getattr(self._here, "inner", 0.0), 0.0, thread_time()
        try:
            return do()
        finally:
            taken = thread_time() - start
            self.seconds[part] += taken - self._here.inner
            self._here.inner = outer + taken


class _Steps:
    """A coroutine whose steps are timed."""

    def __init__(self, timed: Callable[[Callable[[], Any]], Any], coroutine: Any) -> None:
        self._timed = timed
        self._coroutine = coroutine

    def __await__(self) -> Generator[Any, Any, Any]:
        value: Any = None
        step: Callable[[Any], Any] = self._coroutine.send
        while True:
            try:
                waiting = self._timed(lambda step=step, value=value: step(value))  # type: ignore[misc]
            except StopIteration as end:
                return end.value
            try:
                value, step = (yield waiting), self._coroutine.send
            except BaseException as error:
                value, step = error, self._coroutine.throw
