"""The Trumpfspiel: announcing, replying, and winning a trick."""

from domain.effects import CardsMoved, DetailAnnounced, MarkSet, SightSet, TurnPassed
from tests.domain.games.positions import moved
from tests.domain.games.quartett.positions import said, trumpf
from tests.each import each

# densities: A1 7.87, A2 8.96, A3 7.31, A4 11.34, B1 10.49, B2 19.32, B3 21.45, B4 12.02, C1 2.7, C2 1.74, C3 4.51, C4 1.85
# periods:   A1 4, A2 4, A3 5, A4 6, B1 5, B2 6, B3 6, B4 5, C1 3, C2 3, C3 4, C4 2
FIVE = ("A1 A2 A3 A4 C1", "B1 B2 B3 B4 C2")


def test_with_many_cards_a_round_takes_one_move():  # QTR-8 to QTR-13
    position = trumpf(*FIVE)
    assert position.play("announce", category="density") == (
        MarkSet("category", "density"),
        CardsMoved(("A1",), "hand:0", "round", shown=True),
        DetailAnnounced(0, "shown", 7.87),
        CardsMoved(("B1",), "hand:1", "round", shown=True),
        DetailAnnounced(1, "shown", 10.49),
        MarkSet("rounds", 1),
        MarkSet("category", None),
        CardsMoved(("B1", "A1"), "round", "hand:1", under=True),
        DetailAnnounced(1, "won", 2),
        MarkSet("tricks", (0, 1)),
        MarkSet("trick", (1, 0)),
        TurnPassed("announce", 1, (1,)),
    )
    assert position.stacks() == ["A2 A3 A4 C1", "B2 B3 B4 C2 A1 B1"]


def test_the_lowest_value_wins_in_a_low_category():  # QTR-10, QDK-4
    position = trumpf("C4 A1 A2 A3", "B1 B2 B3 B4")
    position.play("announce", category="period")
    assert position.stacks() == ["A1 A2 A3 C4 B1", "B2 B3 B4"]


def test_cards_go_under_the_stack_in_the_order_shown():  # QTR-12
    position = trumpf("A1 A2 A3 A4", "C1 C2 C3 C4", "B1 B2 B3 B4", turn=1)
    position.play("announce", category="density")
    assert position.stacks()[2] == "B2 B3 B4 C1 B1 A1"


def test_any_category_may_be_named_also_the_same_again():  # QTR-9
    position = trumpf("B3 A2 A3 A4", "C1 C2 C3 C4 B1")
    position.play("announce", category="density")
    position.play("announce", category="density")
    assert position.table.marks["rounds"] == 2


def test_the_top_card_may_be_named():  # QTR-9
    assert trumpf(*FIVE).play("announce", category="density", card="A1") == trumpf(*FIVE).play("announce", category="density")


def test_without_a_card_the_top_one_is_shown_also_by_a_seat_that_could_choose():  # QTR-9
    assert moved(trumpf("A1 A2 A3", "C1 C2 C3 C4").play("announce", category="density"))[0] == ("A1", "hand:0", "round")


@each("card", ["A1", "A2", "A3"])
def test_with_three_cards_the_announcer_may_choose(card: str):  # QTR-9, QTR-17
    assert moved(trumpf("A1 A2 A3", "C1 C2 C3 C4").play("announce", category="density", card=card))[0] == (card, "hand:0", "round")


def test_with_more_than_three_cards_nobody_may_choose():  # QTR-9, QTR-17
    assert trumpf(*FIVE).refusal("announce", category="density", card="A2") == ("choice_not_allowed", ("QTR-9", "QTR-17"))


@each("card", ["A2", "B1", "C1"])
def test_with_more_than_three_cards_no_refusal_tells_where_a_card_lies(card: str):  # QTR-7
    assert trumpf(*FIVE).refusal("announce", category="density", card=card) == ("choice_not_allowed", ("QTR-9", "QTR-17"))


def test_a_card_that_the_announcer_does_not_hold():  # QTR-9
    assert trumpf("A1 A2 A3", "C1 C2 C3 C4").refusal("announce", category="density", card="B1") == ("card_not_in_hand", ("QTR-9",))


def test_a_category_that_the_deck_does_not_have():  # QTR-8, QTR-9
    assert trumpf(*FIVE).refusal("announce", category="Density") == ("unknown_category", ("QTR-8", "QTR-9"))


def test_the_checks_of_an_announcement_in_their_order():  # QTR-7
    position = trumpf(*FIVE)
    assert position.refusal("announce", category="colour", card="B1")[0] == "unknown_category"
    assert position.refusal("reply", card="B1")[0] == "wrong_phase"


@each(("phase", "wrong"), [("announce", ("reply", "draw")), ("reply", ("announce", "draw")), ("draw", ("announce", "reply"))])
def test_a_move_that_the_phase_does_not_ask_for(phase: str, wrong: tuple[str, ...]):  # COM-26, QTR-7
    fields: dict[str, dict[str, object]] = {"announce": {"category": "density"}, "reply": {"card": "A1"}, "draw": {"position": 0}}
    position = trumpf("A1 A2", "B1", phase=phase, category="density")
    assert [position.refusal(type_, **fields[type_]) for type_ in wrong] == [("wrong_phase", ("COM-26", "QTR-7"))] * 2


def test_a_seat_with_three_cards_is_asked_for_its_reply():  # QTR-11
    position = trumpf("A1 A2 A3 A4", "B1 B2 B3", "C1 C2 C3 C4")
    assert position.play("announce", category="density") == (
        MarkSet("category", "density"),
        CardsMoved(("A1",), "hand:0", "round", shown=True),
        DetailAnnounced(0, "shown", 7.87),
        SightSet("hand:0", "owner"),
        TurnPassed("reply", 1, (1,)),
    )
    assert position.play("reply", card="B2") == (
        CardsMoved(("B2",), "hand:1", "round", shown=True),
        DetailAnnounced(1, "shown", 19.32),
        CardsMoved(("C1",), "hand:2", "round", shown=True),
        DetailAnnounced(2, "shown", 2.7),
        SightSet("hand:2", "owner"),
        MarkSet("rounds", 1),
        MarkSet("category", None),
        CardsMoved(("C1", "B2", "A1"), "round", "hand:1", under=True),
        SightSet("hand:1", "owner-top"),
        DetailAnnounced(1, "won", 3),
        MarkSet("tricks", (0, 1, 0)),
        MarkSet("trick", (1, 2, 0)),
        TurnPassed("announce", 1, (1,)),
    )


def test_seats_reply_one_after_the_other():  # QTR-11
    position = trumpf("A1 A2 A3", "B1 B2", "C1 C2 C3", turn=2)
    position.play("announce", category="density", card="C3")
    assert (position.table.phase, position.table.turn) == ("reply", 0)
    position.play("reply", card="A3")
    assert (position.table.phase, position.table.turn) == ("reply", 1)
    position.play("reply", card="B2")
    assert (position.table.phase, position.table.turn, position.stacks()) == ("announce", 1, ["A1 A2", "B1 C3 A3 B2", "C1 C2"])


def test_a_seat_with_one_card_shows_it_without_a_move():  # QTR-11
    position = trumpf("A1 A2", "B1", "C1 C2 C3 C4")
    position.play("announce", category="density")
    assert position.table.phase == "announce"


@each("card", ["A1", "C1"])
def test_a_reply_with_a_card_that_the_seat_does_not_hold(card: str):  # QTR-11
    position = trumpf("A1 A2 A3 A4", "B1 B2 B3")
    position.play("announce", category="density")
    assert position.refusal("reply", card=card) == ("card_not_in_hand", ("QTR-11",))


def test_equal_values_below_the_best_are_no_tie():  # QTR-14
    position = trumpf("A1 A3 A4 B4", "A2 B1 B2 B3", "C4 C1 C2 C3")
    effects = position.play("announce", category="period")
    assert [what for _, what, _ in said(effects)] == ["shown", "shown", "shown", "won"]
    assert position.stacks()[2] == "C1 C2 C3 A1 A2 C4"
