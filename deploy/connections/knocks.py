"""Waiting that ends in the step of who ends it. docs/decisions/0060-the-short-way.md says what that saves."""

import asyncio
from collections.abc import Callable, Generator
from contextvars import Context
from functools import partial
from typing import Any


class Knock:
    """What one task waits for again and again; ``now`` lets it go on at once, as far as it comes, where a future would wait for a turn of
    the loop. As much of a future as tasks ask for (asyncio, "Future-like objects").
    """

    _asyncio_future_blocking = False

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._go_on: Callable[[], object] | None = None
        self._cancelled = False

    def __await__(self) -> Generator[Any, None, None]:
        self._asyncio_future_blocking = True
        yield self

    def now(self) -> None:
        """Nothing happens where nobody waits."""
        go_on, self._go_on = self._go_on, None
        if go_on is None:
            return
        if asyncio.current_task(self._loop) is None:
            go_on()
        else:  # no task goes on within the step of another one
            self._loop.call_soon(go_on)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def add_done_callback(self, go_on: Callable[["Knock"], object], *, context: Context) -> None:
        self._go_on = partial(context.run, go_on, self)

    def cancel(self, msg: object = None) -> bool:
        self._cancelled = True
        self._loop.call_soon(self.now)
        return True

    def result(self) -> None:
        """Raises ``CancelledError``."""
        cancelled, self._cancelled = self._cancelled, False
        if cancelled:
            raise asyncio.CancelledError
