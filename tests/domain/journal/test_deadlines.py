"""What has to be over by a time is, and nothing else is broken off."""

import asyncio

import pytest

from domain.journal.writer import Deadline, Deadlines


def now() -> float:
    return asyncio.get_running_loop().time()


async def never() -> None:
    await asyncio.get_running_loop().create_future()


def test_what_is_awaited_beyond_its_time_is_broken_off():
    async def waiting() -> bool:
        deadline = Deadline(Deadlines(), now())
        with pytest.raises(TimeoutError), deadline:
            await never()
        return deadline.is_past

    assert asyncio.run(waiting())


def test_what_ends_in_time_is_not():
    async def quick() -> bool:
        with Deadline(Deadlines(), now() + 60) as deadline:
            await asyncio.sleep(0)
        return deadline.is_past

    assert not asyncio.run(quick())


def test_each_has_its_own_time_and_it_may_be_changed():
    async def three() -> list[bool]:
        deadlines, first_over = Deadlines(), asyncio.Event()
        with Deadline(deadlines, now()) as later, Deadline(deadlines, now()) as never_due:
            later.at, never_due.at = now() + 60, None
            with pytest.raises(TimeoutError), Deadline(deadlines, now()) as due:
                await never()
            first_over.set()
            await first_over.wait()
        return [due.is_past, later.is_past, never_due.is_past]

    assert asyncio.run(three()) == [True, False, False]


def test_who_is_cancelled_by_somebody_else_stays_cancelled():
    async def cancelled() -> None:
        async def patient() -> None:
            with Deadline(Deadlines(), now() + 60):
                await never()

        task = asyncio.create_task(patient())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())


def test_another_error_than_that_it_is_over_goes_through():
    async def failing() -> None:
        with Deadline(Deadlines(), now()):
            try:
                await never()
            finally:
                raise KeyError("other")

    with pytest.raises(KeyError):
        asyncio.run(failing())


def test_they_serve_one_loop_after_another():
    deadlines = Deadlines()

    async def waiting() -> None:
        with pytest.raises(TimeoutError), Deadline(deadlines, now()):
            await never()

    async def left() -> None:
        Deadline(deadlines, now() + 60).__enter__()

    asyncio.run(waiting())
    asyncio.run(left())
    asyncio.run(waiting())
