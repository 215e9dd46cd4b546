"""Messages as the HTML standard has them, and what becomes of those who take nothing."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from api.common.live import event_stream
from api.common.live.change_feed import ChangeFeed, SubscriberQueue
from api.common.live.event_stream import BEAT, EventStream, SubscriptionGuard, message
from api.http.limits import StreamLimits
from domain.errors import Unknown
from tests.deploy.serving import PATIENCE


def test_a_message_has_an_id_a_name_where_it_needs_one_and_one_line_of_data():
    assert message(b'{"a":1}', id=7) == b'id: 7\ndata: {"a":1}\n\n'
    assert message(b"{}", event="over") == b"event: over\ndata: {}\n\n"


class Line:
    """A server's side of a connection whose other end takes so many pieces, and then nothing more."""

    def __init__(self, takes: int = 10**6) -> None:
        self.sent: list[bytes] = []
        self.gone = asyncio.Event()
        self._takes = takes

    async def receive(self) -> Any:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.body":
            if len(self.sent) >= self._takes:
                await asyncio.Event().wait()
            self.sent.append(message["body"])
            if not message["more_body"]:
                self.sent.append(b"END")

    async def follow(self, talk: Any) -> SubscriberQueue:
        mail = SubscriberQueue()
        parts = {
            StreamLimits: SimpleNamespace(followers=SimpleNamespace(acquire=lambda user: nullcontext())),
            ChangeFeed: SimpleNamespace(subscribe=lambda *topics: nullcontext(mail)),
            SubscriptionGuard: SimpleNamespace(watch_request=lambda *held: nullcontext()),
        }
        request: Any = SimpleNamespace(app=SimpleNamespace(state={"parts": parts}), user=None)
        answer = EventStream(request, talk, within="path")
        await answer({"type": "http", "method": "GET", "headers": [], "state": {}}, self.receive, self.send)  # pyrefly: ignore[bad-argument-type]
        return mail


async def beats(mail: SubscriberQueue) -> AsyncGenerator[bytes, None]:
    while mail.over is None:
        yield BEAT
        await asyncio.sleep(0)


def test_who_takes_nothing_for_a_while_is_let_go(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(event_stream, "STALLED", 0.01)

    async def run() -> Line:
        line = Line(takes=5)
        await line.follow(beats)
        return line

    line = asyncio.run(run())
    assert line.sent == [BEAT] * 5


def test_who_has_gone_is_told_nothing_more():
    async def run() -> Line:
        line = Line()
        following = asyncio.ensure_future(line.follow(beats))
        while len(line.sent) < 3:
            await asyncio.sleep(0)
        line.gone.set()
        mail = await following
        assert mail.over == "gone"
        return line

    line = asyncio.run(run())
    assert set(line.sent[1:]) == {BEAT}


def test_why_nothing_more_comes_is_told_before_the_end():
    async def told(mail: SubscriberQueue) -> AsyncGenerator[bytes, None]:
        yield message(b"{}", id=1)
        mail.end("epoch")

    async def run() -> Line:
        line = Line()
        await line.follow(told)
        return line

    assert asyncio.run(run()).sent == [BEAT, b"retry: 2000\nid: 1\ndata: {}\n\n", b'event: over\ndata: {"reason":"epoch"}\n\n', b"END"]


def test_what_comes_while_nobody_waits_is_not_missed():
    async def run() -> list[bool]:
        mail = SubscriberQueue()
        mail.notify()
        mail.notify()
        return [await mail.wait(0), await mail.wait(0.01)]

    assert asyncio.run(run()) == [True, False]


def noted(told: list[str]) -> bool:
    """It is told, and that was all."""
    told.append("news")
    return True


def test_what_can_be_told_at_once_wakes_nobody():
    async def run() -> tuple[list[str], bool]:
        mail, told = SubscriberQueue(), list[str]()
        waiting = asyncio.ensure_future(mail.wait(PATIENCE, lambda: noted(told)))
        await asyncio.sleep(0)
        mail.notify()
        mail.notify()
        await asyncio.sleep(0)
        try:
            return told, waiting.done()
        finally:
            waiting.cancel()

    assert asyncio.run(run()) == (["news", "news"], False)


def test_who_is_told_at_once_hears_nothing_for_the_whole_time_before_his_waiting_ends():
    async def run() -> tuple[bool, float]:
        mail, loop = SubscriberQueue(), asyncio.get_running_loop()
        begun = loop.time()
        loop.call_later(0.1, mail.notify)
        return await mail.wait(0.2, lambda: True), loop.time() - begun

    came, seconds = asyncio.run(run())
    assert not came
    assert seconds >= 0.29


@pytest.mark.parametrize("fault", [False, True])
def test_what_cannot_be_told_at_once_wakes_who_waits_and_so_does_what_follows(fault: bool):
    async def run() -> tuple[list[str], bool]:
        mail, tried = SubscriberQueue(), list[str]()

        def at_once() -> bool:
            tried.append("news")
            if fault:
                raise Unknown("game", 1)
            return False

        waiting = asyncio.ensure_future(mail.wait(PATIENCE, at_once))
        await asyncio.sleep(0)
        mail.notify()
        mail.notify()
        return tried, await waiting

    assert asyncio.run(run()) == (["news"], True)


def test_who_may_not_follow_any_more_is_told_nothing_at_once():
    async def run() -> tuple[list[str], bool]:
        mail, told = SubscriberQueue(), list[str]()
        waiting = asyncio.ensure_future(mail.wait(PATIENCE, lambda: noted(told)))
        await asyncio.sleep(0)
        mail.end("closed")
        mail.notify()
        return told, await waiting

    assert asyncio.run(run()) == ([], True)
