"""When a token was used last, and how often moves were refused: noted at once, written a moment later."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from domain.journal.access_audit import RefusalCounter, TokenUses
from domain.journal.commits import StoreUnavailableError
from domain.journal.registers import RefusalCount, Registers
from domain.journal.sessions import TokenRegister


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 11, 0, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


class Batches:
    """What was to be written, batch by batch; while it is ``away``, nothing is."""

    def __init__(self) -> None:
        self.taken: list[list[tuple[str, str]]] = []
        self.added: list[RefusalCount] = []
        self.away = False

    def note_uses(self, uses: Sequence[tuple[str, str]]) -> None:
        if self.away:
            raise StoreUnavailableError("gone")
        self.taken.append(list(uses))

    def add_refusals(self, counts: Sequence[RefusalCount]) -> None:
        if self.away:
            raise StoreUnavailableError("gone")
        self.added += counts


def uses_of(batches: Batches, clock: Clock) -> TokenUses:
    return TokenUses(cast(TokenRegister, batches), clock)


def test_each_token_is_written_once_a_minute_all_in_one_batch():
    batches, clock = Batches(), Clock()
    uses = uses_of(batches, clock)
    for token in "abab":
        uses.note(token)
    asyncio.run(uses.flush())
    clock.now += timedelta(seconds=20)
    uses.note("a")
    asyncio.run(uses.flush())
    clock.now += timedelta(seconds=20)
    uses.note("a")
    asyncio.run(uses.flush())
    assert batches.taken == [
        [("a", "2026-03-01T11:00:00Z"), ("b", "2026-03-01T11:00:00Z")],
        [("a", "2026-03-01T11:01:00Z")],
    ]


def test_what_the_store_did_not_take_waits_and_newer_uses_win():
    batches, clock = Batches(), Clock()
    uses = uses_of(batches, clock)
    batches.away = True
    uses.note("a")
    uses.note("b")
    with pytest.raises(StoreUnavailableError):
        asyncio.run(uses.flush())
    clock.now += timedelta(minutes=1)
    uses.note("a")
    batches.away = False
    asyncio.run(uses.flush())
    assert [sorted(batch) for batch in batches.taken] == [[("a", "2026-03-01T11:01:00Z"), ("b", "2026-03-01T11:00:00Z")]]


def test_what_waits_is_written_at_the_end():
    batches = Batches()

    async def day() -> None:
        uses = uses_of(batches, Clock())
        await uses.start()
        uses.note("a")
        await uses.close()

    asyncio.run(day())
    assert batches.taken == [[("a", "2026-03-01T11:00:00Z")]]


def test_refused_moves_are_counted_by_the_hour_also_those_that_the_store_did_not_take_at_first():
    batches, clock = Batches(), Clock()
    refusals = RefusalCounter(cast(Registers, batches), clock)
    batches.away = True
    refusals.note("casino", "wrong_sum")
    with pytest.raises(StoreUnavailableError):
        asyncio.run(refusals.flush())
    batches.away = False
    refusals.note("casino", "wrong_sum")
    clock.now += timedelta(hours=1)
    refusals.note("casino", "wrong_sum")
    asyncio.run(refusals.flush())
    assert sorted(batches.added) == [
        RefusalCount("2026-03-01T11:00:00Z", "casino", "wrong_sum", 2),
        RefusalCount("2026-03-01T12:00:00Z", "casino", "wrong_sum", 1),
    ]
