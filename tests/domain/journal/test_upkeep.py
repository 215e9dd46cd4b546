"""What a running journal tidies up by itself. A day passes when the test says so."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from deploy.stores.opening import OpenedEvents, open_events
from domain.journal.application import Journal
from domain.journal.upkeep import DAY, KEYS_KEPT, upkeep
from tests.deploy.stores.stores import commit


def kept_up(events: OpenedEvents, days: int, look: Callable[[], object]) -> list[object]:
    """What somebody sees who looks once a day."""
    now = datetime.now(UTC) + timedelta(seconds=1)  # after what was recorded a moment ago: stores cut times to milliseconds
    seen: list[object] = []

    async def a_day(seconds: float) -> None:
        nonlocal now
        assert seconds == DAY
        seen.append(look())
        if len(seen) == days:
            raise asyncio.CancelledError
        now += timedelta(days=1)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(upkeep(events, lambda: now, a_day))
    return seen


def test_a_key_is_forgotten_while_the_server_runs_once_it_is_thirty_days_old(events: OpenedEvents):
    events.commit_group([commit(uuid4(), 1, key="k")])
    seen = kept_up(events, 32, lambda: events.find_command("anna", "k") is not None)
    assert seen == [True] * KEYS_KEPT.days + [False] * 2


def test_a_store_that_is_away_is_asked_again_the_next_day(events: OpenedEvents, caplog: pytest.LogCaptureFixture):
    events.close()
    assert kept_up(events, 3, lambda: len(caplog.records)) == [1, 2, 3]


def test_it_begins_and_ends_with_the_journal(journal_url: str):
    async def story() -> int:
        journal = Journal(open_events(journal_url), lambda: datetime.now(UTC) + KEYS_KEPT + timedelta(hours=1), alone=True)
        journal.store.commit_group([commit(uuid4(), 1, key="k")])
        await journal.start()
        async with asyncio.timeout(30):
            while journal.store.find_command("anna", "k"):
                await asyncio.sleep(0)
        await journal.stop()
        return len(asyncio.all_tasks() - {asyncio.current_task()})

    assert asyncio.run(story()) == 0
