"""The Trumpfspiel: tie breaks of the tied only (QTR-29)."""

from domain.effects import CardsMoved, DetailAnnounced, MarkSet, TurnPassed
from domain.table import fold
from tests.domain.games.quartett.positions import METALS, TRUMPF, Position, said, trumpf

# periods, low wins: A1 4, A2 4, A3 5, A4 6, B1 5, B2 6, B3 6, B4 5, C1 3, C2 3, C3 4, C4 2
TIED = {**METALS, "tie_break": "tied"}


def tied(*stacks: str, **more: object) -> Position:
    return trumpf(*stacks, options={**TIED, **more})


def test_all_is_the_default():  # QTR-2
    assert TRUMPF.bind(METALS, 2).setup.options["tie_break"] == "all"


def test_only_the_tied_go_on_and_the_cards_of_the_others_stay_in_the_middle():
    position = tied("A1 C1 C2 C3 C4", "A4 B1 B2 B3 B4", "A2 A3 B1 B2 B3")
    effects = position.play("announce", category="period")
    assert effects[-6:] == (
        DetailAnnounced(None, "tied", (0, 2)),
        CardsMoved(("A1", "A4", "A2"), "round", "middle"),
        MarkSet("seats", (0, 1, 2), "middle"),
        MarkSet("trick", (0, 2)),
        MarkSet("left", (1,)),
        TurnPassed("announce", 0, (0,)),
    )
    view = position.view()
    assert (view["trick_seats"], view["announcer"], [lying["card"] for lying in view["middle"]]) == ([0, 2], 0, ["A1", "A4", "A2"])


def test_who_left_is_not_asked_for_a_card_and_the_winner_takes_his_from_the_middle():
    position = tied("A1 C1 C2 C3 C4", "A4 B1 B2 B3 B4", "A2 A3 B1 B2 B3")
    position.play("announce", category="period")
    effects = position.play("announce", category="period")
    assert said(effects) == [(0, "shown", 3), (2, "shown", 5), (0, "won", 5)]
    assert position.stacks() == ["C2 C3 C4 A1 A4 A2 C1 A3", "B1 B2 B3 B4", "B1 B2 B3"]
    assert (position.view()["trick_seats"], "left" in position.table.marks) == ([0, 1, 2], False)


def test_where_the_announcer_was_not_tied_the_first_to_his_left_that_was_announces():
    position = tied("A4 C1 C2 C3 C4", "B2 B1 B2 B3 B4", "A2 A3 B1 B2 B3", "A1 B1 B2 B3 B4")
    effects = position.play("announce", category="period")
    assert effects[-4:] == (
        MarkSet("trick", (2, 3)),
        MarkSet("left", (0, 1)),
        DetailAnnounced(2, "announcer"),
        TurnPassed("announce", 2, (2,)),
    )
    assert (position.view()["announcer"], position.table.turn) == (2, 2)


def test_who_was_tied_and_has_no_card_draws_from_the_announcer():  # QTR-18
    position = tied("A1 C1 C2 C3 C4", "A4", "A2")
    position.play("announce", category="period")
    assert (position.table.phase, position.table.turn) == ("draw", 2)
    position.play("draw", position=1)
    assert (position.table.phase, position.table.turn, position.stacks()) == ("announce", 0, ["C1 C3 C4", "", "C2"])


def test_an_announcer_who_was_tied_and_has_no_card_hands_over_among_the_tied():  # QTR-20
    position = tied("A1", "A4 C1 C2 C3", "A2 B1 B2 B3")
    position.play("announce", category="period")
    assert (position.view()["trick_seats"], position.table.phase, position.table.turn) == ([2, 0], "draw", 0)


def test_the_announcer_keeps_his_last_card_and_takes_the_middle_if_the_other_tied_seat_sits_out():  # QTR-21
    position = tied("A1 C1", "A2", "A4 B1 B2 B3")
    effects = position.play("announce", category="period", card="A1")
    assert said(effects)[-3:] == [(1, "sat_out", None), (0, "won", 3), (1, "eliminated", 3)]
    assert (position.stacks(), position.view()["rounds"]) == (["C1 A1 A2 A4", "", "B1 B2 B3"], 1)


def test_who_left_without_a_card_is_eliminated_when_the_trick_has_been_won():  # QTR-22
    position = tied("A1 C1 C2 C3 C4", "A4", "A2 A3 B1 B2 B3")
    position.play("announce", category="period")
    assert position.view()["places"] == [None, None, None]
    effects = position.play("announce", category="period")
    assert said(effects)[-1] == (1, "eliminated", 3)


def test_if_no_tied_seat_has_a_card_all_of_the_trick_go_on():
    position = tied("A4 C1 C2 C3", "A1", "A2")
    effects = position.play("announce", category="period")
    assert effects[-3:] == (
        CardsMoved(("A4", "A1", "A2"), "round", "middle"),
        MarkSet("seats", (0, 1, 2), "middle"),
        TurnPassed("draw", 1, (1,)),
    )
    assert position.view()["trick_seats"] == [0, 1, 2]


def test_so_do_those_that_had_left_it():
    position = trumpf("B2 B3 C4 C1", "A1", "A2", "A4 A3 B4 C2", options=TIED, trick=(3, 1, 2), turn=3, middle={"C3": 3, "B1": 0})
    position.table = fold(position.table, [MarkSet("left", (0,))])
    position.play("announce", category="period")
    assert (position.view()["trick_seats"], "left" in position.table.marks) == ([3, 0, 1, 2], False)
    assert (position.table.phase, position.table.turn) == ("draw", 1)


def test_not_those_that_sat_out_and_if_nobody_else_has_a_card_the_number_of_cards_decides():  # QTR-27
    position = trumpf("A1", "A2", "", options=TIED, trick=(0, 1), middle={"B1": 0, "B2": 1, "B3": 2})
    effects = position.play("announce", category="period")
    assert said(effects)[-2:] == [(None, "tied", (0, 1)), (None, "stopped", "no_cards")]
    assert (position.stacks(), position.view()["places"]) == (["B1 A1", "B2 A2", "B3"], [1, 1, 3])


def test_a_later_tie_is_looked_at_anew():
    position = tied("A1 C1 B1 B2 B3", "A2 B4 C2 C3 C4", "C3 C2 B1 B2 B3")
    position.play("announce", category="period")
    assert position.view()["trick_seats"] == [0, 1, 2]
    position.play("announce", category="period")
    assert (position.view()["trick_seats"], position.table.marks["left"]) == ([0, 2], (1,))


def test_with_the_limit_of_rounds_nobody_leaves_the_trick():  # QTR-25
    position = tied("A1 C1 C2 C3 C4", "A4 B1 B2 B3 B4", "A2 A3 B1 B2 B3", round_limit=1)
    position.play("announce", category="period")
    assert (position.view()["phase"], "left" in position.table.marks) == ("game_over", False)


def test_a_stopped_hand_leaves_no_mark_of_who_had_left():  # QTR-25
    position = tied("A1 C1 C2 C3 C4", "A4 B1 B2 B3 B4", "A2 C2 B1 B2 B3", round_limit=2)
    position.play("announce", category="period")
    position.play("announce", category="period")
    assert (position.view()["phase"], "left" in position.table.marks) == ("game_over", False)
