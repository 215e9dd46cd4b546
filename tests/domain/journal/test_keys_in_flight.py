"""Keys that come again while their first command is under way."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from domain.errors import KeyConflictError, Refused, RequestPendingError
from domain.game import Game
from domain.journal.application import Journal
from domain.journal.commits import Call, Receipt
from tests.databases import in_a_file
from tests.deploy.stores.stores import writing_stopped
from tests.domain.journal.test_application import GAME, TRAIL_ACE, TRAIL_TEN, dealt, opened, plays

CALL = Call("recorder", expected=2, key="k", fingerprint="f")

Committing = asyncio.Task[Receipt[Game]]


def under_way(journal: Journal, call: Call = CALL, move: tuple[object, object] = TRAIL_ACE) -> Committing:
    return asyncio.create_task(journal.commit(call, GAME, plays(move)))


@asynccontextmanager
async def one_under_way(journal: Journal, url: str) -> AsyncIterator[Committing]:
    """A move that is being stored, for as long as the context lasts."""
    groups = journal.writer.groups
    with writing_stopped(url):
        first = under_way(journal)
        while journal.writer.groups == groups:
            await asyncio.sleep(0)
        yield first


def told(url: str, story: Callable[[Journal], Awaitable[None]], patience: float = 60) -> None:
    async def told() -> None:
        async with opened(url, patience=patience) as journal:
            await dealt(journal)
            await story(journal)

    asyncio.run(told())


@in_a_file
def test_all_who_wait_for_the_first_get_its_receipt(journal_url: str):
    async def story(journal: Journal) -> None:
        async with one_under_way(journal, journal_url) as first:
            others = [under_way(journal) for _ in range(19)]
            await asyncio.sleep(0)
            assert not any(task.done() for task in (first, *others))  # twenty at once
        receipts = [await task for task in (first, *others)]
        assert [receipt.repeated for receipt in receipts] == [False] + [True] * 19
        said = [(receipt.sequence, receipt.before, receipt.events, receipt.after) for receipt in receipts]
        assert said == said[:1] * 20
        assert (await journal.current(GAME)).position == 3

    told(journal_url, story)


@in_a_file
def test_who_cannot_wait_any_longer_is_told_that_it_is_in_flight(journal_url: str):
    async def story(journal: Journal) -> None:
        async with one_under_way(journal, journal_url) as first:
            with pytest.raises(RequestPendingError) as in_flight:
                await under_way(journal)
            assert in_flight.value.key == "k"
            other = under_way(journal, Call("recorder", key="another", fingerprint="f"))
        await first
        again = await under_way(journal)
        assert (again.repeated, again.after.position) == (True, 3)
        with pytest.raises(Refused):
            await other

    told(journal_url, story, patience=0)


@in_a_file
def test_another_request_under_the_key_waits_for_the_first_and_is_refused(journal_url: str):
    async def story(journal: Journal) -> None:
        async with one_under_way(journal, journal_url):
            other = under_way(journal, Call("recorder", key="k", fingerprint="g"), TRAIL_TEN)
        with pytest.raises(KeyConflictError):
            await other

    told(journal_url, story)


@in_a_file
def test_the_same_key_of_two_principals_is_not_the_same(journal_url: str):
    async def story(journal: Journal) -> None:
        async with one_under_way(journal, journal_url) as first:
            other = under_way(journal, Call("arbiter", key="k", fingerprint="f"), TRAIL_TEN)
        assert [(await task).repeated for task in (first, other)] == [False, False]

    told(journal_url, story)


@in_a_file
def test_if_the_first_is_refused_the_second_is_decided_anew(journal_url: str):
    async def story(journal: Journal) -> None:
        ten, ace = under_way(journal, Call("recorder", key="k", fingerprint="f"), TRAIL_TEN), under_way(journal)
        with pytest.raises(Refused):
            await ten
        assert not (await ace).repeated

    told(journal_url, story)


@pytest.mark.parametrize("alone", [True, False])
def test_what_was_recorded_for_a_caller_who_hung_up_is_answered_when_he_asks_again(journal_url: str, alone: bool):
    """He asks while it is still being stored: his key is not known yet, and the move is legal still."""

    async def story() -> None:
        async with opened(journal_url, alone=alone) as journal:
            await dealt(journal)
            async with one_under_way(journal, journal_url) as first:
                first.cancel()
                await asyncio.gather(first, return_exceptions=True)
                again = under_way(journal)
                while not journal.writer._queue:
                    await asyncio.sleep(0)
            receipt = await again
            assert (receipt.repeated, receipt.after.position, journal.head()) == (True, 3, receipt.sequence)

    asyncio.run(story())
