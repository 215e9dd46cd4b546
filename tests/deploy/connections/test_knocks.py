"""Waiting that ends in the step of who ends it."""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import Any

import uvloop

from deploy.connections.knocks import Knock

ABOUT: ContextVar[str] = ContextVar("about", default="nothing")


def run(test: Coroutine[Any, Any, None]) -> None:
    uvloop.run(test)


class Door:
    """Notes each knock, and whether the task that waited for it is the one at work, about what it is. Before it waits again it rests."""

    def __init__(self, rest: Callable[[], Coroutine[Any, Any, object]] | None = None) -> None:
        loop = asyncio.get_running_loop()
        self.knock = Knock(loop)
        self.noted: list[object] = []
        self.task = loop.create_task(self._opened(rest))

    async def _opened(self, rest: Callable[[], Coroutine[Any, Any, object]] | None) -> None:
        ABOUT.set("the door")
        while True:
            await self.knock
            self.noted.append((asyncio.current_task() is self.task, ABOUT.get()))
            if rest is not None:
                await rest()


AT_WORK = (True, "the door")


async def in_the_loop(*steps: Callable[[], object]) -> None:
    """What no task does, as when something has come over a connection."""
    loop = asyncio.get_running_loop()
    for step in steps:
        loop.call_soon(step)
    await asyncio.sleep(0)


def test_who_waits_goes_on_within_the_step_of_who_knocks():
    async def knocked() -> None:
        door = Door()
        seen: list[int] = []

        def knock_twice() -> None:
            door.knock.now()
            seen.append(len(door.noted))
            door.knock.now()
            seen.append(len(door.noted))

        await in_the_loop(knock_twice)
        assert (seen, door.noted, ABOUT.get()) == ([1, 2], [AT_WORK] * 2, "nothing")

    run(knocked())


def test_within_the_step_of_another_task_nobody_goes_on():
    async def knocked() -> None:
        door = Door()
        await asyncio.sleep(0)
        door.knock.now()
        assert door.noted == []
        await asyncio.sleep(0)
        assert door.noted == [AT_WORK]

    run(knocked())


def test_who_does_something_else_is_not_disturbed():
    async def knocked() -> None:
        ends = asyncio.Event()
        door = Door(ends.wait)
        await in_the_loop(door.knock.now, door.knock.now)
        assert door.noted == [AT_WORK]
        ends.set()
        await asyncio.sleep(0)
        await in_the_loop(door.knock.now)
        assert door.noted == [AT_WORK, AT_WORK]

    run(knocked())


def test_who_waits_can_be_cancelled_also_after_a_knock():
    async def cancelled() -> None:
        door = Door()
        await in_the_loop(door.knock.now)
        door.task.cancel()
        await asyncio.wait([door.task])
        assert (door.noted, door.task.cancelled()) == ([AT_WORK], True)

    run(cancelled())


def test_what_goes_on_after_a_knock_can_run_out_of_time():
    async def rested() -> None:
        async def too_long() -> None:
            async with asyncio.timeout(0):
                await asyncio.Event().wait()

        door = Door(too_long)
        await in_the_loop(door.knock.now)
        await asyncio.wait([door.task])
        assert isinstance(door.task.exception(), TimeoutError)

    run(rested())
