"""GamePasts: any position of a long game, without folding all that came before."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.codec import decode_event
from domain.errors import Unknown
from domain.events import Recorded
from domain.game import Game, project
from replay.past import BLOCK, GamePast, GamePasts
from tests.each import each
from tests.projections.histories import START, History, a_whole_game, table_at

LONG = a_whole_game(1, hands=30).events
END = len(LONG)


class Store:
    """Events to read from, and how many were read."""

    def __init__(self, events: Sequence[Recorded]) -> None:
        self.events = events
        self.read = 0

    def __call__(self, after: int, limit: int) -> Sequence[Recorded]:
        found = [recorded for recorded in self.events if recorded.position > after][:limit]
        self.read += len(found)
        return found


@pytest.mark.parametrize("order", [range(1, END + 1), range(END, 0, -1), [BLOCK, BLOCK + 1, 1, END, 2 * BLOCK, BLOCK - 1]])
def test_every_position_is_that_of_the_folded_history_in_whatever_order_they_are_asked_for(order: Sequence[int]):
    line = GamePast(Store(LONG))
    assert [line.at(position, END) for position in order] == [table_at(LONG, position) for position in order]


@each("position", [-1, 0, END + 1, 10**20])
def test_there_is_nothing_where_there_is_no_position(position: int):
    with pytest.raises(Unknown):
        GamePast(Store(LONG)).at(position, END)


def test_a_position_that_was_passed_before_costs_one_stretch_at_most():
    store = Store(LONG)
    line = GamePast(store)
    line.at(END, END)
    assert store.read == END
    for position in range(1, END + 1):
        store.read = 0
        line.at(position, END)
        assert store.read < BLOCK


def test_the_end_of_a_line_is_read_without_its_beginning():
    store = Store(LONG)
    line = GamePast(store)
    line.at(END, END)
    store.read = 0
    assert [step.recorded for step in line.steps(END - 5, END)] == list(LONG[-5:])
    assert store.read <= BLOCK


@pytest.mark.parametrize("after", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, END - 1, END, END + 1])
def test_steps_go_from_the_game_before_an_event_to_the_one_after(after: int):
    steps = list(GamePast(Store(LONG)).steps(after, END))
    assert [step.recorded for step in steps] == list(LONG[after:])
    for step in steps:
        assert step.before == project(None, LONG[: step.recorded.position - 1])
        assert step.after == project(step.before, [step.recorded])


@each(("before", "after"), [(END + 1, 0), (END, 0), (BLOCK + 1, 0), (BLOCK + 2, 3), (2, 0), (1, 0), (END, END - 3), (5, 9)])
def test_backwards_the_same_steps_come_stretch_by_stretch(before: int, after: int):
    stretches = list(GamePast(Store(LONG)).backwards(before, after))
    assert [step.recorded for stretch in reversed(stretches) for step in stretch] == list(LONG[after : before - 1])
    assert all(0 < len(stretch) <= BLOCK for stretch in stretches)


def test_a_game_that_goes_on_makes_its_line_longer():
    store = Store(LONG[:BLOCK])
    line = GamePast(store)
    assert line.at(BLOCK, BLOCK) == table_at(LONG, BLOCK)
    store.events = LONG
    store.read = 0
    assert line.at(BLOCK + 3, END) == table_at(LONG, BLOCK + 3)
    assert store.read == 3


def test_what_is_known_to_lie_beyond_the_end_is_not_told():
    line = GamePast(Store(LONG))
    assert [step.recorded.position for step in line.steps(BLOCK - 2, BLOCK + 1)] == [BLOCK - 1, BLOCK, BLOCK + 1]
    assert len(line) == 2


# Snapshots: what the store keeps of a game


def stored(*positions: int) -> Callable[[int, int], Game | None]:
    """A store with snapshots at these positions."""

    def last(after: int, upto: int) -> Game | None:
        found = max((position for position in positions if after < position <= upto), default=None)
        return project(None, LONG[:found]) if found else None

    return last


@pytest.mark.parametrize("order", [range(1, END + 1), range(END, 0, -1), [END, BLOCK, 2 * BLOCK + 1, 1]])
def test_with_snapshots_every_position_is_the_same(order: Sequence[int]):
    line = GamePast(Store(LONG), stored(BLOCK, 2 * BLOCK))
    assert [line.at(position, END) for position in order] == [table_at(LONG, position) for position in order]


@each(("position", "read"), [(END, END - 2 * BLOCK), (2 * BLOCK, 0), (2 * BLOCK - 1, BLOCK - 1), (9, 9)])
def test_a_position_that_nobody_asked_for_costs_the_events_since_the_snapshot_before_it(position: int, read: int):
    store = Store(LONG)
    GamePast(store, stored(BLOCK, 2 * BLOCK)).at(position, END)
    assert store.read == read


def test_the_last_steps_are_read_from_the_snapshot_before_them():
    store = Store(LONG)
    steps = list(GamePast(store, stored(BLOCK, 2 * BLOCK)).steps(END - 5, END))
    assert [step.recorded for step in steps] == list(LONG[-5:])
    assert steps[0].before == project(None, LONG[: END - 5])
    assert store.read == END - 2 * BLOCK


def test_a_snapshot_between_two_places_of_the_line_is_of_no_use():
    store = Store(LONG)
    assert GamePast(store, stored(BLOCK + 1)).at(2 * BLOCK, END) == table_at(LONG, 2 * BLOCK)
    assert store.read == 2 * BLOCK


def test_a_snapshot_goes_before_what_was_folded():
    damaged = [recorded for recorded in LONG if recorded.position != 5]
    line = GamePast(Store(damaged), stored(BLOCK))
    by_folding = [step.after.table for step in line.steps(0, END)]
    at_once = GamePast(Store(damaged), stored(BLOCK)).at(END, END)
    assert by_folding[-1] == at_once == line.at(END, END) == table_at(LONG, END)
    assert line.at(BLOCK - 1, END) == table_at(damaged, BLOCK - 1)


def test_events_that_are_known_to_be_later_are_not_read_to_find_a_moment():
    store = Store(LONG)
    spans = [(0, BLOCK, LONG[0].stamp.at), (BLOCK, 2 * BLOCK, LONG[BLOCK].stamp.at)]
    assert GamePast(store, moments=lambda: spans).position_at(LONG[9].stamp.at, END) == 10
    assert store.read == END - BLOCK


def test_where_positions_are_missing_the_rest_stands_where_it_stood():
    damaged = [recorded for recorded in LONG if recorded.position not in (5, 6, BLOCK, BLOCK + 1)]
    line = GamePast(Store(damaged))
    for position in (4, 5, 6, BLOCK, BLOCK + 2, END, 7):
        assert line.at(position, END) == table_at(damaged, position)
    assert [step.recorded for step in line.steps(3, END)] == damaged[3:]


def test_a_moment_is_found_also_where_the_clock_went_back():
    back = START - timedelta(days=1)
    events = [replace(recorded, stamp=replace(recorded.stamp, at=back)) if recorded.position == END - 1 else recorded for recorded in LONG]
    line = GamePast(Store(events))
    for _ in ("at first", "from what is kept"):
        assert line.position_at(back, END) == END - 1
        assert line.position_at(back - timedelta(seconds=1), END) == 0
        assert line.position_at(LONG[69].stamp.at, END) == END - 1
        assert line.position_at(LONG[69].stamp.at, END - 2) == 70
        assert line.position_at(LONG[-1].stamp.at, END) == END
        line.at(END, END)


def test_an_unreadable_event_is_at_no_moment():
    damaged = [LONG[0], decode_event(LONG[0].stream, 2, "hand.dealt/1", b"{")]
    assert GamePast(Store(damaged)).position_at(START + timedelta(seconds=9), 2) == 1


def test_no_more_games_are_kept_than_there_is_room_for():
    histories = {UUID(int=number): History(number, *(recorded.event for recorded in LONG)).events for number in range(1, 9)}
    lines = GamePasts(lambda id, after, limit: Store(histories[id])(after, limit), most=3 * (1 + END // BLOCK))
    for _ in range(2):
        for id, events in histories.items():
            assert lines.of(id).at(END, END) == table_at(events, END)
            assert len(lines) <= 3 * (1 + END // BLOCK)


def test_the_line_of_the_game_that_is_read_is_kept():
    store = Store(LONG)
    lines = GamePasts(lambda id, after, limit: store(after, limit), most=1)
    lines.of(UUID(int=1)).at(END, END)
    store.read = 0
    lines.of(UUID(int=1)).at(END, END)
    assert store.read < BLOCK


def test_of_a_long_game_fewer_games_are_kept_and_every_position_is_the_same():
    line = GamePast(Store(LONG), most=END)
    positions = [*range(1, END + 1), *range(END, 0, -7)]
    assert [line.at(position, END) for position in positions] == [table_at(LONG, position) for position in positions]
    assert len(line) == 2
