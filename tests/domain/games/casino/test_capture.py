"""Trailing and taking cards."""

import pytest

from domain.effects import CardsMoved, DetailAnnounced, MarkSet, TurnPassed
from tests.domain.games.casino.positions import ROYAL, SWEEPS, Position, groups
from tests.domain.games.positions import moved
from tests.each import each

MALFORMED = ("malformed_move", ("COM-22", "CNO-80"))


# The form of a move


@each("move", [None, [], "trail", {}, {"type": 1}, {"type": None}, {"card": "5D"}])
def test_a_move_is_an_object_with_a_type(move: object):  # COM-20, CNO-80
    position = Position("5D")
    with pytest.raises(Exception, match="malformed_move") as refused:
        position.judge(move)
    assert refused.value.rules == ("COM-20", "CNO-80")  # pyrefly: ignore[missing-attribute]


@each("type_", ["draw", "Trail", "", "pass"])
def test_a_move_of_a_type_that_casino_does_not_know(type_: str):  # COM-21, CNO-80
    assert Position("5D").refusal(type_, card="5D") == ("unknown_move", ("COM-21", "CNO-80"))


@each(
    ("type_", "fields"),
    [
        ("trail", {}),
        ("trail", {"card": None}),
        ("trail", {"card": 5}),
        ("trail", {"card": "5X"}),
        ("trail", {"card": "?"}),
        ("trail", {"card": "5D", "value": 5}),
        ("capture", {"card": "5D", "groups": None}),
        ("capture", {"card": "5D", "groups": ["5H"]}),
        ("capture", {"card": "5D", "groups": [[]]}),
        ("capture", {"card": "5D", "groups": [["*1"]]}),
        ("capture", {"card": "5D", "builds": 1}),
        ("capture", {"card": "5D", "builds": [0]}),
        ("capture", {"card": "5D", "builds": [1.0]}),
        ("capture", {"card": "5D", "builds": [True]}),
        ("build", {"card": "5D", "value": 8}),
        ("build", {"card": "5D", "groups": [["5D", "3H"]]}),
        ("build", {"card": "5D", "value": 0, "groups": [["5D", "3H"]]}),
        ("build", {"card": "5D", "value": "8", "groups": [["5D", "3H"]]}),
        ("raise", {"card": "5D", "build": 1}),
        ("raise", {"card": "5D", "build": -1, "value": 8}),
        ("raise", {"card": "5D", "build": 1, "value": 8, "groups": None}),
        ("add", {"card": "5D", "build": 1}),
        ("add", {"card": "5D", "build": True, "groups": [["5D"]]}),
    ],
)
def test_fields_that_a_move_does_not_have_or_cannot_have(type_: str, fields: dict[str, object]):  # COM-22, COM-3, CNO-80
    assert Position("5D", board="5H 3H").refusal(type_, **fields) == MALFORMED


def test_the_form_is_judged_before_the_turn():  # COM-22, COM-25
    position = Position("5D")
    with pytest.raises(Exception, match="malformed_move"):
        position.judge({"type": "trail", "card": "5X"}, seat=1)


@each("type_", ["trail", "capture"])
def test_a_card_that_is_not_in_the_hand(type_: str):  # CNO-15, CNO-80
    assert Position("5D", "9H", board="9C").refusal(type_, card="9H") == ("card_not_in_hand", ("CNO-15", "CNO-80"))


@each(
    ("type_", "fields"),
    [
        ("build", {"value": 8, "groups": [["9H"]]}),
        ("raise", {"value": 8, "build": 7}),
        ("add", {"build": 7, "groups": [["9H"]]}),
    ],
)
def test_a_card_that_is_not_in_the_hand_cannot_be_built_with(type_: str, fields: dict[str, object]):  # CNO-15, CNO-80
    assert Position("5D", "9H").refusal(type_, card="9H", **fields) == ("card_not_in_hand", ("CNO-15", "CNO-80"))


# Trailing


def test_a_trailed_card_becomes_the_last_of_the_loose_cards():  # CNO-46
    position = Position("5D 9H", board="2S KH")
    assert position.play("trail", card="5D") == (
        CardsMoved(("5D",), "hand:0", "board", shown=True),
        TurnPassed("play", 1, (1,)),
    )
    assert position.view["table"] == ["2S", "KH", "5D"]


def test_a_card_that_could_take_something_may_be_trailed():  # CNO-26, CNO-46
    assert Position("5D 9H", board="5H").play("trail", card="5D")


def test_the_owner_of_a_build_must_not_trail():  # CNO-41
    position = Position("8D 9H", builds=[(8, 0, "5S 3S")])
    assert position.refusal("trail", card="9H") == ("must_not_trail", ("CNO-41",))


def test_others_may_trail_beside_a_build():  # CNO-41
    assert Position("8D 9H", builds=[(8, 1, "5S 3S")]).play("trail", card="9H")


# Taking cards


def test_a_number_takes_equal_cards_and_groups_that_add_up_to_it():  # CNO-21, CNO-23
    position = Position("6C 9H", board="KH 6S 3H 6H 3D 2S 2H 2D")
    assert position.play("capture", card="6C", groups=groups("6H", "3H 3D", "2S 2H 2D")) == (
        CardsMoved(("6H",), "board", "won:0"),
        CardsMoved(("3H", "3D"), "board", "won:0"),
        CardsMoved(("2S", "2H", "2D"), "board", "won:0"),
        CardsMoved(("6C",), "hand:0", "won:0", shown=True),
        DetailAnnounced(0, "captured", 6),
        MarkSet("last_capturer", 0),
        TurnPassed("play", 1, (1,)),
    )
    assert position.view["table"] == ["KH", "6S"]
    assert position.view["piles"] == [["6H", "3H", "3D", "2S", "2H", "2D", "6C"], []]


def test_a_build_is_taken_as_a_whole_with_loose_groups_of_its_value():  # CNO-27, CNO-28
    position = Position("9C 2H", board="5D 4C KH", builds=[(9, 1, "3H 6S, 9D")])
    position.play("capture", card="9C", groups=groups("5D 4C"), builds=[1])
    assert position.view["piles"][0] == ["5D", "4C", "3H", "6S", "9D", "9C"]
    assert (position.view["builds"], position.view["table"]) == ([], ["KH"])


def test_several_builds_are_taken_in_the_order_named():  # CNO-29
    position = Position("9C 2H", builds=[(9, 1, "3H 6S"), (9, 1, "5D 4C"), (9, 1, "7D 2C")])
    position.play("capture", card="9C", builds=[3, 1])
    assert position.view["piles"][0] == ["7D", "2C", "3H", "6S", "9C"]
    assert [build["id"] for build in position.view["builds"]] == [2]


def test_the_pile_belongs_to_the_party():  # CNO-21, CNO-62
    position = Position("", "9C", "", "2C", board="9D", seats=4, turn=1, options={"partners": True})
    position.play("capture", card="9C", groups=groups("9D"))
    assert position.view["piles"] == [[], ["9D", "9C"]]


def test_a_classic_picture_takes_one_of_its_rank():  # CNO-22
    position = Position("KS 9H", board="KH KD QS")
    assert position.play("capture", card="KS", groups=groups("KD"))[2] == DetailAnnounced(0, "captured", None)
    assert position.view["table"] == ["KH", "QS"]


def test_a_royal_picture_takes_pictures_and_sums_together():  # CNO-5
    position = Position("QS 9H", board="QH QD AS JS 9D 3D", options=ROYAL)
    position.play("capture", card="QS", groups=groups("QH", "QD", "AS JS", "9D 3D"))
    assert position.view["table"] == []


def test_a_royal_ace_takes_with_1_or_with_14():  # CNO-6
    low, high = (Position("AS 9H", board="AH KD AD 9C 5H", options=ROYAL) for _ in range(2))
    assert DetailAnnounced(0, "captured", 1) in low.play("capture", card="AS", groups=groups("AH", "AD"))
    assert DetailAnnounced(0, "captured", 14) in high.play("capture", card="AS", groups=groups("KD AH", "9C 5H", "AD"))


def test_an_ace_in_a_group_of_several_cards_counts_1():  # CNO-6
    position = Position("9S 2S", board="AH 8D", options=ROYAL)
    assert DetailAnnounced(0, "captured", 9) in position.play("capture", card="9S", groups=groups("AH 8D"))
    assert Position("AS 2S", board="AH 2D", options=ROYAL).refusal("capture", card="AS", groups=groups("AH 2D"))[0] == "wrong_sum"


def test_of_several_values_that_fit_the_smallest_is_recorded():  # section 13, effects
    position = Position("AS 9H", board="AH", options=ROYAL)
    assert DetailAnnounced(0, "captured", 1) in position.play("capture", card="AS", groups=groups("AH"))


def test_nobody_has_to_take_all():  # CNO-26
    position = Position("6C 9H", board="6S 6H 3H 3D")
    position.play("capture", card="6C", groups=groups("6H"))
    assert position.view["table"] == ["6S", "3H", "3D"]


# Refusals, in their order


def test_a_capture_of_nothing():  # CNO-21
    assert Position("6C 9H", board="6S").refusal("capture", card="6C") == ("nothing_captured", ("CNO-21",))
    assert Position("6C 9H", board="6S").refusal("capture", card="6C", groups=[], builds=[]) == ("nothing_captured", ("CNO-21",))


@each(
    "fields",
    [
        {"groups": groups("6S", "6S")},
        {"groups": groups("3S 3S")},
        {"groups": groups("JC JC")},
        {"builds": [1, 1]},
    ],
)
def test_a_card_or_a_build_named_twice(fields: dict[str, object]):  # CNO-24
    position = Position("6C 9H", board="6S 3S", builds=[(6, 1, "4D 2D")])
    assert position.refusal("capture", card="6C", **fields) == ("card_used_twice", ("CNO-24",))


@each("card", ["6D", "6C", "9H"])
def test_a_card_that_is_not_on_the_table(card: str):  # CNO-21
    position = Position("6C 9H", board="6S", builds=[(6, 1, "4D 2D")])
    assert position.refusal("capture", card="6C", groups=[["4D"], [card]]) == ("card_not_on_table", ("CNO-21",))


def test_a_card_that_lies_in_a_build():  # CNO-28
    position = Position("4C 9H", board="4S", builds=[(6, 1, "4D 2D")])
    assert position.refusal("capture", card="4C", groups=groups("4D"), builds=[7]) == ("card_in_build", ("CNO-28",))


def test_a_build_that_is_not_there():  # CNO-21
    position = Position("6C 6H", board="6S", builds=[(6, 1, "4D 2D")])
    position.play("capture", card="6C", builds=[1])
    position.play("trail", card="KC")
    assert position.refusal("capture", card="6H", builds=[1]) == ("no_such_build", ("CNO-21",))
    assert position.refusal("capture", card="6H", builds=[2]) == ("no_such_build", ("CNO-21",))


def test_a_classic_picture_takes_no_build():  # CNO-22
    position = Position("KS 9H", board="KH", builds=[(6, 1, "4D 2D")])
    assert position.refusal("capture", card="KS", groups=groups("KH"), builds=[1]) == ("build_value_mismatch", ("CNO-22",))


@each("named", [groups("KH", "KD"), groups("KH KD"), groups("KH", "5D")])
def test_a_classic_picture_takes_one_card_only(named: list[list[str]]):  # CNO-22
    assert Position("KS 9H", board="KH KD 5D").refusal("capture", card="KS", groups=named) == ("one_picture_only", ("CNO-22",))


@each("other", ["QH", "5D"])
def test_a_classic_picture_takes_its_own_rank_only(other: str):  # CNO-22
    assert Position("KS 9H", board="QH 5D").refusal("capture", card="KS", groups=[[other]]) == ("no_match", ("CNO-22",))


def test_a_classic_number_takes_no_picture():  # CNO-4
    position = Position("9S 2H", board="9H QH 5D")
    assert position.refusal("capture", card="9S", groups=groups("5D", "QH")) == ("picture_no_value", ("CNO-4",))


def test_a_build_of_another_value():  # CNO-28
    position = Position("9S 2H", board="2D 3D", builds=[(7, 1, "4D 3S")])
    assert position.refusal("capture", card="9S", groups=groups("3D"), builds=[1]) == ("build_value_mismatch", ("CNO-28",))


def test_a_build_and_a_loose_card_do_not_add_up():  # CNO-28
    position = Position("9S 2H", board="2D", builds=[(7, 1, "4D 3S")])
    assert position.refusal("capture", card="9S", groups=groups("2D"), builds=[1]) == ("build_value_mismatch", ("CNO-28",))


@each("named", [groups("8H"), groups("9H", "5D 3H"), groups("9H 9D")])
def test_a_group_that_makes_another_value(named: list[list[str]]):  # CNO-23
    assert Position("9S 2H", board="9H 9D 8H 5D 3H").refusal("capture", card="9S", groups=named) == ("wrong_sum", ("CNO-23",))


def test_a_royal_ace_is_not_1_and_14_at_once():  # CNO-25
    position = Position("AS 9H AC", board="2D QD", builds=[(1, 1, "AH, AD"), (14, 1, "TC 4C")], options=ROYAL)
    mixed = ("mixed_values", ("CNO-25",))
    assert position.refusal("capture", card="AS", builds=[1, 2]) == mixed
    assert position.refusal("capture", card="AS", groups=groups("2D QD"), builds=[1]) == mixed


def test_a_lone_ace_goes_along_with_14():  # CNO-6
    position = Position("AS 9H", board="AD 2D QD", builds=[(14, 1, "KD AH")], options=ROYAL)
    assert DetailAnnounced(0, "captured", 14) in position.play("capture", card="AS", groups=groups("AD", "2D QD"), builds=[1])


def test_a_capture_must_not_use_up_the_card_for_an_own_build():  # CNO-42
    position = Position("8D 9H", board="8H", builds=[(8, 0, "5S 3S")])
    assert position.refusal("capture", card="8D", groups=groups("8H")) == ("build_uncovered", ("CNO-42", "CNO-43"))
    assert position.play("capture", card="8D", groups=groups("8H"), builds=[1])


def test_builds_of_the_same_value_share_a_card():  # CNO-43
    position = Position("8D 9H", board="9C", builds=[(8, 0, "5S 3S"), (8, 0, "6S 2S")])
    assert position.play("capture", card="9H", groups=groups("9C"))


def test_one_royal_ace_does_not_stand_for_builds_of_1_and_14():  # CNO-43
    position = Position("AS AC", board="9H 5H", builds=[(1, 0, "AH, AD"), (14, 0, "TD 4D")], options=ROYAL)
    assert position.refusal("capture", card="AS", groups=groups("9H 5H")) == ("build_uncovered", ("CNO-42", "CNO-43"))
    assert position.play("capture", card="AS", builds=[2])


def test_a_picture_may_be_used_while_the_own_build_stays_covered():  # CNO-41
    assert Position("KS 8H", board="KH", builds=[(8, 0, "5S 3S")]).play("capture", card="KS", groups=groups("KH"))


# Sweeps


def test_taking_everything_is_a_sweep():  # CNO-52
    position = Position("8D 9H", board="8H", builds=[(8, 1, "5S 3S")], options=SWEEPS)
    assert position.play("capture", card="8D", groups=groups("8H"), builds=[1]) == (
        CardsMoved(("8H",), "board", "won:0"),
        CardsMoved(("5S", "3S"), "build:1:0", "won:0"),
        CardsMoved(("8D",), "hand:0", "won:0", shown=True),
        DetailAnnounced(0, "captured", 8),
        MarkSet("last_capturer", 0),
        DetailAnnounced(0, "swept", "8D"),
        MarkSet("sweeps", ("8D",), "won:0"),
        TurnPassed("play", 1, (1,)),
    )
    assert (position.view["sweeps"], position.view["sweep_cards"]) == ([1, 0], [["8D"], []])


def test_sweeps_of_opponents_do_not_cancel():  # CNO-52
    position = Position("8D 9H", "7S 7D KC", board="8H", options=SWEEPS)
    position.play("capture", card="8D", groups=groups("8H"))
    position.play("trail", card="KC")
    position.play("trail", card="9H")
    assert position.view["sweeps"] == [1, 0]


@each(("board", "builds"), [("8H 2D", []), ("8H", [(5, 1, "3S 2S")])])
def test_a_capture_that_leaves_something_is_no_sweep(board: str, builds: list[tuple[int, int, str]]):  # CNO-52
    position = Position("8D 9H", board=board, builds=builds, options=SWEEPS)
    position.play("capture", card="8D", groups=groups("8H"))
    assert position.view["sweeps"] == [0, 0]


def test_without_the_option_no_sweep_is_recorded():  # CNO-52
    position = Position("8D 9H", board="8H")
    effects = position.play("capture", card="8D", groups=groups("8H"))
    assert position.view["sweep_cards"] == [[], []]
    assert len(moved(effects)) == 2
