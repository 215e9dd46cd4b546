"""How those who wait for something new are woken, over the arrivals of a real store."""

import asyncio
from contextlib import ExitStack
from uuid import uuid4

import pytest

from api.common.live.change_feed import EVERYTHING, ChangeFeed, ChangeSignal
from deploy.stores.opening import OpenedEvents
from deploy.system.clock import now
from domain.journal.application import Journal
from domain.journal.commits import StoreUnavailableError
from tests.deploy.stores.stores import event
from tests.domain.journal.conftest import events, journal_url

__all__ = ["events", "journal_url"]  # fixtures


def pulse_of(events: OpenedEvents) -> ChangeSignal:
    return ChangeSignal(events.wait_for, events.head)


def test_all_who_wait_are_woken_by_what_they_wait_for_and_not_before(events: OpenedEvents):
    async def waited() -> list[bool]:
        pulse, game = pulse_of(events), uuid4()
        waiting = [asyncio.create_task(pulse.wait_past(sequence, 30)) for sequence in (0, 0, 1)]
        await asyncio.to_thread(events.insert_events, [event(game, 1)])
        assert await asyncio.gather(*waiting[:2]) == [True, True]
        assert not waiting[2].done()
        await asyncio.to_thread(events.insert_events, [event(game, 2)])
        return [await waiting[2], await pulse.wait_past(1, 0), await pulse.wait_past(2, 0)]

    assert asyncio.run(waited()) == [True, True, False]


def test_nobody_is_kept_waiting_when_the_service_stops(events: OpenedEvents):
    async def waited() -> list[bool]:
        pulse = pulse_of(events)
        waiting = asyncio.create_task(pulse.wait_past(0, 3600))
        await asyncio.sleep(0)
        pulse.stop()
        return [await waiting, await pulse.wait_past(0, 3600)]

    assert asyncio.run(waited()) == [False, False]


def test_who_waits_is_told_that_the_store_is_away(events: OpenedEvents):
    events.close()
    with pytest.raises(StoreUnavailableError):
        asyncio.run(pulse_of(events).wait_past(0, 30))


def test_followers_are_woken_in_a_few_turns_of_the_loop(events: OpenedEvents):
    """Others get a turn between them, but none of them waits for a clock."""

    async def woken() -> list[bool]:
        feed = ChangeFeed(Journal(events, now, alone=True), pulse_of(events))
        with ExitStack() as stack:
            mails = [stack.enter_context(feed.subscribe(EVERYTHING)) for _ in range(25)]
            await asyncio.gather(*[mail.wait(30) for mail in mails])  # the first look at the store wakes all
            waiting = [asyncio.create_task(mail.wait(30)) for mail in mails]
            await asyncio.to_thread(events.insert_events, [event(uuid4(), 1)])
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for _ in range(10):
                await asyncio.sleep(0)
            return [one.done() for one in waiting]

    assert asyncio.run(woken()) == [True] * 25


def test_who_follows_a_topic_is_woken_by_a_change_that_is_no_event(events: OpenedEvents):
    async def woken() -> list[bool]:
        feed = ChangeFeed(Journal(events, now, alone=True), pulse_of(events))
        with feed.subscribe("spring") as mail, feed.subscribe("autumn") as other:
            await asyncio.gather(mail.wait(30), other.wait(30))  # the first look at the store wakes all
            feed.ring("spring")
            return [mail.has_news, other.has_news]

    assert asyncio.run(woken()) == [True, False]
