"""Classic Quartett: questions, quartets, and the end of a hand."""

from domain.effects import CardsMoved, DetailAnnounced, GameClosed, HandClosed, MarkSet, Scored, TurnPassed
from domain.score import sheet
from domain.table import fold
from tests.domain.games.positions import moved
from tests.domain.games.quartett.positions import METALS, classic, said
from tests.each import each


def test_a_card_that_is_held_is_handed_over_and_the_asker_goes_on():  # QKL-9, QKL-10
    position = classic("A1 B1", "A2 B2", "A3 B3")
    assert position.play("ask", target=1, card="A2") == (
        MarkSet("asks", 1),
        DetailAnnounced(0, "asked", {"target": 1, "card": "A2"}),
        DetailAnnounced(1, "gave", "A2"),
        CardsMoved(("A2",), "hand:1", "hand:0", shown=True),
        TurnPassed("ask", 0, (0,)),
    )
    assert position.view()["hands"] == [["A1", "A2", "B1"], ["B2"], ["A3", "B3"]]


def test_who_does_not_hold_the_card_asks_next():  # QKL-11
    position = classic("A1 B1", "A2 B2", "A3 B3")
    assert position.play("ask", target=2, card="A2") == (
        MarkSet("asks", 1),
        DetailAnnounced(0, "asked", {"target": 2, "card": "A2"}),
        DetailAnnounced(2, "refused", "A2"),
        TurnPassed("ask", 2, (2,)),
    )


def test_any_other_seat_may_be_asked_one_after_the_other():  # QKL-6, QKL-10
    position = classic("A1 B1", "A2 B2", "A3 B3")
    position.play("ask", target=2, card="A3")
    position.play("ask", target=1, card="A2")
    position.play("ask", target=2, card="B3")
    assert (position.table.turn, position.view()["asks"], position.view()["hands"][0]) == (0, 3, ["A1", "A2", "A3", "B1", "B3"])


def test_a_card_may_be_called_by_its_name_and_the_history_keeps_the_id():  # QKL-7
    by_name = classic("A1 B1", "A3 B2", "A2 B3").play("ask", target=1, card="Tin")
    assert by_name == classic("A1 B1", "A3 B2", "A2 B3").play("ask", target=1, card="A3")


@each("target", [0, 3, -1, 2**62])
def test_a_seat_that_cannot_be_asked(target: int):  # QKL-6
    assert classic("A1 B1", "A2 B2", "A3 B3").refusal("ask", target=target, card="A2") == ("bad_target", ("QKL-6",))


def test_a_seat_without_cards_is_not_asked():  # QKL-6, QKL-13
    assert classic("A1 B1", "", "A3 B3").refusal("ask", target=1, card="A2") == ("target_out", ("QKL-6", "QKL-13"))


def test_nobody_asks_for_a_card_that_he_holds():  # QKL-8
    assert classic("A1 B1", "A2 B2", "A3 B3").refusal("ask", target=1, card="A1") == ("card_already_held", ("QKL-8",))


@each("card", ["C1", "Aluminium"])
def test_nobody_asks_for_a_card_of_a_quartet_of_which_he_holds_none(card: str):  # QKL-8
    assert classic("A1 B1", "C1 B2", "A3 B3").refusal("ask", target=1, card=card) == ("group_not_held", ("QKL-8",))


def test_a_quartet_on_the_table_is_no_card_in_the_hand():  # QKL-8
    assert classic("B1", "B2", "B3", laid=("A", "", "")).refusal("ask", target=1, card="A1") == ("group_not_held", ("QKL-8",))


def test_the_checks_of_a_question_in_their_order():  # QKL-6, QKL-8
    position = classic("A1 B1", "", "A3 B3")
    assert [position.refusal("ask", target=target, card=card)[0] for target, card in ((0, "A1"), (1, "A1"), (2, "A1"), (2, "C1"))] == [
        "bad_target",
        "target_out",
        "card_already_held",
        "group_not_held",
    ]


def test_a_whole_quartet_is_laid_down_at_once():  # QKL-12
    position = classic("A1 A2 A3 B1", "A4 B2", "B3 B4")
    assert position.play("ask", target=1, card="A4") == (
        MarkSet("asks", 1),
        DetailAnnounced(0, "asked", {"target": 1, "card": "A4"}),
        DetailAnnounced(1, "gave", "A4"),
        CardsMoved(("A4",), "hand:1", "hand:0", shown=True),
        CardsMoved(("A1", "A2", "A3", "A4"), "hand:0", "laid:0", shown=True),
        DetailAnnounced(0, "quartet", "A"),
        TurnPassed("ask", 0, (0,)),
    )
    assert position.view()["quartets"] == [["A"], [], []]


def test_quartets_are_listed_in_the_order_laid_down():  # QKL-12
    position = classic("B1 B2 B3 A1 A2 A3 C1", "A4 C2", "B4 C3", "C4")
    position.play("ask", target=2, card="B4")
    position.play("ask", target=1, card="A4")
    assert position.view()["quartets"] == [["B", "A"], [], [], []]


def test_a_seat_that_gave_its_last_card_is_out_and_the_asker_goes_on():  # QKL-13, QKL-14
    position = classic("A1 B1", "A2", "A3 B3")
    effects = position.play("ask", target=1, card="A2")
    assert effects[-2:] == (DetailAnnounced(1, "out"), TurnPassed("ask", 0, (0,)))
    assert position.view()["active"] == [True, False, True]


def test_an_asker_without_cards_is_out_and_the_seat_to_its_left_asks():  # QKL-13
    position = classic("A1 A2 A3", "A4 B1", "B2 B3 B4")
    effects = position.play("ask", target=1, card="A4")
    assert effects[-2:] == (DetailAnnounced(0, "out"), TurnPassed("ask", 1, (1,)))


def test_if_both_run_out_of_cards_it_goes_on_to_the_left_of_the_asker():  # QKL-13, QKL-14
    position = classic("B1 B2", "A1 A2 A3", "A4", "B3 B4", turn=1)
    effects = position.play("ask", target=2, card="A4")
    assert effects[-3:] == (DetailAnnounced(2, "out"), DetailAnnounced(1, "out"), TurnPassed("ask", 3, (3,)))


def test_seats_that_are_out_are_passed_over():  # QKL-13
    position = classic("A1 A2 A3", "", "A4", "B1 B2", "B3 B4")
    position.play("ask", target=2, card="A4")
    assert position.table.turn == 3


def test_the_hand_ends_when_all_quartets_are_laid_down():  # QKL-15, QKL-16
    position = classic("A1 A2 A3", "A4", "", laid=("", "B", "C"))
    assert position.play("ask", target=1, card="A4")[-5:] == (
        DetailAnnounced(1, "out"),
        DetailAnnounced(0, "out"),
        Scored("quartets", (1, 1, 1)),
        HandClosed("complete", {"places": (1, 1, 1)}),
        GameClosed((1, 1, 1), {}),
    )


def test_the_most_quartets_win_and_equal_numbers_share_the_place():  # QKL-16
    position = classic("A1 A2 A3", "A4", "", laid=("B", "C", ""))
    position.play("ask", target=1, card="A4")
    hand = sheet(position.table.setup, position.table.score).hands[0]
    assert (hand.end, hand.rows, hand.facts) == ("complete", {"quartets": (2, 1, 0)}, {"places": (1, 2, 3)})


def test_the_limit_ends_the_hand_after_so_many_questions():  # QKL-17
    position = classic("A1 B1", "A2 B2", "A3 B3", options={**METALS, "ask_limit": 3}, asks=1, laid=("", "C", ""))
    position.play("ask", target=1, card="A2")
    assert position.table.phase == "ask"
    assert position.play("ask", target=1, card="A3")[-4:] == (
        DetailAnnounced(1, "refused", "A3"),
        Scored("quartets", (0, 1, 0)),
        HandClosed("ask_limit", {"places": (2, 1, 2)}),
        GameClosed((2, 1, 2), {}),
    )


def test_a_refused_question_does_not_count():  # QKL-17
    position = classic("A1 B1", "A2 B2", "A3 B3", options={**METALS, "ask_limit": 1})
    position.refusal("ask", target=1, card="A1")
    assert position.view()["asks"] == 0


def test_all_laid_down_is_the_reason_also_at_the_limit():  # QKL-15, QKL-17
    position = classic("A1 A2 A3", "A4", "", options={**METALS, "ask_limit": 1})
    assert HandClosed("complete", {"places": (1, 2, 2)}) in position.play("ask", target=1, card="A4")


def test_a_hand_of_a_longer_game_is_followed_by_another():  # QTR-28
    position = classic("A1 A2 A3", "A4", "", laid=("", "B", "C"), options={**METALS, "deals": 2})
    position.play("ask", target=1, card="A4")
    assert (position.table.phase, position.view()["totals"], position.view()["winners"]) == ("hand_over", [1, 1, 1], None)
    position.table = fold(position.table, position.rulebook.deal(position.table, 0, position.rulebook.deck))
    assert (position.view()["hand"], position.view()["quartets"], position.view()["asks"]) == (2, [[], [], []], 0)


def test_a_question_says_where_the_card_goes_and_names_it_by_its_id():  # COM-50, QKL-7
    effects = classic("A1 B1", "A3 B2", "A2 B3").play("ask", target=1, card="Tin")
    assert moved(effects) == [("A3", "hand:1", "hand:0")]
    assert said(effects) == [(0, "asked", {"target": 1, "card": "A3"}), (1, "gave", "A3")]
