"""The Trumpfspiel: tie breaks, drawing, sitting out."""

from domain.effects import CardsMoved, DetailAnnounced, MarkSet, SightSet, TurnPassed
from tests.domain.games.positions import moved
from tests.domain.games.quartett.positions import Position, said, trumpf
from tests.each import each

# periods: A1 4, A2 4, A3 5, A4 6, B1 5, B2 6, B3 6, B4 5, C1 3, C2 3, C3 4, C4 2


def test_a_tied_round_goes_to_the_middle_and_the_announcer_goes_on():  # QTR-14, QTR-15
    position = trumpf("A1 C1 C2 C3 C4", "A2 B1 B2 B3 B4")
    assert position.play("announce", category="period") == (
        MarkSet("category", "period"),
        CardsMoved(("A1",), "hand:0", "round", shown=True),
        DetailAnnounced(0, "shown", 4),
        CardsMoved(("A2",), "hand:1", "round", shown=True),
        DetailAnnounced(1, "shown", 4),
        MarkSet("rounds", 1),
        MarkSet("category", None),
        DetailAnnounced(None, "tied", (0, 1)),
        CardsMoved(("A1", "A2"), "round", "middle"),
        MarkSet("seats", (0, 1), "middle"),
        TurnPassed("announce", 0, (0,)),
    )


def test_the_winner_of_the_tie_break_gets_the_middle_first_shown_first():  # QTR-12, QTR-16
    position = trumpf("A1 C1 C2 C3", "A2 B1 B2 B3")
    position.play("announce", category="period")
    effects = position.play("announce", category="period", card="C2")
    assert position.table.phase == "reply"
    effects += position.play("reply", card="B2")
    assert moved(effects)[-2:] == [("A2 A1", "middle", "hand:0"), ("B2 C2", "round", "hand:0")]
    assert position.stacks() == ["C1 C3 A1 A2 C2 B2", "B1 B3"]
    assert position.view()["middle"] == []


def test_a_seat_that_was_not_tied_takes_part_and_may_win():  # QTR-16
    position = trumpf("A1 C1 C2 C3 C4", "A2 A3 B1 B2 B3", "A4 B4 B4 B4 B4")
    position.play("announce", category="period")
    position.play("announce", category="density")
    assert (position.table.turn, position.view()["trick_seats"], position.view()["tricks"]) == (2, [2, 0, 1], [0, 0, 1])


def test_a_tie_may_follow_upon_a_tie():  # QTR-16
    position = trumpf("A1 C1 B1 B2 C4", "A2 C2 A3 A4 B3")
    position.play("announce", category="period")
    position.play("announce", category="period")
    assert position.view()["middle"] == [
        {"seat": 0, "card": "A1"},
        {"seat": 1, "card": "A2"},
        {"seat": 0, "card": "C1"},
        {"seat": 1, "card": "C2"},
    ]
    assert (position.view()["rounds"], position.view()["tiebreak"]) == (2, True)


def test_who_has_three_cards_after_the_tie_may_choose_in_the_tie_break():  # QTR-17
    position = trumpf("A1 C1 C2 C3", "A2 B1 B2 B3")
    position.play("announce", category="period")
    assert {move["card"] for move in position.legal()} == {"C1", "C2", "C3"}


# The last card


def emptied() -> Position:
    """Section 3.6 of the specification with a deck of metals: seat 1 has nothing left after a tie."""
    position = trumpf("A1 C1 C2 C3 B1", "A2", "A4 B2 B3 B4")
    position.play("announce", category="period")
    return position


def test_a_seat_that_showed_its_last_card_draws_from_the_announcer():  # QTR-18
    position = emptied()
    assert (position.table.phase, position.table.turn, position.table.to_act) == ("draw", 1, (1,))
    assert position.legal() == [{"type": "draw", "position": position_} for position_ in range(4)]


def test_the_card_is_drawn_by_its_place():  # QTR-19
    position = emptied()
    assert position.play("draw", position=2) == (
        DetailAnnounced(1, "drawn", {"from": 0, "position": 2}),
        CardsMoved(("C3",), "hand:0", "hand:1"),
        SightSet("hand:0", "owner"),
        TurnPassed("announce", 0, (0,)),
    )
    assert position.stacks() == ["C1 C2 B1", "C3", "B2 B3 B4"]


def test_the_worked_sequence_of_a_tie():  # section 3.6
    position = emptied()
    position.play("draw", position=0)
    position.play("announce", category="density", card="B1")
    position.play("reply", card="B3")
    assert position.stacks() == ["C2 C3", "", "B2 B4 A1 A2 A4 B1 C1 B3"]
    assert position.view()["places"] == [None, 3, None]


@each("place", [-1, 4, 2**62])
def test_a_place_where_no_card_lies(place: int):  # QTR-18, QTR-19
    assert emptied().refusal("draw", position=place) == ("bad_position", ("QTR-18", "QTR-19"))


def test_seats_draw_one_after_the_other_from_the_announcer_on():  # QTR-18
    position = trumpf("A2", "A1 C1 C2 C4", "A4", turn=1)
    position.play("announce", category="period")
    assert (position.table.phase, position.table.turn) == ("draw", 2)
    position.play("draw", position=0)
    assert (position.table.phase, position.table.turn) == ("draw", 0)
    position.play("draw", position=1)
    assert (position.table.phase, position.table.turn, position.stacks()) == ("announce", 1, ["C4", "C2", "C1"])


def test_an_announcer_without_a_card_hands_over_and_draws_like_everybody_else():  # QTR-20
    position = trumpf("A1", "A2 C1 C2", "A4 B2 B3 B4")
    position.play("announce", category="period")
    effects = position.play("reply", card="A2")
    assert effects[-3:] == (MarkSet("trick", (1, 2, 0)), DetailAnnounced(1, "announcer"), TurnPassed("draw", 0, (0,)))
    position.play("draw", position=1)
    assert (position.table.phase, position.table.turn, position.stacks()) == ("announce", 1, ["C2", "C1", "B2 B3 B4"])


def test_the_announcer_keeps_his_last_card_and_the_others_sit_out():  # QTR-21
    position = trumpf("A1 C1", "A2", "A4", "B2 B3 B4 C4")
    effects = position.play("announce", category="period")
    assert said(effects)[-3:] == [(None, "tied", (0, 1)), (1, "sat_out", None), (2, "sat_out", None)]
    assert (position.table.phase, position.table.turn, position.view()["trick_seats"]) == ("announce", 0, [0, 3])


def test_one_may_draw_and_the_next_one_sits_out():  # QTR-18, QTR-21
    position = trumpf("A1 C1 C3", "A2", "A4", "B2 B3 B4 C4")
    position.play("announce", category="period", card="A1")
    effects = position.play("draw", position=1)
    assert effects[-3:] == (DetailAnnounced(2, "sat_out"), MarkSet("trick", (0, 1, 3)), TurnPassed("announce", 0, (0,)))


def test_an_announcer_who_is_left_alone_takes_the_middle_without_a_round():  # QTR-21, QTR-22
    position = trumpf("A1 C1", "A2", "A4")
    position.play("announce", category="period")
    assert position.stacks() == ["C1 A1 A2 A4", "", ""]
    view = position.view()
    assert (view["phase"], view["rounds"], view["tricks"], view["places"]) == ("game_over", 1, [1, 0, 0], [1, 2, 2])


def test_who_sat_out_is_eliminated_when_the_trick_is_won():  # QTR-21, QTR-22
    position = trumpf("A1 C1", "A2", "A4", "B2 B3 B4 C4")
    position.play("announce", category="period")
    effects = position.play("announce", category="density") + position.play("reply", card="B3")
    assert said(effects)[-3:] == [(0, "eliminated", 2), (1, "eliminated", 2), (2, "eliminated", 2)]
    assert position.view()["places"] == [2, 2, 2, 1]
