"""Long answers: who has gone gets no further piece, who reads slowly is waited for, and there are only so many at a time."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest

from api.http import response
from api.http.errors import BrokenOff, ConcurrencyLimitError
from api.http.limits import ConcurrencyLimiter
from api.http.request import Principal
from api.http.response import StreamedResponse, lines_of
from api.services import Bound

ANNA, BERT, CARLA = (Principal(name, "viewer") for name in ("anna", "bert", "carla"))


class Line:
    """A server's side of a connection. ``take`` is called for each message before it is passed on."""

    def __init__(self, take: Callable[[], Awaitable[None]] | None = None) -> None:
        self.sent: list[Any] = []
        self.gone = asyncio.Event()
        self._take = take

    async def receive(self) -> Any:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if self._take:
            await self._take()
        self.sent.append(message)

    async def streams(self, pieces: Any, place: AbstractContextManager[None] | None = None) -> None:
        answer = StreamedResponse(place or nullcontext(), pieces, media_type="text/plain")
        await answer({"type": "http", "method": "GET", "headers": [], "state": {}}, self.receive, self.send)  # pyrefly: ignore[bad-argument-type]

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)

    @property
    def whole(self) -> bool:
        return bool(self.sent) and self.sent[-1].get("more_body") is False


async def counting(made: list[int], most: int = 1000) -> AsyncGenerator[bytes, None]:
    """Makes a piece after the other, and notes when it is closed."""
    try:
        for number in range(most):
            made.append(number)
            yield b"%d" % number
    finally:
        made.append(-1)


def test_pieces_come_in_order():
    async def run() -> Line:
        line = Line()
        await line.streams(counting([], 5))
        return line

    line = asyncio.run(run())
    assert (line.body, line.whole, line.sent[0]["status"]) == (b"01234", True, 200)


def test_what_goes_wrong_before_the_first_piece_can_still_be_told():
    async def broken() -> AsyncGenerator[bytes, None]:
        yield b"%d" % divmod(1, 0)[0]

    async def run() -> None:
        line = Line()
        with pytest.raises(ZeroDivisionError):
            await line.streams(broken())
        assert line.sent == []

    asyncio.run(run())


def test_an_answer_that_breaks_off_later_ends_without_its_end(caplog: pytest.LogCaptureFixture):
    async def broken() -> AsyncGenerator[bytes, None]:
        yield b"told"
        raise BrokenOff

    async def run() -> Line:
        line = Line()
        await line.streams(broken())
        return line

    line = asyncio.run(run())
    assert (line.body, line.whole, "aborted" in caplog.text) == (b"told", False, True)


def test_a_first_piece_that_is_long_in_coming_does_not_keep_the_status_waiting(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(response, "FIRST", 0.0)

    async def run() -> None:
        status = asyncio.Event()

        async def take() -> None:
            status.set()

        async def after_the_status() -> AsyncGenerator[bytes, None]:
            await status.wait()
            yield b"told"

        line = Line(take)
        await line.streams(after_the_status())
        assert (line.body, line.whole) == (b"told", True)

    asyncio.run(run())


def test_no_piece_is_made_before_the_caller_has_taken_the_last_one():
    made: list[int] = []
    taken: list[int] = []

    async def take() -> None:
        """As a server does: it takes a message when all before it has left, and notes here how many pieces there are by then."""
        taken.append(len(made))

    async def run() -> None:
        await Line(take).streams(counting(made, 4))

    asyncio.run(run())
    # The status, then each piece with a question whether it has left, then the end.
    assert taken == [1, 1, 1, 2, 2, 3, 3, 4, 4, 5]


def test_a_caller_who_goes_stops_the_work():
    made: list[int] = []

    async def run() -> None:
        async def take() -> None:
            if len(made) == 3:
                line.gone.set()

        line = Line(take)
        await line.streams(counting(made))

    asyncio.run(run())
    assert (made[-1], len(made) < 10) == (-1, True)


def test_a_caller_who_goes_before_the_first_piece_stops_the_work_as_well():
    made: list[int] = []

    async def endless() -> AsyncGenerator[bytes, None]:
        try:
            await asyncio.Event().wait()
            yield b"never"
        finally:
            made.append(-1)

    async def run() -> None:
        line = Line()
        line.gone.set()
        await line.streams(endless())
        assert line.body == b""

    asyncio.run(run())
    assert made == [-1]


def test_a_caller_who_takes_nothing_for_too_long_is_cut_off(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(response, "STALLED", 0.0)
    made: list[int] = []

    async def run() -> None:
        stuck = asyncio.Event()

        async def take() -> None:
            if len(line.sent) == 4:
                await stuck.wait()

        line = Line(take)
        await line.streams(counting(made))
        assert (line.body, line.whole) == (b"01", False)

    asyncio.run(run())
    assert made == [0, 1, -1]


# Places


def test_there_are_only_so_many_places_and_so_many_for_one_principal():
    places = ConcurrencyLimiter("streams", Bound(3, 2))
    with places.acquire(ANNA), places.acquire(ANNA):
        with pytest.raises(ConcurrencyLimitError, match="Read one to its end or close it") as own, places.acquire(ANNA):
            pass
        with places.acquire(BERT), pytest.raises(ConcurrencyLimitError, match=r"Retry in 5 seconds") as all_of_them, places.acquire(CARLA):
            pass
        with places.acquire(CARLA):
            pass
    with places.acquire(ANNA), places.acquire(ANNA):
        pass
    assert (own.value.code, all_of_them.value.code) == ("own_streams_busy", "streams_busy")


def test_a_stream_has_its_place_for_as_long_as_it_is_sent_however_it_ends():
    places, made = ConcurrencyLimiter("streams", Bound(1, 1)), list[int]()

    async def broken() -> AsyncGenerator[bytes, None]:
        yield b"1"
        raise ZeroDivisionError

    async def run() -> None:
        async def take() -> None:
            with pytest.raises(ConcurrencyLimitError):
                await Line().streams(counting(made), places.acquire(BERT))

        await Line(take).streams(counting([], 2), places.acquire(ANNA))
        with pytest.raises(ZeroDivisionError):
            await Line(take).streams(broken(), places.acquire(ANNA))
        await Line().streams(counting([], 2), places.acquire(BERT))

    asyncio.run(run())
    assert made == []


# Lines


def test_lines_come_in_pieces_of_about_a_size_however_long_they_are():
    values = iter(["x" * 1000] * 100)
    pieces = list(iter(lambda: lines_of(values), b""))
    assert b"".join(pieces) == b'"%b"\n' % (b"x" * 1000) * 100
    assert {len(piece) for piece in pieces[:-1]} == {33 * 1003}
    assert lines_of(iter(())) == b""
