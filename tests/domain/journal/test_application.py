"""The way of a command: decided, stamped, linked, stored, and answered again under its key."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from uuid import UUID

import pytest

from deploy.stores.opening import open_events
from deploy.stores.sqlite.journal import SqliteEventStore
from domain.codec import link_of
from domain.errors import KeyConflictError, Refused, Stale, Unknown
from domain.events.game import MovePlayed
from domain.game import Game
from domain.games import RULESETS
from domain.journal.application import PATIENCE, DecideGame, Journal
from domain.journal.commits import Call, StoredEvent, note
from domain.moves import play_moves
from domain.opening import opening
from tests.databases import in_a_file
from tests.migrated import migrated_file

GAME = UUID(int=7)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
CASINO = RULESETS["casino"]
RULEBOOK = CASINO.bind({}, 2)
TRAIL_ACE = (0, {"type": "trail", "card": "AS"})
TRAIL_TEN = (1, {"type": "trail", "card": "TS"})


@asynccontextmanager
async def opened(url: str, *, alone: bool = True, patience: float = PATIENCE) -> AsyncIterator[Journal]:
    journal = Journal(open_events(url), lambda: NOON, alone=alone, patience=patience)
    await journal.start()
    try:
        yield journal
    finally:
        await journal.stop()


async def dealt(journal: Journal) -> Game:
    """A game of two seats with an unshuffled deck; seat 0 holds AS KS 8S 7S and leads, seat 1 holds TS 9S 4S 3S."""
    await journal.open_game(Call("someone"), GAME, [opening(CASINO, {}, 2)])
    receipt = await journal.commit(Call("someone"), GAME, lambda game: [game.deal(RULEBOOK, 1, 1, RULEBOOK.deck, "recorded")])
    return receipt.after


def plays(*moves: tuple[object, object]) -> DecideGame:
    return lambda game: play_moves(game, RULEBOOK, moves)


def run(url: str, story: Callable[[Journal], Awaitable[None]], *, alone: bool = True) -> None:
    async def told() -> None:
        async with opened(url, alone=alone) as journal:
            await story(journal)

    asyncio.run(told())


def test_a_move_is_stamped_linked_and_found_again_after_a_restart(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        before = await dealt(journal)
        receipt = await journal.commit(Call("recorder", happened_at=NOON), GAME, plays(TRAIL_ACE))
        [event] = receipt.events
        link = link_of(GAME, 3, "move.played/1", before.last)
        assert (event.position, event.link, event.stamp.by, event.stamp.happened_at) == (3, link, "recorder", NOON)
        assert isinstance(event.event, MovePlayed)
        assert receipt.after.table.cards("board")[-1] == "AS"

    run(journal_url, story)

    async def later(journal: Journal) -> None:
        game = await journal.current(GAME)
        assert (game.position, game.table.cards("board")[-1]) == (3, "AS")
        assert [event.position for _, event in journal.feed(0, 100)] == [1, 2, 3]

    run(journal_url, later)


@in_a_file
def test_a_dry_run_gets_the_receipt_and_records_nothing(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        before = await dealt(journal)
        tried = await journal.commit(Call("recorder"), GAME, plays(TRAIL_ACE), dry_run=True)
        assert await journal.current(GAME) == before
        assert [event.position for _, event in journal.feed(0, 100)] == [1, 2]
        done = await journal.commit(Call("recorder"), GAME, plays(TRAIL_ACE))
        assert (tried.before, tried.events, tried.after) == (done.before, done.events, done.after)

    run(journal_url, story)


def test_several_moves_are_recorded_all_or_none(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        before = await dealt(journal)
        with pytest.raises(Refused) as refused:
            await journal.commit(Call("recorder"), GAME, plays(TRAIL_ACE, TRAIL_ACE))
        assert (refused.value.code, refused.value.index) == ("not_your_turn", 1)
        assert await journal.current(GAME) == before
        receipt = await journal.commit(Call("recorder"), GAME, plays(TRAIL_ACE, TRAIL_TEN))
        assert [event.position for event in receipt.events] == [3, 4]

    run(journal_url, story)


@in_a_file
def test_a_command_decided_on_an_older_position_is_stale(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        await dealt(journal)
        await journal.commit(Call("one", expected=2), GAME, plays(TRAIL_ACE))
        with pytest.raises(Stale) as stale:
            await journal.commit(Call("two", expected=2), GAME, plays(TRAIL_ACE))
        assert (stale.value.expected, stale.value.actual) == (2, 3)

    run(journal_url, story)


def test_the_same_key_gives_the_same_answer_and_records_nothing_more(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        await dealt(journal)
        call = Call("recorder", expected=2, key="k", fingerprint="f")
        first = await journal.commit(call, GAME, plays(TRAIL_ACE))
        await journal.commit(Call("recorder"), GAME, plays(TRAIL_TEN))
        again = await journal.commit(call, GAME, plays(TRAIL_ACE))
        assert again.repeated
        assert (again.before, again.events, again.after, again.sequence) == (first.before, first.events, first.after, first.sequence)
        assert (await journal.current(GAME)).position == 4

    run(journal_url, story)


def test_the_same_key_for_another_request_is_refused(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        await dealt(journal)
        await journal.commit(Call("recorder", key="k", fingerprint="f"), GAME, plays(TRAIL_ACE))
        with pytest.raises(KeyConflictError):
            await journal.commit(Call("recorder", key="k", fingerprint="g"), GAME, plays(TRAIL_TEN))

    run(journal_url, story)


def test_two_requests_under_one_key_at_once_record_once(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        call = Call("recorder", key="k", fingerprint="f")
        events = [opening(CASINO, {}, 2)]
        answers = await asyncio.gather(*(journal.open_game(call, UUID(int=number), events) for number in (1, 2, 3)))
        assert len({answer.after.id for answer in answers}) == 1
        assert sorted(answer.repeated for answer in answers) == [False, True, True]
        assert journal.head() == answers[0].sequence

    run(journal_url, story)


@in_a_file
def test_a_refused_move_changes_nothing_and_keeps_no_key(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        before = await dealt(journal)
        call = Call("recorder", key="k", fingerprint="f")
        with pytest.raises(Refused):
            await journal.commit(call, GAME, plays(TRAIL_TEN))
        assert await journal.current(GAME) == before
        assert not (await journal.commit(call, GAME, plays(TRAIL_ACE))).repeated

    run(journal_url, story)


def test_what_another_process_recorded_is_seen_and_built_upon(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        await dealt(journal)
        async with opened(journal_url, alone=False) as other:
            await other.commit(Call("other"), GAME, plays(TRAIL_ACE))
        assert (await journal.current(GAME)).position == 3
        async with opened(journal_url, alone=False) as other:
            await other.commit(Call("other"), GAME, plays(TRAIL_TEN))
        # This journal still holds position 3: its decision conflicts and is taken again on position 4.
        receipt = await journal.commit(Call("one"), GAME, plays((0, {"type": "trail", "card": "KS"})))
        assert receipt.after.position == 5

    run(journal_url, story, alone=False)


@in_a_file
def test_an_unknown_game_is_unknown(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        with pytest.raises(Unknown):
            await journal.commit(Call("recorder"), GAME, plays(TRAIL_ACE))

    run(journal_url, story)


@in_a_file
def test_the_recorder_takes_back_moves_of_the_hand_and_plays_on(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        before = await dealt(journal)
        await journal.commit(Call("recorder"), GAME, plays(TRAIL_ACE, TRAIL_TEN))
        reason = note("t1", "the wrong card was entered", bytes(16))
        await journal.commit(Call("recorder"), GAME, lambda game: [game.rewind(2, reason.ref, before.table)], reason)
        game = (await journal.commit(Call("recorder"), GAME, plays((0, {"type": "trail", "card": "KS"})))).after
        assert (game.position, game.voids, game.table.cards("board")[-1]) == (6, ((3, 4),), "KS")
        assert journal.store.text("t1") == "the wrong card was entered"
        journal._evict(GAME)
        assert journal.game(GAME) == game

    run(journal_url, story)


@in_a_file
def test_the_synchronous_door_records_the_same(journal_url: str) -> None:
    journal = Journal(open_events(journal_url), lambda: NOON, alone=False)
    journal.open_now(Call("someone"), GAME, [opening(CASINO, {}, 2)])
    journal.commit_now(Call("someone"), GAME, lambda game: [game.deal(RULEBOOK, 1, 1, RULEBOOK.deck, "recorded")])
    receipt = journal.commit_now(Call("someone", expected=2), GAME, plays(TRAIL_ACE))
    assert (receipt.after.position, journal.game(GAME)) == (3, receipt.after)
    with pytest.raises(Stale):
        journal.commit_now(Call("someone", expected=2), GAME, plays(TRAIL_TEN))
    journal.close()


@in_a_file
def test_the_first_game_that_is_opened_is_not_folded_anew_for_its_first_reader(journal_url: str) -> None:
    async def story(journal: Journal) -> None:
        opened = await journal.open_game(Call("someone"), GAME, [opening(CASINO, {}, 2)])
        assert await journal.current(GAME) is opened.after

    run(journal_url, story)


def test_who_heard_of_a_move_reads_it_though_its_command_has_not_gone_on_yet(tmp_path: Path) -> None:
    async def story(journal: Journal) -> None:
        await dealt(journal)
        loop, told, go_on = asyncio.get_running_loop(), asyncio.Event(), Event()

        def wait() -> None:
            loop.call_soon_threadsafe(told.set)
            go_on.wait()

        journal.store.on_news(wait)
        command = asyncio.create_task(journal.commit(Call("recorder"), GAME, plays(TRAIL_ACE)))
        await told.wait()
        try:
            meanwhile = await journal.current(GAME)
            assert (command.done(), meanwhile.position, meanwhile.table.cards("board")[-1]) == (False, 3, "AS")
        finally:
            go_on.set()
        assert (await command).after == meanwhile == await journal.current(GAME)

    migrated_file(tmp_path / "games.db")
    run(f"sqlite:///{tmp_path / 'games.db'}", story)


class Reading(SqliteEventStore):
    """Whose next reader has read, and does not come back before he may."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.held = False
        self.has_read, self.may_go = Event(), Event()

    def select_events(self, stream: UUID, after: int = 0, upto: int | None = None, limit: int | None = None) -> list[StoredEvent]:
        found = super().select_events(stream, after, upto, limit)
        if self.held:
            self.held = False
            self.has_read.set()
            self.may_go.wait()
        return found


def test_who_read_before_a_move_was_recorded_does_not_put_the_older_game_into_its_place(tmp_path: Path) -> None:
    async def told() -> None:
        migrated_file(tmp_path / "one.db")
        store = Reading(tmp_path / "one.db")
        journal = Journal(store, lambda: NOON, alone=True)
        await journal.start()
        try:
            await dealt(journal)
            store.held = True
            reading = asyncio.create_task(asyncio.to_thread(journal.latest_game, GAME))
            await asyncio.to_thread(store.has_read.wait)
            recorded = await journal.commit(Call("someone"), GAME, plays(TRAIL_ACE))
            store.may_go.set()
            await reading
            assert (await journal.current(GAME)).position == recorded.after.position == 3
        finally:
            await journal.stop()

    asyncio.run(told())
