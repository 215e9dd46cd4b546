"""Long answers: who has gone gets no further piece, and the work for him ends."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from api.http.response import StreamedResponse
from api.scores.exports import Pieces, begun, exported, through_a_file


def counting(made: list[int]) -> Any:
    """Makes a piece of every step, and notes when it is closed."""

    def make(steps: Iterator[int]) -> Pieces:
        try:
            for step in steps:
                made.append(step)
                yield b"%d" % step
        finally:
            made.append(-1)

    return make


async def collected(pieces: Any) -> bytes:
    return b"".join([piece async for piece in pieces])


async def ended(made: list[int]) -> None:
    """The thread of an export closes it a moment after the caller has gone."""
    while -1 not in made:
        await asyncio.sleep(0)


def test_pieces_come_in_order():
    async def run() -> bytes:
        return await collected(exported(counting([]), await begun(iter(range(5)))))

    assert asyncio.run(run()) == b"01234"


def test_what_goes_wrong_at_the_beginning_can_still_be_told():
    with pytest.raises(ZeroDivisionError):
        asyncio.run(begun(1 // step for step in range(5)))


def test_an_export_of_nothing_is_empty():
    async def run() -> bytes:
        return await collected(exported(counting([]), await begun(iter(()))))

    assert asyncio.run(run()) == b""


def test_a_caller_who_goes_stops_the_work():
    made: list[int] = []
    sent: list[dict[str, Any]] = []

    async def run() -> None:
        gone = asyncio.Event()

        async def receive() -> Any:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)
            if len(sent) == 3:
                gone.set()
            await asyncio.sleep(0)

        answer = StreamedResponse(exported(counting(made), range(1000)), media_type="text/plain")
        await answer({"type": "http", "method": "GET"}, receive, send)  # type: ignore[arg-type]
        await ended(made)

    asyncio.run(run())
    assert len(made) < 10


def test_a_caller_who_goes_before_the_first_piece_stops_the_work_as_well():
    made: list[int] = []

    def write(file: Any, steps: Iterator[int]) -> None:
        """Takes steps until there are no more."""
        made.extend(steps)
        made.append(-1)

    def endless() -> Iterator[int]:
        while True:
            yield 0

    async def run() -> None:
        async def receive() -> Any:
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            pass

        answer = StreamedResponse(exported(through_a_file(write), endless()), media_type="text/plain")
        await answer({"type": "http", "method": "GET"}, receive, send)  # type: ignore[arg-type]
        await ended(made)

    asyncio.run(run())


def test_a_file_is_sent_whole_and_leaves_nothing_behind():
    left = []

    def write(file: Any, steps: Iterator[int]) -> None:
        left.append(file)
        file.write_bytes(bytes(steps) * 200_000)

    async def run() -> bytes:
        return await collected(exported(through_a_file(write), (1, 2)))

    assert asyncio.run(run()) == b"\x01\x02" * 200_000
    assert not left[0].exists()
