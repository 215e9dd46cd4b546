"""Snapshots: when there are some, which of them count, and that no game is another one because of them. The same for both databases."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deploy.stores.opening import open_events
from domain import codec
from domain.errors import DataIntegrityError, Unknown
from domain.events import Event, Recorded, Stamp, digest
from domain.events.game import GameOpened
from domain.game import Game, project
from domain.games import EDITIONS, RULESETS
from domain.journal.application import Journal
from domain.journal.commits import Call, to_stored
from domain.journal.snapshots import EVERY, FORM, Snapshots, Span, decode_snapshot, encode_snapshot, read_snapshots
from domain.player import PLAYER
from domain.table import Table
from replay.audit import audit
from replay.audit_result import AuditMismatch, StoredContext
from replay.past import BLOCK, GamePasts
from replay.sample_games import random_move
from tests.append_only import drop_triggers
from tests.benchmarks.games import endless, event_of
from tests.databases import in_a_file
from tests.deploy.stores.stores import sql_of
from tests.domain.test_codec import events
from tests.laws import strictly
from tests.projections.histories import table_at
from tests.strategies import SETUP

GAME = UUID(int=7, version=4)
START = datetime(2026, 11, 21, 19, tzinfo=UTC)
END = 2 * EVERY + 5
KEY = b"k" * 32


def linked(given: Sequence[Event], game: UUID = GAME, by: str = "p_recorder") -> tuple[Recorded, ...]:
    """The events as they would be stored, recorded a second after each other."""
    history: list[Recorded] = []
    for position, event in enumerate(given, 1):
        link = digest(history[-1].state) if history else None
        history.append(codec.encode_event(game, position, link, Stamp(START + timedelta(seconds=position), by), event))
    return tuple(history)


EVENTS = tuple(islice(endless(1), END))
LONG = linked(EVENTS)


def standing(history: Sequence[Recorded]) -> Game:
    game = project(None, history)
    assert game
    return game


@contextmanager
def opened(url: str, *, alone: bool = True) -> Iterator[Journal]:
    """A journal that remembers nothing yet. At the end all snapshots are written."""
    journal = Journal(open_events(url), lambda: START, alone=alone, snapshot_key=KEY)
    try:
        yield journal
    finally:
        journal.close()


def store(url: str, history: Sequence[Recorded]) -> None:
    """As an older version stored games: without snapshots."""
    with opened(url) as journal:
        journal.store.insert_events([to_stored(event) for event in history])


def store_with_snapshots(url: str) -> None:
    store(url, LONG)
    with opened(url) as journal:
        journal.game(GAME)


def kept(url: str, id: UUID = GAME) -> list[int]:
    """The positions of the snapshots that lie in the store, whether they count or not."""
    with opened(url) as journal:
        sql = sql_of(journal.store)
        found = sql.query("SELECT position FROM snapshots WHERE game = ? ORDER BY position", (sql.to_column(id),))
        return [position for (position,) in found]


def overwritten(url: str, *histories: Sequence[Recorded]) -> None:
    """Events as somebody else would have them, in the place of what was stored."""
    with opened(url) as journal:
        drop_triggers(journal.store)
        for event in (event for history in histories for event in history):
            where = "WHERE originator_id = ? AND originator_version = ?"
            id = sql_of(journal.store).to_column(event.stream)
            assert sql_of(journal.store).change(f"UPDATE events SET state = ? {where}", (event.state, id, event.position)) == 1


# When


def test_a_game_that_is_played_leaves_one_every_so_many_events(journal_url: str):
    async def story() -> None:
        journal = Journal(open_events(journal_url), lambda: START, alone=True, snapshot_key=KEY)
        await journal.start()
        await journal.open_game(Call("p_recorder"), GAME, EVENTS[:1])
        for event in EVENTS[1:]:
            await journal.commit(Call("p_recorder"), GAME, lambda _, event=event: [event])
        await journal.stop()

    asyncio.run(story())
    assert kept(journal_url) == [EVERY, 2 * EVERY]
    with opened(journal_url) as journal:
        assert journal.snapshots.last(GAME) == standing(journal.history(GAME)[: 2 * EVERY])


@in_a_file
def test_a_commit_that_passes_several_leaves_them_all(journal_url: str):
    with opened(journal_url) as journal:
        journal.open_now(Call("p_recorder"), GAME, EVENTS)
    assert kept(journal_url) == [EVERY, 2 * EVERY]


@in_a_file
def test_a_game_of_an_older_store_has_them_once_it_was_folded(journal_url: str):
    store(journal_url, LONG)
    assert kept(journal_url) == []
    with opened(journal_url) as journal:
        assert journal.game(GAME) == standing(LONG)
    assert kept(journal_url) == [EVERY, 2 * EVERY]


@in_a_file
def test_a_game_that_begins_at_a_snapshot_leaves_those_that_come_later(journal_url: str):
    store(journal_url, LONG[: EVERY + 1])
    with opened(journal_url) as journal:
        journal.game(GAME)
    store(journal_url, LONG[EVERY + 1 :])
    with opened(journal_url) as journal:
        assert journal.game(GAME) == standing(LONG)
    assert kept(journal_url) == [EVERY, 2 * EVERY]


@in_a_file
def test_what_another_process_recorded_is_left_to_that_process(journal_url: str):
    store(journal_url, LONG[: EVERY - 1])
    with opened(journal_url, alone=False) as journal:
        journal.game(GAME)
        journal.store.insert_events([to_stored(event) for event in LONG[EVERY - 1 :]])
        assert journal.game(GAME) == standing(LONG)
    assert kept(journal_url) == []


@in_a_file
def test_a_short_game_has_none(journal_url: str):
    store(journal_url, LONG[: EVERY - 1])
    with opened(journal_url) as journal:
        journal.game(GAME)
    assert kept(journal_url) == []


@in_a_file
def test_a_game_with_a_snapshot_is_still_no_player(journal_url: str):
    store_with_snapshots(journal_url)
    with opened(journal_url) as journal, pytest.raises(Unknown):
        journal.aggregate(PLAYER, GAME)


def test_a_store_that_takes_no_snapshots_takes_moves(journal_url: str, caplog: pytest.LogCaptureFixture):
    with opened(journal_url) as journal:
        sql_of(journal.store).change("DROP TABLE snapshots")
        journal.snapshots.keep([standing(LONG[:EVERY])])
        journal.snapshots.close()
    assert [record.getMessage() for record in caplog.records] == [f"snapshots of game {GAME} were not written"]


@in_a_file
def test_the_first_answer_is_rebuilt_from_the_snapshot_before_it(journal_url: str):
    async def story() -> None:
        journal = Journal(open_events(journal_url), lambda: START, alone=True, snapshot_key=KEY)
        await journal.start()
        await journal.open_game(Call("p_recorder"), GAME, EVENTS[: EVERY + 1])
        call = Call("p_recorder", key="k", fingerprint="f")
        first = await journal.commit(call, GAME, lambda _: EVENTS[EVERY + 1 : EVERY + 3])
        again = await journal.commit(call, GAME, lambda _: EVENTS[EVERY + 1 : EVERY + 3])
        assert (again.before, again.events, again.after, again.repeated) == (first.before, first.events, first.after, True)
        await journal.stop()

    asyncio.run(story())


@in_a_file
def test_a_command_that_is_answered_while_the_journal_closes_leaves_none(journal_url: str):
    store(journal_url, LONG)
    with opened(journal_url) as journal:
        journal.close()
        journal.snapshots.keep([standing(LONG[:EVERY])])
    assert kept(journal_url) == []


# Which


def test_the_newest_between_two_positions_is_found(journal_url: str):
    store_with_snapshots(journal_url)
    with opened(journal_url) as journal:
        for after, upto, position in (
            (0, END, 2 * EVERY),
            (0, 2 * EVERY, 2 * EVERY),
            (0, 2 * EVERY - 1, EVERY),
            (EVERY, 2 * EVERY - 1, None),
            (0, EVERY - 1, None),
        ):
            assert journal.snapshots.last(GAME, after, upto) == (standing(LONG[:position]) if position else None), (after, upto)


def test_that_of_another_program_does_not_count_and_gives_way(journal_url: str):
    with opened(journal_url) as journal:
        other = Snapshots(journal.store, KEY, "another form")
        journal.store.insert_events([to_stored(event) for event in LONG])
        other.keep([standing(LONG[:EVERY])])
        other.close()
        assert (other.last(GAME), journal.snapshots.last(GAME)) == (standing(LONG[:EVERY]), None)
        assert journal.game(GAME) == standing(LONG)
        journal.snapshots.close()
        assert (other.last(GAME), journal.snapshots.last(GAME)) == (None, standing(LONG[: 2 * EVERY]))


def test_one_that_cannot_be_the_game_there_does_not_count_and_is_written_anew(journal_url: str):
    store_with_snapshots(journal_url)
    others = standing(LONG[:9]), standing(linked(EVENTS[:EVERY], UUID(int=9)))
    for state in (b"", b"nonsense", *map(encode_snapshot, others)):
        with opened(journal_url) as journal:
            sql_of(journal.store).change("UPDATE snapshots SET state = ? WHERE position = ?", (state, 2 * EVERY))
            assert journal.snapshots.last(GAME) == standing(LONG[:EVERY]), state
            assert journal.game(GAME) == standing(LONG)
            journal.snapshots.close()
            assert journal.snapshots.last(GAME) == standing(LONG[: 2 * EVERY])


def test_the_moments_before_each_are_told_as_far_as_they_can_be_read(journal_url: str):
    store_with_snapshots(journal_url)
    with opened(journal_url) as journal:
        spans = {Span(0, EVERY, START + timedelta(seconds=1)), Span(EVERY, 2 * EVERY, START + timedelta(seconds=EVERY + 1))}
        assert set(journal.snapshots.spans(GAME)) == spans


# Tampering: the links between the events vouch for a snapshot as they vouch for the events


@in_a_file
def test_a_history_with_sound_links_is_shown_as_it_lies_there_whatever_was_kept_before(journal_url: str):
    store_with_snapshots(journal_url)
    forged = linked((*EVENTS[:19], EVENTS[18], *EVENTS[20:]))
    overwritten(journal_url, forged)
    with opened(journal_url) as journal:
        assert journal.game(GAME) == standing(forged)


@in_a_file
def test_an_event_changed_without_its_links_changes_no_table_after_the_next_snapshot(journal_url: str):
    store_with_snapshots(journal_url)
    sound = LONG[EVERY - 9]
    forged = codec.encode_event(GAME, sound.position, sound.link, sound.stamp, EVENTS[EVERY - 10])
    overwritten(journal_url, [forged])
    damaged = [forged if event is sound else event for event in LONG]
    assert table_at(damaged, EVERY) != table_at(LONG, EVERY)
    asked = [1, *range(EVERY - 12, EVERY + 3), 2 * EVERY - 1, 2 * EVERY, END]
    shown = {position: table_at(damaged if position < EVERY else LONG, position) for position in asked}
    for order in (asked, asked[::-1], Random(1).sample(asked, len(asked))):
        with opened(journal_url) as journal:
            assert tables(journal, order) == shown
            assert (journal.game(GAME), journal.history(GAME)) == (standing(LONG), damaged)
    assert audit(damaged, EDITIONS).verdict == "divergent"


def tables(journal: Journal, order: Sequence[int]) -> dict[int, Table]:
    """Past positions as the service reads them."""
    line = GamePasts(journal.history, journal.snapshots.last, journal.snapshots.spans).of(GAME)
    return {position: line.at(position, END) for position in order}


@in_a_file
def test_of_a_tail_that_was_cut_off_nothing_is_shown(journal_url: str):
    store_with_snapshots(journal_url)
    with opened(journal_url) as journal:
        drop_triggers(journal.store)
        sql_of(journal.store).change("DELETE FROM events WHERE originator_version > ?", (EVERY - 9,))
    with opened(journal_url) as journal:
        assert journal.game(GAME) == standing(LONG[: EVERY - 9])


@in_a_file
def test_a_game_whose_opening_is_gone_stands_at_its_next_snapshot_and_has_no_table_before(journal_url: str):
    store_with_snapshots(journal_url)
    with opened(journal_url) as journal:
        drop_triggers(journal.store)
        sql_of(journal.store).change("DELETE FROM events WHERE originator_version = ?", (1,))
    with opened(journal_url) as journal:
        assert journal.game(GAME) == standing(LONG)
        with pytest.raises(DataIntegrityError):
            tables(journal, [9])


# Tampering: a snapshot that says something else than the events counts only with a key that is not in the database


def changed(game: Game) -> bytes:
    """The game with other points and cards than it has, as somebody would write it who knows the form."""
    hands = tuple(replace(hand, points=(500, 0), totals=(500, 0)) for hand in game.table.score.hands)
    stock, hand = (game.table.zones[name] for name in ("stock", f"hand:{game.table.turn}"))
    cards = {"stock": replace(stock, cards=hand.cards + stock.cards[len(hand.cards) :])}
    table = replace(game.table, score=replace(game.table.score, hands=hands, lines=()), zones={**game.table.zones, **cards})
    return encode_snapshot(replace(game, table=table))


def move_on(journal: Journal) -> Recorded:
    """A legal move on the game as the journal knows it, by the rules."""
    rules = RULESETS["casino"]
    rulebook: Any = rules.bind({}, 2)
    receipt = journal.commit_now(Call("p"), GAME, lambda game: [event_of(random_move(rulebook, game.table, Random(5)), rules.edition)])
    return receipt.events[-1]


def change_snapshots(journal: Journal, **columns: Any) -> None:
    for name, value in columns.items():
        assert sql_of(journal.store).change(f"UPDATE snapshots SET {name} = ? WHERE position = ?", (value, 2 * EVERY)) == 1


@in_a_file
def test_a_changed_snapshot_is_not_believed_when_history_is_made(journal_url: str, caplog: pytest.LogCaptureFixture):
    """It said 500 to nothing, and other cards: that was recorded."""
    store_with_snapshots(journal_url)
    with opened(journal_url) as journal:
        change_snapshots(journal, state=changed(standing(LONG[: 2 * EVERY])))
    with opened(journal_url) as journal:
        assert move_on(journal).event == move_on_unspoilt()
        assert journal.game(GAME).table.score.hands == standing(LONG).table.score.hands
        journal.snapshots.close()
        assert journal.snapshots.last(GAME) == standing(LONG[: 2 * EVERY])  # replaced
    told = f"the snapshot of game {GAME} at position {2 * EVERY} is not sealed by this service's key"
    assert [record.getMessage()[: len(told)] for record in caplog.records] == [told]


def move_on_unspoilt() -> Event:
    rules = RULESETS["casino"]
    return event_of(random_move(rules.bind({}, 2), standing(LONG).table, Random(5)), rules.edition)


UNSEALED: dict[str, dict[str, Any]] = {
    "without a seal": {"seal": None},
    "an empty one": {"seal": ""},
    "another one": {"seal": "0" * 64},
    "no digest": {"seal": "ö"},
    "another moment": {"earliest": "2020-01-01T00:00:00+00:00"},
    "no moment": {"earliest": None},
}


def test_whatever_is_not_what_was_sealed_does_not_count(journal_url: str):
    store_with_snapshots(journal_url)
    with opened(journal_url) as journal:
        [(row, _)] = journal.store.select_snapshots(GAME, FORM, EVERY, 2 * EVERY)
        for name, columns in UNSEALED.items():
            change_snapshots(journal, **columns)
            assert journal.snapshots.last(GAME) == standing(LONG[:EVERY]), name
            assert [span.upto for span in journal.snapshots.spans(GAME)] == [EVERY], name
            change_snapshots(journal, earliest=row.earliest, seal=row.seal)
            assert journal.snapshots.last(GAME) == standing(LONG[: 2 * EVERY])


@in_a_file
def test_the_snapshot_of_another_game_or_position_does_not_count_with_its_seal(journal_url: str):
    store_with_snapshots(journal_url)
    with opened(journal_url) as journal:
        [(row, _)] = journal.store.select_snapshots(GAME, FORM, 0, EVERY)
        change_snapshots(journal, state=row.state, link=row.link, earliest=row.earliest, seal=row.seal)
        assert journal.snapshots.last(GAME) == standing(LONG[:EVERY])


@in_a_file
def test_with_another_key_all_snapshots_are_made_anew(journal_url: str, caplog: pytest.LogCaptureFixture):
    store_with_snapshots(journal_url)
    for _ in range(2):  # the second time they are those of this key
        journal = Journal(open_events(journal_url), lambda: START, alone=True, snapshot_key=b"x" * 32)
        assert journal.game(GAME) == standing(LONG)
        journal.close()
    assert len(caplog.records) == 1


def test_the_audit_names_a_snapshot_that_is_not_what_the_events_come_to(journal_url: str):
    store_with_snapshots(journal_url)
    with opened(journal_url) as journal:
        assert audit(LONG, EDITIONS, StoredContext(snapshots=read_snapshots(journal.store, GAME))).verdict == "sound"
        change_snapshots(journal, state=changed(standing(LONG[: 2 * EVERY])))
        [found] = audit(LONG, EDITIONS, StoredContext(snapshots=read_snapshots(journal.store, GAME))).divergences
        assert (found.position, found.kind, found.recorded[:20]) == (2 * EVERY, "snapshot", "table.zones.stock.ca")
        change_snapshots(journal, state=b"nonsense")
        kept = read_snapshots(journal.store, GAME)
        assert audit(LONG, EDITIONS, StoredContext(snapshots=kept)).divergences == (
            AuditMismatch(2 * EVERY, "snapshot", "it cannot be read", "the game at this position"),
        )


# What is kept


@given(st.lists(events, max_size=8))
def test_whatever_was_folded_comes_back_from_its_snapshot(given: list[Event]):
    game = standing(linked([GameOpened(SETUP, 1, (None,) * SETUP.seats, "game_over"), *given]))
    read = decode_snapshot(encode_snapshot(game), game.last)
    assert read == game
    assert strictly(read) == strictly(game)


def test_a_line_can_begin_at_every_snapshot():
    assert EVERY % BLOCK == 0
