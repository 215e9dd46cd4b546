"""The group writer: many callers, one transaction at a time. The same for both databases."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
import uvloop

from deploy.stores.opening import OpenedEvents
from deploy.stores.sqlite.journal import SqliteEventStore
from domain.journal.commits import (
    Commit,
    CommitOutcome,
    Conflict,
    DuplicateKeyError,
    OutcomeUnknownError,
    StoredEvent,
    StoreUnavailableError,
    Text,
)
from domain.journal.store import Told
from domain.journal.writer import GroupWriter
from tests.databases import in_a_file
from tests.deploy.stores.stores import commit, event, stored, writing_stopped
from tests.migrated import migrated_file

A, B, C = uuid4(), uuid4(), uuid4()


@asynccontextmanager
async def writing(events: OpenedEvents, **limits: Any) -> AsyncIterator[GroupWriter]:
    writer = GroupWriter(events, **limits)
    await writer.start()
    try:
        yield writer
    finally:
        await writer.close()


async def sent_together(writer: GroupWriter, commits: int) -> None:
    """Until a group of so many is on its way."""
    while writer.in_progress != commits:
        await asyncio.sleep(0)


def run(test: Coroutine[Any, Any, None]) -> None:
    uvloop.run(test)


def test_an_append_answers_with_its_sequences(events: OpenedEvents):
    async def test() -> None:
        async with writing(events) as writer:
            assert await writer.append(commit(A, 1, 2)) == (1, 2)
            assert await writer.append(commit(A, 3)) == (3,)

    run(test())
    assert stored(events) == [(1, A, 1), (2, A, 2), (3, A, 3)]


def test_conflicts_and_taken_keys_reach_only_who_caused_them(events: OpenedEvents):
    async def test() -> None:
        async with writing(events) as writer:
            commits = [commit(A, 1, key="k"), commit(A, 1), commit(B, 1, key="k"), commit(A, 2), commit(C, 2)]
            answers = await asyncio.gather(*map(writer.append, commits), return_exceptions=True)
        assert [type(answer) for answer in answers] == [tuple, Conflict, DuplicateKeyError, tuple, Conflict]

    run(test())
    assert [(game, version) for _, game, version in stored(events)] == [(A, 1), (A, 2)]


@pytest.mark.parametrize("group", [1, 5, 1000])
def test_many_quarrelling_callers_lose_nothing_and_gain_nothing(events: OpenedEvents, group: int):
    """Each goes on from what it believes a game's last version to be; who is behind looks again."""
    games = [uuid4() for _ in range(4)]
    answered: dict[UUID, list[tuple[int, int]]] = {game: [] for game in games}

    async def caller(writer: GroupWriter, chance: Random) -> None:
        for _ in range(12):
            game, number = chance.choice(games), chance.randint(1, 3)
            while True:
                base = max((version for _, version in answered[game]), default=0)
                versions = range(base + 1, base + number + 1)
                try:
                    sequences = await writer.append(commit(game, *versions, state=chance.randbytes(8)))
                except Conflict:
                    continue
                answered[game] += zip(sequences, versions, strict=True)
                break

    async def test() -> None:
        async with writing(events, group=group) as writer:
            await asyncio.gather(*(caller(writer, Random(seed)) for seed in range(16)))

    run(test())
    rows = stored(events)
    assert {game: sorted(answers) for game, answers in answered.items()} == {
        game: [(sequence, version) for sequence, other, version in rows if other == game] for game in games
    }
    for game in games:
        assert [version for _, other, version in rows if other == game] == list(range(1, len(answered[game]) + 1))


@in_a_file
def test_who_is_a_few_turns_of_the_loop_behind_others_travels_with_them(events: OpenedEvents):
    async def behind(writer: GroupWriter, game: UUID, turns: int) -> None:
        for _ in range(turns):
            await asyncio.sleep(0)
        await writer.append(commit(game, 1))

    async def test() -> None:
        async with writing(events) as writer:
            await asyncio.gather(writer.append(commit(A, 1)), writer.append(commit(B, 1)))
            await asyncio.gather(*(behind(writer, uuid4(), turns) for turns in range(4)))
            assert (writer.groups, writer.grouped) == (2, 6)

    run(test())


def test_a_value_that_the_database_refuses_hurts_nobody_else_in_the_group(events: OpenedEvents):
    async def test() -> None:
        async with writing(events) as writer:
            bad = Commit((event(B, 1),), None, (Text("t", "\ud800"),))
            answers = await asyncio.gather(*map(writer.append, [commit(A, 1), bad, commit(C, 1)]), return_exceptions=True)
            assert [type(answer) for answer in answers] == [tuple, UnicodeEncodeError, tuple]
            assert len(await writer.append(commit(B, 1))) == 1

    run(test())
    assert [game for _, game, _ in stored(events)] == [A, C, B]


def test_a_value_that_cannot_even_be_sent_hurts_nobody_of_many(events: OpenedEvents):
    async def test() -> None:
        async with writing(events) as writer:
            await writer.append(commit(A, 1))  # from then on there is a connection
            bad = Commit((StoredEvent(B, 1, "\ud800", b"{}"),), None)
            commits = [bad if number == 5 else commit(uuid4(), 1) for number in range(20)]
            answers = await asyncio.gather(*map(writer.append, commits), return_exceptions=True)
            assert [type(answer) for answer in answers] == [UnicodeEncodeError if one is bad else tuple for one in commits]

    run(test())
    assert len(stored(events)) == 20


@in_a_file
def test_one_group_is_under_way_at_a_time_however_callers_come(events: OpenedEvents):
    async def caller(writer: GroupWriter, chance: Random) -> None:
        game = uuid4()
        for version in range(1, 13):
            for _ in range(chance.randrange(7)):
                await asyncio.sleep(0)
            await writer.append(commit(game, version))

    async def test() -> None:
        async with writing(events) as writer:
            set_out = writer._set_out

            def watched(group: Any) -> None:
                assert not writer.in_progress
                set_out(group)

            writer._set_out = watched  # pyrefly: ignore[method-assign]
            await asyncio.gather(*(caller(writer, Random(seed)) for seed in range(24)))
            assert writer.grouped == 24 * 12

    run(test())
    assert len(stored(events)) == 24 * 12


@in_a_file
def test_while_writing_is_stopped_who_was_sent_is_unclear_and_who_waits_is_not_stored(events: OpenedEvents, journal_url: str):
    async def test() -> None:
        async with writing(events) as writer:
            with writing_stopped(journal_url):
                patient = asyncio.create_task(writer.append(commit(A, 1), deadline=60))
                sent = asyncio.create_task(writer.append(commit(B, 1), deadline=0.05))
                await sent_together(writer, 2)
                late = asyncio.create_task(writer.append(commit(C, 1), deadline=0.1))
                with pytest.raises(OutcomeUnknownError):
                    await sent
                with pytest.raises(StoreUnavailableError):
                    await late
            await patient

    run(test())
    assert [game for _, game, _ in stored(events)] == [A, B]


@in_a_file
def test_what_waits_is_counted_and_how_long_the_oldest_has(events: OpenedEvents, journal_url: str):
    async def test() -> None:
        async with writing(events) as writer:
            assert (writer.queue_length, writer.in_progress, writer.age) == (0, 0, 0.0)
            with writing_stopped(journal_url):
                first = [asyncio.create_task(writer.append(commit(game, 1), deadline=60)) for game in (A, B)]
                await sent_together(writer, 2)
                second = asyncio.create_task(writer.append(commit(C, 1), deadline=60))
                await asyncio.sleep(0)
                assert (writer.queue_length, writer.in_progress) == (1, 2)
                while writer.age == 0.0:  # the loop's clock does not go on with every step
                    await asyncio.sleep(0)
            await asyncio.gather(*first, second)
            assert (writer.queue_length, writer.age) == (0, 0.0)

    run(test())


@in_a_file
def test_a_caller_who_gives_up_takes_nobody_with_him(events: OpenedEvents, journal_url: str):
    async def test() -> None:
        async with writing(events) as writer:
            with writing_stopped(journal_url):
                sent = [asyncio.create_task(writer.append(commit(game, 1))) for game in (A, B)]
                await sent_together(writer, 2)
                waiting = [asyncio.create_task(writer.append(commit(game, 2))) for game in (A, B)]
                await asyncio.sleep(0)
                sent[0].cancel()
                waiting[0].cancel()
                answers = [await asyncio.gather(task, return_exceptions=True) for task in (sent[0], waiting[0])]
            assert [type(answer) for [answer] in answers] == [asyncio.CancelledError] * 2
            await asyncio.gather(sent[1], waiting[1])

    run(test())
    assert [(game, version) for _, game, version in stored(events)] == [(A, 1), (B, 1), (B, 2)]


def test_the_writer_goes_on_when_the_database_is_back(events: OpenedEvents, journal_url: str):
    async def test() -> None:
        async with writing(events) as writer:
            with writing_stopped(journal_url), pytest.raises((StoreUnavailableError, OutcomeUnknownError)):
                await writer.append(commit(A, 1), deadline=0.05)
            await writer.append(commit(B, 1))

    run(test())
    assert B in [game for _, game, _ in stored(events)]


@in_a_file
def test_a_full_queue_refuses_at_once(events: OpenedEvents, journal_url: str):
    async def test() -> None:
        async with writing(events, queue=1) as writer:
            with writing_stopped(journal_url):
                accepted = asyncio.create_task(writer.append(commit(A, 1)))
                await asyncio.sleep(0)
                with pytest.raises(StoreUnavailableError):
                    await writer.append(commit(B, 1))
            await accepted

    run(test())


@in_a_file
def test_closing_stores_what_waits_and_refuses_what_comes(events: OpenedEvents):
    async def test() -> None:
        async with writing(events, group=1) as writer:
            accepted = [asyncio.create_task(writer.append(commit(game, 1))) for game in (A, B, C)]
            await asyncio.sleep(0)
            await writer.close()
            with pytest.raises(StoreUnavailableError):
                await writer.append(commit(A, 2))
            assert [task.result() for task in accepted] == [(1,), (2,), (3,)]

    run(test())


@in_a_file
def test_a_writer_that_was_not_started_refuses(events: OpenedEvents):
    async def test() -> None:
        with pytest.raises(StoreUnavailableError):
            await GroupWriter(events).append(commit(A, 1))

    run(test())


async def alone(writer: GroupWriter, game: UUID, commits: int = 30) -> None:
    """Somebody came alone again and again; the connections are open, and the disk was quick or is told so."""
    for version in range(1, commits + 1):
        await writer.append(commit(game, version))


@asynccontextmanager
async def one_sent_alone(writer: GroupWriter, journal_url: str) -> AsyncIterator["asyncio.Task[tuple[int, ...]]"]:
    """The 31st commit of a game is under way by itself, and stored only after this."""
    await alone(writer, A)
    with writing_stopped(journal_url):
        sent = asyncio.create_task(writer.append(commit(A, 31)))
        await sent_together(writer, 1)
        yield sent


@in_a_file
def test_who_came_alone_again_and_again_is_sent_at_once_and_gives_up_alone(events: OpenedEvents, journal_url: str):
    async def test() -> None:
        async with writing(events) as writer:
            async with one_sent_alone(writer, journal_url) as sent:
                waiting = [asyncio.create_task(writer.append(one)) for one in (commit(A, 32), commit(B, 1))]
                await asyncio.sleep(0)
                assert (writer.queue_length, writer.in_progress) == (2, 1)
                sent.cancel()
                waiting[1].cancel()
                [given_up] = await asyncio.gather(sent, return_exceptions=True)
                assert type(given_up) is asyncio.CancelledError
            assert await waiting[0] == (32,)
            assert await writer.append(commit(A, 33)) == (33,)

    run(test())
    assert stored(events) == [(number, A, number) for number in range(1, 34)]


@in_a_file
def test_closing_waits_for_who_was_sent_alone(events: OpenedEvents, journal_url: str):
    async def test() -> None:
        async with writing(events) as writer:
            async with one_sent_alone(writer, journal_url) as sent:
                closing = asyncio.create_task(writer.close())
                await asyncio.sleep(0)
                with pytest.raises(StoreUnavailableError):
                    await writer.append(commit(B, 1))
                assert not closing.done()
            await closing
            assert sent.result() == (31,)

    run(test())


def test_who_was_sent_alone_is_told_of_a_conflict_and_of_a_key_that_is_taken(events: OpenedEvents):
    async def test() -> None:
        async with writing(events) as writer:
            await alone(writer, A)
            with pytest.raises(Conflict):
                await writer.append(commit(A, 30))
            assert len(await writer.append(commit(A, 31, key="k"))) == 1
            with pytest.raises(DuplicateKeyError):
                await writer.append(commit(A, 32, key="k"))
            with pytest.raises(UnicodeEncodeError):
                await writer.append(Commit((event(B, 1),), None, (Text("t", "\ud800"),)))
            assert len(await writer.append(commit(A, 32))) == 1

    run(test())
    assert [version for _, _, version in stored(events)] == list(range(1, 33))


class Watched(SqliteEventStore):
    """Notes which commits were stored in the loop, and lets a transaction take as long as it is told."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.now = 0.0
        self.takes = 0.0001
        self.in_the_loop: list[bool] = []

    def commit_group(self, commits: Sequence[Commit], patience: float = 10) -> list[CommitOutcome]:
        return self._noted(in_the_loop=False, outcomes=super().commit_group(commits, patience))

    def commit_at_once(self, commits: Sequence[Commit]) -> list[CommitOutcome] | None:
        outcomes = super().commit_at_once(commits)
        return outcomes and self._noted(in_the_loop=True, outcomes=outcomes)

    def _noted(self, *, in_the_loop: bool, outcomes: list[CommitOutcome]) -> list[CommitOutcome]:
        self.now += self.takes
        self.in_the_loop.append(in_the_loop)
        return outcomes


@asynccontextmanager
async def watched(tmp_path: Path) -> AsyncIterator[tuple[GroupWriter, Watched]]:
    migrated_file(tmp_path / "one.db")
    with closing(Watched(tmp_path / "one.db")) as store:
        writer = GroupWriter(store, clock=lambda: store.now)
        await writer.start()
        yield writer, store
        await writer.close()


def test_single_commits_are_stored_in_the_loop_while_the_disk_is_quick(tmp_path: Path):
    async def test() -> None:
        async with watched(tmp_path) as (writer, store):
            for version in range(1, 51):
                await writer.append(commit(A, version))
            assert store.in_the_loop == [False] * 20 + [True] * 30

    run(test())


def test_who_came_alone_again_and_again_has_it_stored_before_the_loop_goes_on(tmp_path: Path):
    async def test() -> None:
        async with watched(tmp_path) as (writer, _):
            await alone(writer, A)
            storing = asyncio.create_task(writer.append(commit(A, 31)))
            await asyncio.sleep(0)
            assert storing.done()
            assert storing.result() == (31,)

    run(test())


def test_who_comes_beside_one_who_was_alone_travels_with_the_others_from_then_on(tmp_path: Path):
    async def test() -> None:
        async with watched(tmp_path) as (writer, _):
            await alone(writer, A)
            games, groups = [uuid4() for _ in range(4)], writer.groups
            await asyncio.gather(*(writer.append(commit(game, 1)) for game in games))
            assert writer.groups - groups == 2
            for version in range(2, 6):
                groups = writer.groups
                await asyncio.gather(*(writer.append(commit(game, version)) for game in games))
                assert writer.groups - groups == 1

    run(test())


def test_the_loop_goes_on_also_while_somebody_brings_one_after_the_other(tmp_path: Path):
    async def test() -> None:
        turns, loop = 0, asyncio.get_running_loop()

        def turn() -> None:
            nonlocal turns
            turns += 1
            loop.call_soon(turn)

        async with watched(tmp_path) as (writer, store):
            await alone(writer, A)
            turn()
            for version in range(31, 51):
                await writer.append(commit(A, version))
            assert store.in_the_loop[30:] == [True] * 20
            assert turns > 10

    run(test())


def test_a_disk_that_takes_its_time_is_waited_for_in_the_thread(tmp_path: Path):
    async def test() -> None:
        async with watched(tmp_path) as (writer, store):
            for version in range(1, 31):
                await writer.append(commit(A, version))
            assert store.in_the_loop[-1]
            store.takes = 0.02
            for version in range(31, 61):
                await writer.append(commit(A, version))
            assert store.in_the_loop[30:] == [True] + [False] * 29
            store.takes = 0.0001
            for version in range(61, 91):
                await writer.append(commit(A, version))
            assert store.in_the_loop[60:] == [False] * 20 + [True] * 10

    run(test())


@pytest.mark.parametrize(("together", "in_the_loop"), [(16, True), (17, False)])
def test_many_commits_at_a_time_are_stored_in_the_thread(tmp_path: Path, together: int, in_the_loop: bool):
    async def test() -> None:
        async with watched(tmp_path) as (writer, store):
            for version in range(1, 31):
                await writer.append(commit(A, version))
            groups = writer.groups
            await asyncio.gather(*(writer.append(commit(uuid4(), 1)) for _ in range(1 + together)))  # the first one goes by himself
            assert (writer.groups - groups, store.in_the_loop[-1]) == (2, in_the_loop)

    run(test())


def test_what_the_loop_cannot_store_at_once_is_stored_in_the_thread(tmp_path: Path):
    async def test() -> None:
        async with watched(tmp_path) as (writer, _):
            for version in range(1, 31):
                await writer.append(commit(A, version))
            with writing_stopped(f"sqlite://{tmp_path / 'one.db'}"):
                waiting = asyncio.create_task(writer.append(commit(A, 31)))
                await asyncio.wait([waiting], timeout=0.05)
                assert not waiting.done()
            assert await waiting == (31,)

    run(test())


class Sending(SqliteEventStore):
    """Sends a group, and is told at once that it has to be stored with care: as where something spoke against a commit."""

    def send_in_loop(self, commits: Sequence[Commit], patience: float, told: Told) -> bool:
        asyncio.get_running_loop().call_soon(told, None)
        return True


@pytest.mark.parametrize("turns", range(6))
def test_what_comes_back_while_others_are_waited_for_is_stored(tmp_path: Path, turns: int):
    async def later(writer: GroupWriter) -> None:
        for _ in range(turns):
            await asyncio.sleep(0)
        await asyncio.gather(*(writer.append(commit(uuid4(), 1)) for _ in range(8)))

    async def test() -> None:
        migrated_file(tmp_path / "one.db")
        with closing(Sending(tmp_path / "one.db")) as store:
            async with writing(store) as writer:
                await asyncio.wait_for(asyncio.gather(writer.append(commit(A, 1)), later(writer)), 5)
            assert len(stored(store)) == 9

    run(test())
