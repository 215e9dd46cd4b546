"""The fold: what each effect does to the table, and that nothing which may lie in the store can stop it."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.effects import (
    CardsMoved,
    DetailAnnounced,
    Effects,
    GameClosed,
    HandClosed,
    HandOpened,
    MarkSet,
    Scored,
    SightSet,
    TurnPassed,
    ZoneAdded,
)
from domain.score import HandSheet, Score
from domain.setup import Setup
from domain.sight import masked
from domain.table import Draft, Table, Zone, fold, pick_cards
from tests.each import each
from tests.strategies import COPIES, SETUP, VIEWERS, any_tables, effect_values, histories, sound_moves


def table(**zones: Zone) -> Table:
    return Table(SETUP, zones, {}, "play", 0, (0,))


def test_a_new_table_is_empty_and_waits_for_its_first_hand():  # COM-30
    fresh = Table(SETUP)
    assert (fresh.zones, fresh.marks, fresh.phase, fresh.turn, fresh.to_act) == ({}, {}, "no_hand", None, ())
    assert (fresh.hand, fresh.dealer, fresh.in_hand) == (0, None, False)


def test_a_new_hand_clears_zones_marks_and_lines_but_not_the_finished_hands():
    finished = HandSheet(1, 0, "end", {}, (0, 0), (0, 0), {})
    before = Table(
        SETUP, {"board": Zone("all", None, ("7D",))}, {"deal": 2}, "play", 0, (0,), Score(1, 0, (Scored("row", (1, 0)),), (finished,))
    )
    after = fold(before, [HandOpened(2, 1)])
    assert (after.zones, after.marks, after.score) == ({}, {}, Score(2, 1, (), (finished,)))


def test_a_zone_appears_with_its_cards():
    assert fold(Table(SETUP), [ZoneAdded("hand:1", "owner", 1, ("7D",))]).zones == {"hand:1": Zone("owner", 1, ("7D",))}


def test_a_zone_laid_again_replaces_the_one_before():
    before = table(a=Zone("all", None, ("7D",), {"value": 7}))
    assert fold(before, [ZoneAdded("a", "none", 1)]).zones == {"a": Zone("none", 1)}


def test_another_sight_changes_nothing_else_of_a_zone():
    before = table(a=Zone("none", 1, ("7D",), {"value": 7}))
    assert fold(before, [SightSet("a", "all")]).zones == {"a": Zone("all", 1, ("7D",), {"value": 7})}


def test_cards_go_on_top_of_the_target_in_the_order_named():
    before = table(a=Zone("all", None, ("1", "2", "3")), b=Zone("all", None, ("9",)))
    after = fold(before, [CardsMoved(("3", "1"), "a", "b")])
    assert (after.cards("a"), after.cards("b")) == (("2",), ("9", "3", "1"))


def test_cards_go_beneath_the_target_in_the_order_named():
    before = table(a=Zone("all", None, ("1", "2", "3")), b=Zone("all", None, ("9",)))
    assert fold(before, [CardsMoved(("3", "1"), "a", "b", under=True)]).cards("b") == ("3", "1", "9")


def test_cards_of_a_zone_are_turned_up_in_their_place_when_the_top_goes_onto_itself():
    before = table(a=Zone("top", None, ("1", "2")))
    assert fold(before, [CardsMoved(("2",), "a", "a", shown=True)]) == before


def test_cards_can_go_beneath_the_zone_they_came_from():
    before = table(a=Zone("top", None, ("1", "2", "3")))
    assert fold(before, [CardsMoved(("3",), "a", "a", under=True)]).cards("a") == ("3", "1", "2")


def test_sight_owner_and_marks_of_both_zones_stay():
    before = table(a=Zone("owner", 0, ("1",), {"x": 1}), b=Zone("top", 1, (), {"y": 2}))
    assert fold(before, [CardsMoved(("1",), "a", "b")]).zones == {
        "a": Zone("owner", 0, (), {"x": 1}),
        "b": Zone("top", 1, ("1",), {"y": 2}),
    }


def test_of_equal_copies_the_one_nearest_the_top_goes():
    assert pick_cards(("A", "B", "A", "C"), ("A",)) == [2]


def test_equal_copies_that_go_together_keep_their_order():
    assert pick_cards(("A", "B", "A"), ("A", "B", "A")) == [0, 1, 2]


def test_more_copies_than_there_are_go_as_far_as_they_lie_there():
    assert pick_cards(("A", "B"), ("A", "A")) == [-1, 0]


def test_a_card_that_is_not_seen_there_is_taken_from_the_hidden_ones():
    assert pick_cards(("?", "?", "B"), ("A",)) == [1]


def test_a_card_with_an_empty_name_takes_no_card_twice():
    assert pick_cards(("A", ""), ("", "A", "")) == [-1, 0, 1]


some = st.lists(st.sampled_from("AABC?"), max_size=6).map(tuple)


@given(some, some | st.just(("Z",)))
def test_what_is_picked_goes_and_the_rest_stays_in_its_order(lying: tuple[str, ...], cards: tuple[str, ...]):
    going = [place for place in pick_cards(lying, cards) if place >= 0]
    after = fold(table(a=Zone("all", None, lying), b=Zone("all")), [CardsMoved(cards, "a", "b")])
    assert len(set(going)) == len(going)
    assert after.cards("a") == tuple(card for place, card in enumerate(lying) if place not in going)
    assert after.cards("b") == cards


def test_a_card_that_is_nowhere_arrives_nevertheless():  # damaged history
    after = fold(table(a=Zone("all", None, ("1",)), b=Zone("all")), [CardsMoved(("7D",), "a", "b")])
    assert (after.cards("a"), after.cards("b")) == (("1",), ("7D",))


def test_a_zone_that_was_never_laid_keeps_its_cards_hidden():  # damaged history
    assert fold(table(a=Zone("all", None, ("1",))), [CardsMoved(("1",), "a", "b")]).zones["b"] == Zone("none", None, ("1",))


def test_a_mark_lies_on_the_table_or_on_a_zone():
    after = fold(table(a=Zone("all")), [MarkSet("last", 1), MarkSet("value", 7, "a")])
    assert (after.marks, after.zones["a"].marks) == ({"last": 1}, {"value": 7})


def test_none_lifts_a_mark():
    before = fold(table(a=Zone("all")), [MarkSet("last", 1), MarkSet("value", 7, "a")])
    after = fold(before, [MarkSet("last", None), MarkSet("value", None, "a"), MarkSet("never set", None)])
    assert (after.marks, after.zones["a"].marks) == ({}, {})


def test_what_is_said_leaves_no_trace():
    assert fold(table(), [DetailAnnounced(1, "last", {"deal": 6})]) == table()


def test_the_turn_passes():
    after = fold(table(), [TurnPassed("answer", 0, (1,))])
    assert (after.phase, after.turn, after.to_act, after.in_hand) == ("answer", 0, (1,), True)


@each(("end", "phase"), [(HandClosed("end", {}), "hand_over"), (GameClosed((1, 2), {}), "game_over")])
def test_after_the_end_nobody_is_to_act(end: HandClosed | GameClosed, phase: str):  # COM-31
    after = fold(table(), [end])
    assert (after.phase, after.turn, after.to_act, after.in_hand) == (phase, None, (), False)


def test_a_draft_folds_what_it_emits_and_remembers_it():
    draft = Draft(table(a=Zone("all", None, ("1",)), b=Zone("all")))
    draft.emit(CardsMoved(("1",), "a", "b"))
    draft.emit(DetailAnnounced(0, "done"), MarkSet("x", 1))
    assert (draft.table.cards("b"), draft.table.marks) == (("1",), {"x": 1})
    assert draft.effects == [CardsMoved(("1",), "a", "b"), DetailAnnounced(0, "done"), MarkSet("x", 1)]


@given(any_tables(), histories)
def test_a_draft_shows_the_same_table_however_often_somebody_looks(before: Table, history: Effects):
    looked, at_the_end = Draft(before), Draft(before)
    for effect in history:
        looked.emit(effect)
        assert looked.table is looked.table
        at_the_end.emit(effect)
    assert looked.table == at_the_end.table == fold(before, history)


@given(any_tables(), histories)
def test_no_history_stops_the_fold(before: Table, history: Effects):
    after = fold(before, history)
    assert [masked(after, viewer).setup for viewer in VIEWERS] == [SETUP] * len(VIEWERS)


@given(
    st.builds(
        Setup,
        st.just("any"),
        st.just({}),
        st.integers(-1, 3),
        st.lists(st.lists(st.integers(-1, 3)).map(tuple), max_size=3).map(tuple),
        st.lists(st.text(max_size=3), max_size=3).map(tuple),
        st.lists(st.integers(), max_size=3).map(tuple),
    ),
    histories,
)
def test_no_setup_stops_the_fold(setup: Setup, history: Effects):
    assert fold(Table(setup), history).setup == setup


@given(any_tables(), st.lists(effect_values, max_size=8))
def test_folding_in_one_go_equals_folding_one_by_one(before: Table, history: list):
    step = before
    for effect in history:
        step = fold(step, [effect])
    assert fold(before, history) == step


@given(any_tables(), histories)
def test_the_table_before_is_never_written_on(before: Table, history: Effects):
    bytes_before = msgspec.json.encode((before, history))
    fold(before, history)
    assert msgspec.json.encode((before, history)) == bytes_before


def test_no_two_tables_share_a_default():
    fold(fold(Table(SETUP), [ZoneAdded("a", "all", None)]), [MarkSet("x", 1), MarkSet("x", 1, "a"), GameClosed((1, 2), {"x": 1})])
    assert (Table(SETUP), Zone("all").marks, SETUP.facts) == (Table(SETUP, {}, {}, "no_hand", None, (), Score()), {}, {})
    assert Score().facts == {}


@given(st.data(), any_tables())
def test_sound_moves_conserve_the_cards(data: st.DataObject, before: Table):
    after = fold(before, data.draw(sound_moves(before)))
    assert sorted(card for zone in after.zones.values() for card in zone.cards) == sorted(COPIES)


@given(any_tables(), histories)
def test_a_table_comes_back_from_the_store_as_it_was(before: Table, history: Effects):
    after = fold(before, history)
    stored = msgspec.json.encode(after)
    assert msgspec.json.decode(stored, type=Table) == after
    assert msgspec.json.encode(msgspec.json.decode(stored, type=Table)) == stored


@each("place", [[], ["zones", "a"], ["score"], ["setup"], ["score", "hands", 0]])
def test_an_unknown_field_of_a_stored_table_is_refused(place: list):
    full = fold(table(a=Zone("all")), [HandOpened(1, 0), ZoneAdded("a", "all", None), HandClosed("end", {})])
    body = inner = msgspec.to_builtins(full)
    for step in place:
        inner = inner[step]
    inner["unknown"] = 1
    with pytest.raises(msgspec.ValidationError, match="unknown"):
        msgspec.json.decode(msgspec.json.encode(body), type=Table)
