"""Turns of processes in a stream: who takes one, how long he keeps it, and that nobody waits for it in vain."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import pytest

from domain.journal import archive
from domain.journal.archive import StreamLocks

A, B = uuid4(), uuid4()
LONG = 60.0


class Store:
    """Says what it was asked. ``comes``: whether the turns do."""

    def __init__(self, *, comes: bool = True) -> None:
        self.asked: list[UUID | str] = []
        self.comes = comes

    async def take(self, stream: UUID, patience: float) -> bool:
        self.asked.append(stream)
        return self.comes

    def give(self) -> None:
        self.asked.append("given")


def told(story: Callable[[StreamLocks, Store], Awaitable[object]], store: Store | None = None) -> list[UUID | str]:
    store = store or Store()

    async def run() -> None:
        await story(StreamLocks(store.take, store.give), store)

    asyncio.run(run())
    return store.asked


def test_no_turn_is_taken_where_others_did_not_come_first():
    async def story(mine: StreamLocks, store: Store) -> None:
        assert await mine.begin(A) is False
        mine.end(A, more=True)

    assert told(story) == []


def test_it_is_taken_after_conflicts_kept_while_others_wait_here_and_handed_on_when_none_does():
    async def story(mine: StreamLocks, store: Store) -> None:
        assert await mine.after_conflict(A)
        assert await mine.after_conflict(A)
        mine.end(A, more=True)
        assert await mine.begin(A) is False  # nobody else had a turn: what is known is the newest
        mine.end(A, more=False)

    assert told(story) == [A, "given"]


def test_the_next_command_waits_for_the_turn_before_it_is_decided():
    async def story(mine: StreamLocks, store: Store) -> None:
        await mine.after_conflict(A)
        mine.end(A, more=False)
        assert await mine.begin(A)  # and has to read what others recorded
        mine.end(A, more=False)
        assert await mine.begin(B) is False

    assert told(story) == [A, "given", A, "given"]


def test_after_a_while_without_conflicts_none_is_taken(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(archive, "_CONTESTED", 0.0)

    async def story(mine: StreamLocks, store: Store) -> None:
        await mine.after_conflict(A)
        mine.end(A, more=False)
        assert await mine.begin(A) is False

    assert told(story) == [A, "given"]


def test_a_turn_that_has_lasted_long_is_handed_on_although_others_wait_here(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(archive, "TURN", 0.0)

    async def story(mine: StreamLocks, store: Store) -> None:
        await mine.after_conflict(A)
        mine.end(A, more=True)

    assert told(story) == [A, "given"]


def test_it_is_handed_on_also_where_those_who_wait_here_do_not_go_on():
    """They may wait for somebody who waits for the turn of another stream."""

    async def story(mine: StreamLocks, store: Store) -> None:
        await mine.after_conflict(A)
        mine.end(A, more=True)
        assert await mine.after_conflict(B)
        mine.end(B, more=False)

    assert told(story) == [A, "given", B, "given"]


def test_it_is_not_handed_on_in_the_middle_of_a_command(monkeypatch: pytest.MonkeyPatch):
    async def story(mine: StreamLocks, store: Store) -> None:
        await mine.after_conflict(A)
        mine.end(A, more=True)
        await mine.begin(A)
        await asyncio.sleep(archive.TURN)
        await asyncio.sleep(0)
        assert store.asked == [A]
        mine.end(A, more=True)

    assert told(story) == [A, "given"]


def test_where_there_are_none_nobody_asks_again_and_again():
    async def story(mine: StreamLocks, store: Store) -> None:
        assert not await mine.after_conflict(A)
        assert not await mine.after_conflict(A)
        assert not await mine.begin(B)
        mine.end(A, more=True)

    assert told(story, Store(comes=False)) == [A]


def test_who_is_cancelled_while_he_waits_is_in_nobodys_way():
    class Slow(Store):
        async def take(self, stream: UUID, patience: float) -> bool:
            if not self.asked:
                await super().take(stream, patience)
                await asyncio.sleep(LONG)
            return await super().take(stream, patience)

    async def story(mine: StreamLocks, store: Store) -> None:
        waiting = asyncio.create_task(mine.after_conflict(A))
        while not store.asked:
            await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await mine.after_conflict(B)

    assert told(story, Slow()) == [A, B]
