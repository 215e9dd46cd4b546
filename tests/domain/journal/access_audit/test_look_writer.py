"""From a look to its line in the register: once a minute, in batches, off the way of whoever looks."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from deploy.stores.opening import OpenedEvents
from domain.journal.access_audit import AccessWriter
from domain.journal.registers import CardAccess
from tests.databases import in_a_file
from tests.deploy.stores.looks import register_gone, register_locked

GAME = UUID(int=7)
AT = datetime(2026, 11, 21, 19, 4, 11, tzinfo=UTC)
LINE = CardAccess("2026-11-21T19:04:00Z", GAME, "arbiter", "anna", "club")
NEVER = 1e9
"""Seconds between batches: in these tests they are written when they are asked to be."""


class Clock:
    def __init__(self) -> None:
        self.now = AT

    def __call__(self) -> datetime:
        return self.now

    def forward(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)


def writer(events: OpenedEvents, clock: Callable[[], datetime] = lambda: AT, every: float = NEVER, most: int = 1000) -> AccessWriter:
    return AccessWriter(events, clock, every=every, most=most)


def anna_looks(looks: AccessWriter, times: int = 1, view: str = "arbiter") -> None:
    for _ in range(times):
        looks.note("anna", GAME, view, "club")


def told(events: OpenedEvents) -> list[CardAccess]:
    return events.list_looks(game=GAME)


def in_a_loop(story: Callable[[], Awaitable[object]]) -> None:
    async def played() -> None:
        await story()

    asyncio.run(played())


def test_whoever_looks_often_within_a_minute_leaves_one_line(events: OpenedEvents):
    clock = Clock()

    async def story() -> None:
        looks = writer(events, clock)
        anna_looks(looks, 50)
        clock.forward(48)
        anna_looks(looks, 50)
        await looks.flush()
        anna_looks(looks, 50)
        await looks.flush()
        assert told(events) == [LINE]
        clock.forward(1)
        anna_looks(looks, 50)
        await looks.flush()

    in_a_loop(story)
    assert [look.minute for look in told(events)] == ["2026-11-21T19:05:00Z", "2026-11-21T19:04:00Z"]


@in_a_file
def test_each_view_leaves_a_line_of_its_own(events: OpenedEvents):
    async def story() -> None:
        looks = writer(events)
        for view in ("arbiter", "seat:0", "arbiter", "seat:1"):
            anna_looks(looks, view=view)
        await looks.flush()

    in_a_loop(story)
    assert [look.view for look in told(events)] == ["seat:1", "seat:0", "arbiter"]


def test_what_was_noted_comes_into_the_register_by_itself(events: OpenedEvents):
    async def story() -> None:
        looks = writer(events, every=0.0)
        await looks.start()
        anna_looks(looks)
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(told, events):
                await asyncio.sleep(0)
        await looks.close()

    in_a_loop(story)
    assert told(events) == [LINE]


@in_a_file
def test_what_waits_is_written_when_the_service_ends(events: OpenedEvents):
    async def story() -> None:
        looks = writer(events)
        await looks.start()
        await looks.flush()
        anna_looks(looks)
        await looks.close()

    in_a_loop(story)
    assert told(events) == [LINE]


@in_a_file
def test_while_the_register_takes_nothing_noting_goes_on_and_the_lines_come_later(events: OpenedEvents, caplog: pytest.LogCaptureFixture):
    async def story() -> None:
        looks = writer(events, every=0.0)
        with register_gone(events):
            await looks.start()
            anna_looks(looks)
            async with asyncio.timeout(60):
                while len(caplog.records) < 3:
                    await asyncio.sleep(0)
            anna_looks(looks, view="seat:0")
        await looks.close()

    in_a_loop(story)
    assert [look.view for look in told(events)] == ["seat:0", "arbiter"]


@in_a_file
def test_while_a_batch_is_being_written_others_note_on(journal_url: str, events: OpenedEvents):
    async def story() -> None:
        looks = writer(events)
        anna_looks(looks)
        with register_locked(journal_url):
            writing = asyncio.create_task(looks.flush())
            await asyncio.sleep(0)
            anna_looks(looks, view="seat:0")
        await writing
        await looks.flush()

    in_a_loop(story)
    assert [look.view for look in told(events)] == ["seat:0", "arbiter"]


@in_a_file
def test_of_what_was_beyond_what_may_wait_the_log_tells_how_much(events: OpenedEvents, caplog: pytest.LogCaptureFixture):
    async def story() -> None:
        looks = writer(events, most=2)
        for seat in range(5):
            anna_looks(looks, view=f"seat:{seat}")
        await looks.close()

    in_a_loop(story)
    assert [look.view for look in told(events)] == ["seat:1", "seat:0"]
    assert [record.message for record in caplog.records] == ["3 looks at hidden cards are lost: too many were waiting"]


@in_a_file
def test_what_could_not_be_written_to_the_end_is_told_in_the_log(events: OpenedEvents, caplog: pytest.LogCaptureFixture):
    async def story() -> None:
        looks = writer(events)
        anna_looks(looks)
        events.close()
        await looks.close()

    in_a_loop(story)
    assert caplog.records[-1].message == "1 looks at hidden cards were not written and are lost"


def test_of_who_is_erased_goes_what_is_written_and_what_waits_and_what_he_takes_after_it_is_noted_anew(events: OpenedEvents):
    async def story() -> None:
        looks = writer(events)
        anna_looks(looks)
        looks.note("berta", GAME, "arbiter", None)
        await looks.flush()
        anna_looks(looks, view="seat:1")
        looks.note("berta", GAME, "seat:1", None)
        assert await looks.erase(["anna"]) == 1
        await looks.flush()
        assert {look.principal for look in told(events)} == {"berta"}
        anna_looks(looks, view="seat:1")
        await looks.flush()

    in_a_loop(story)
    assert [(look.principal, look.view) for look in told(events)] == [("berta", "seat:1"), ("anna", "seat:1"), ("berta", "arbiter")]
