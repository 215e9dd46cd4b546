"""What a running journal tidies up by itself. A day passes when the test says so."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import msgspec
import pytest

from deploy.stores.opening import OpenedEvents, open_events
from domain.journal.application import Journal
from domain.journal.cleanup import DAY, KEYS_KEPT, WITNESSES, run_cleanup
from domain.journal.registers import LOOKS_KEPT, CardAccess, minute_of
from domain.journal.store import EventStore
from tests.databases import in_a_file
from tests.deploy.stores.stores import commit

SOON = timedelta(seconds=1)
"""After what was recorded a moment ago: stores cut times to milliseconds."""


def recorded_at(events: EventStore, moment: datetime, key: str | None = None) -> None:
    """An event of that moment, by the clock of the process that recorded it."""
    state = msgspec.json.encode({"at": moment, "by": "anna", "link": None, "body": {"seat": 0, "move": {}, "effects": []}})
    events.commit_group([commit(uuid4(), 1, state=state, key=key)])


def kept_up(events: OpenedEvents, days: int, look: Callable[[], object], *, ahead: timedelta = SOON, quiet: bool = False) -> list[object]:
    """What somebody sees who looks once a day; something is recorded every day, unless it is a quiet time. The clock is ``ahead``."""
    now = datetime.now(UTC) + ahead
    seen: list[object] = []

    async def a_day(seconds: float) -> None:
        nonlocal now
        assert seconds == DAY
        seen.append(look())
        if len(seen) == days:
            raise asyncio.CancelledError
        now += timedelta(days=1)
        for _ in range(0 if quiet else WITNESSES):
            recorded_at(events, now)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run_cleanup(events, lambda: now, a_day))
    return seen


def test_a_key_is_forgotten_while_the_server_runs_once_it_is_thirty_days_old(events: OpenedEvents):
    recorded_at(events, datetime.now(UTC), "k")
    seen = kept_up(events, 32, lambda: events.find_command("anna", "k") is not None)
    assert seen == [True] * KEYS_KEPT.days + [False] * 2


@in_a_file
def test_a_clock_that_is_forty_days_ahead_drops_no_key(events: OpenedEvents):
    recorded_at(events, datetime.now(UTC), "k")
    assert kept_up(events, 2, lambda: events.find_command("anna", "k") is not None, ahead=timedelta(days=40), quiet=True) == [True] * 2


@in_a_file
def test_some_events_that_were_recorded_by_such_a_clock_are_not_believed_either(events: OpenedEvents):
    recorded_at(events, datetime.now(UTC), "k")
    for _ in range(WITNESSES - 1):
        recorded_at(events, datetime.now(UTC) + timedelta(days=40))
    assert kept_up(events, 1, lambda: events.find_command("anna", "k") is not None, ahead=timedelta(days=40)) == [True]


@in_a_file
def test_events_that_cannot_be_read_say_nothing_of_the_time(events: OpenedEvents):
    events.commit_group([commit(uuid4(), 1, key="k")])
    assert kept_up(events, 1, lambda: events.find_command("anna", "k") is not None, ahead=timedelta(days=40)) == [True]


def test_who_looked_is_forgotten_after_a_year_by_the_clock_alone_also_where_nothing_is_recorded_any_more(events: OpenedEvents):
    now = datetime.now(UTC)
    look = CardAccess(minute_of(now), uuid4(), "arbiter", "anna", None)
    events.keep_looks([look])
    seen = kept_up(events, 367, lambda: events.looks_by(["anna"]) == [look], ahead=timedelta(minutes=-1), quiet=True)
    assert seen == [True] * (LOOKS_KEPT.days + 1) + [False]


@in_a_file
def test_a_store_that_is_away_is_asked_again_the_next_day(events: OpenedEvents, caplog: pytest.LogCaptureFixture):
    events.close()
    assert kept_up(events, 3, lambda: len(caplog.records), quiet=True) == [1, 2, 3]


@in_a_file
def test_it_begins_and_ends_with_the_journal(journal_url: str):
    async def story() -> int:
        journal = Journal(open_events(journal_url), lambda: datetime.now(UTC) + KEYS_KEPT + timedelta(hours=1), alone=True)
        recorded_at(journal.store, datetime.now(UTC), "k")
        for _ in range(WITNESSES):
            recorded_at(journal.store, datetime.now(UTC) + KEYS_KEPT + timedelta(hours=1))
        await journal.start()
        async with asyncio.timeout(30):
            while journal.store.find_command("anna", "k"):
                await asyncio.sleep(0)
        await journal.stop()
        return len(asyncio.all_tasks() - {asyncio.current_task()})

    assert asyncio.run(story()) == 0
