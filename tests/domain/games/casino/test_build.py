"""Building, raising, adding, and the duty of whoever owns a build."""

from domain.effects import CardsMoved, DetailAnnounced, MarkSet, TurnPassed, ZoneAdded
from tests.domain.games.casino.positions import PARTNERS, ROYAL, Position, groups
from tests.each import each


def build_of(position: Position, number: int = 1) -> dict[str, object]:
    """A build as the view shows it, without its number."""
    found = next(build for build in position.view["builds"] if build["id"] == number)
    return {key: value for key, value in found.items() if key != "id"}


# New builds


def test_a_card_and_loose_cards_become_a_single_build():  # CNO-30, CNO-40
    position = Position("3H 8C", board="KH 5D 2S")
    assert position.play("build", card="3H", value=8, groups=groups("5D 3H")) == (
        ZoneAdded("build:1:0", "all", None),
        CardsMoved(("5D",), "board", "build:1:0"),
        CardsMoved(("3H",), "hand:0", "build:1:0", shown=True),
        MarkSet("value", 8, "build:1:0"),
        MarkSet("owner", 0, "build:1:0"),
        DetailAnnounced(0, "built", {"build": 1, "value": 8, "kind": "single"}),
        TurnPassed("play", 1, (1,)),
    )
    assert build_of(position) == {"value": 8, "kind": "single", "owner": 0, "groups": [["5D", "3H"]]}
    assert position.view["table"] == ["KH", "2S"]


def test_several_groups_become_a_multiple_build_in_one_move():  # CNO-31
    position = Position("8S 8C", board="AH 7D 4C 4D 5H 3D")
    position.play("build", card="8S", value=8, groups=groups("AH 7D", "8S", "4C 4D", "5H 3D"))
    assert build_of(position) == {"value": 8, "kind": "multiple", "owner": 0, "groups": groups("AH 7D", "8S", "4C 4D", "5H 3D")}


def test_the_card_played_may_stand_in_the_middle_of_its_group():  # section 13
    position = Position("2H 9C", board="3D 4C")
    position.play("build", card="2H", value=9, groups=groups("3D 2H 4C"))
    assert build_of(position)["groups"] == groups("3D 2H 4C")


def test_builds_of_the_same_value_may_lie_side_by_side():  # CNO-33
    position = Position("3H 8C", board="5D", builds=[(8, 1, "6S 2S")])
    position.play("build", card="3H", value=8, groups=groups("3H 5D"))
    assert [build["id"] for build in position.view["builds"]] == [1, 2]


def test_a_number_of_a_build_is_not_used_again():  # section 13
    position = Position("8D 3H 8C", board="5D", builds=[(8, 1, "6S 2S")])
    position.play("capture", card="8D", builds=[1])
    position.play("trail", card="KC")
    assert position.play("build", card="3H", value=8, groups=groups("3H 5D"))[0] == ZoneAdded("build:2:0", "all", None)


def test_a_royal_build_of_14_may_be_made_of_aces():  # CNO-6
    position = Position("AS AC", board="AH KD AD", options=ROYAL)
    position.play("build", card="AS", value=14, groups=groups("AS", "AH", "KD AD"))
    assert build_of(position)["kind"] == "multiple"


def test_a_royal_ace_may_be_built_as_1_too():  # CNO-6
    assert Position("AS AC", board="AH", options=ROYAL).play("build", card="AS", value=1, groups=groups("AS", "AH"))


def test_a_royal_picture_may_be_built_with():  # CNO-5
    assert Position("JS KC", board="2H", options=ROYAL).play("build", card="JS", value=13, groups=groups("JS 2H"))


# Raising


def test_a_hand_card_raises_a_single_build():  # CNO-35, CNO-37, CNO-40
    position = Position("3H 8C", builds=[(5, 1, "2S 3S")])
    assert position.play("raise", card="3H", build=1, value=8) == (
        CardsMoved(("3H",), "hand:0", "build:1:0", shown=True),
        MarkSet("value", 8, "build:1:0"),
        MarkSet("owner", 0, "build:1:0"),
        DetailAnnounced(0, "raised", {"build": 1, "from_value": 5, "value": 8, "previous_owner": 1, "kind": "single"}),
        TurnPassed("play", 1, (1,)),
    )
    assert build_of(position) == {"value": 8, "kind": "single", "owner": 0, "groups": [["2S", "3S", "3H"]]}


def test_a_build_is_raised_from_five_to_eight_to_nine():  # CNO-38
    position = Position("3H 8C KH", "AS 9C KD", builds=[(5, 1, "2S 3S")])
    position.play("raise", card="3H", build=1, value=8)
    position.play("raise", card="AS", build=1, value=9)
    assert build_of(position) == {"value": 9, "kind": "single", "owner": 1, "groups": [["2S", "3S", "3H", "AS"]]}
    assert position.play("trail", card="KH")


def test_the_owner_may_raise_his_own_build():  # CNO-37
    position = Position("3H 5C 8C", builds=[(5, 0, "2S 3S")])
    effects = position.play("raise", card="3H", build=1, value=8)
    assert MarkSet("owner", 0, "build:1:0") not in effects
    assert DetailAnnounced(0, "raised", {"build": 1, "from_value": 5, "value": 8, "previous_owner": 0, "kind": "single"}) in effects


def test_groups_of_the_new_value_may_go_along_and_make_the_build_multiple():  # CNO-35, CNO-36
    position = Position("3H 8C", board="8D 6D 2D", builds=[(5, 1, "2S 3S")])
    position.play("raise", card="3H", build=1, value=8, groups=groups("6D 2D", "8D"))
    assert build_of(position) == {"value": 8, "kind": "multiple", "owner": 0, "groups": groups("2S 3S 3H", "6D 2D", "8D")}


def test_an_ace_raises_by_1():  # CNO-35
    position = Position("AS AC", builds=[(13, 1, "9S 4S")], options=ROYAL)
    position.play("raise", card="AS", build=1, value=14)
    assert build_of(position)["value"] == 14


# Adding


def test_a_group_is_added_to_a_build_which_is_multiple_then():  # CNO-39, CNO-40
    position = Position("3H 8C", board="5D 8H", builds=[(8, 1, "6S 2S")])
    assert position.play("add", card="3H", build=1, groups=groups("3H 5D", "8H")) == (
        ZoneAdded("build:1:1", "all", None),
        CardsMoved(("3H",), "hand:0", "build:1:1", shown=True),
        CardsMoved(("5D",), "board", "build:1:1"),
        ZoneAdded("build:1:2", "all", None),
        CardsMoved(("8H",), "board", "build:1:2"),
        MarkSet("owner", 0, "build:1:0"),
        DetailAnnounced(0, "added", {"build": 1, "from_value": 8, "value": 8, "previous_owner": 1, "kind": "multiple"}),
        TurnPassed("play", 1, (1,)),
    )
    assert build_of(position) == {"value": 8, "kind": "multiple", "owner": 0, "groups": groups("6S 2S", "3H 5D", "8H")}


def test_a_hand_card_alone_is_added_to_a_multiple_build():  # CNO-39
    position = Position("8S 8C", builds=[(8, 1, "6S 2S, 8H")])
    position.play("add", card="8S", build=1, groups=groups("8S"))
    assert build_of(position)["groups"] == groups("6S 2S", "8H", "8S")


# Refusals, in their order. The fields of each move are such that the checks before are passed and later ones are not.

ALL_THREE = [
    ("build", {"value": 8}),
    ("raise", {"value": 8, "build": 1}),
    ("add", {"build": 1}),
]


@each(
    ("type_", "fields"),
    [("build", {"value": 3, "groups": []}), ("raise", {"value": 3, "build": 9}), ("add", {"build": 9, "groups": []})],
)
def test_a_classic_picture_cannot_be_built_with(type_: str, fields: dict[str, object]):  # CNO-4
    assert Position("KS 8C").refusal(type_, card="KS", **fields) == ("picture_in_build", ("CNO-4",))


@each(
    ("type_", "fields", "rule"),
    [("raise", {"value": 9, "groups": groups("2D", "2D")}, "CNO-35"), ("add", {"groups": groups("2D", "2D")}, "CNO-39")],
)
def test_a_build_that_is_not_there(type_: str, fields: dict[str, object], rule: str):  # CNO-35, CNO-39
    position = Position("3H 8C", board="2D", builds=[(5, 1, "2S 3S")])
    assert position.refusal(type_, card="3H", build=2, **fields) == ("no_such_build", (rule,))


def test_a_multiple_build_is_not_raised():  # CNO-36
    position = Position("3H 8C", board="2D", builds=[(5, 1, "2S 3S, 5D")])
    refusal = position.refusal("raise", card="3H", build=1, value=9, groups=groups("2D", "2D"))
    assert refusal == ("multiple_build_fixed", ("CNO-36",))


@each(("type_", "fields"), ALL_THREE)
def test_a_card_named_twice(type_: str, fields: dict[str, object]):  # CNO-24
    position = Position("3H 8C", board="2D", builds=[(5, 1, "2S 3S")])
    assert position.refusal(type_, card="3H", groups=groups("2D 9S", "2D"), **fields) == ("card_used_twice", ("CNO-24",))


def test_the_played_card_stands_in_one_group_only():  # CNO-24, section 13
    position = Position("4H 8C", board="4D")
    assert position.refusal("build", card="4H", value=8, groups=groups("4H 4D", "4H"))[0] == "card_used_twice"


@each(("type_", "fields"), [ALL_THREE[0], ALL_THREE[2]])
@each("named", [[], groups("6D 9S")])
def test_the_played_card_is_part_of_what_is_built(type_: str, fields: dict[str, object], named: list[list[str]]):  # CNO-34
    position = Position("3H 8C", board="6D 2D", builds=[(8, 1, "5S 3S")])
    assert position.refusal(type_, card="3H", groups=named, **fields) == ("played_card_missing", ("CNO-34",))


@each(
    ("type_", "fields", "rule"),
    [
        ("build", {"value": 8, "groups": groups("3H 2S", "9S KH")}, "CNO-34"),
        ("build", {"value": 11, "groups": groups("3H 8C")}, "CNO-34"),
        ("raise", {"value": 9, "build": 1, "groups": groups("2S", "9S", "KH")}, "CNO-35"),
        ("raise", {"value": 8, "build": 1, "groups": groups("3H")}, "CNO-35"),
        ("add", {"build": 1, "groups": groups("3H", "9S", "KH")}, "CNO-34"),
    ],
)
def test_a_card_that_is_not_on_the_table(type_: str, fields: dict[str, object], rule: str):  # CNO-34, CNO-35
    position = Position("3H 8C", board="KH", builds=[(5, 1, "2S 3S")])
    assert position.refusal(type_, card="3H", **fields) == ("card_not_on_table", (rule,))


@each(
    ("type_", "fields"),
    [
        ("build", {"value": 8, "groups": groups("3H 2S", "KH")}),
        ("raise", {"value": 9, "build": 1, "groups": groups("2S", "KH")}),
        ("add", {"build": 1, "groups": groups("3H 2S", "KH")}),
    ],
)
def test_a_card_that_lies_in_a_build(type_: str, fields: dict[str, object]):  # CNO-39, CNO-44
    position = Position("3H 8C", board="KH", builds=[(5, 1, "2S 3S")])
    assert position.refusal(type_, card="3H", **fields) == ("card_in_build", ("CNO-39",))


@each(
    ("type_", "fields"),
    [
        ("build", {"value": 9, "groups": groups("3H", "KH")}),
        ("raise", {"value": 9, "build": 1, "groups": groups("KH")}),
        ("add", {"build": 1, "groups": groups("3H KH")}),
    ],
)
def test_a_classic_picture_does_not_lie_in_a_build(type_: str, fields: dict[str, object]):  # CNO-4
    position = Position("3H 8C", board="KH", builds=[(5, 1, "2S 3S")])
    assert position.refusal(type_, card="3H", **fields) == ("picture_in_build", ("CNO-4",))


@each("value", [3, 5, 9])
def test_a_raise_announces_the_old_value_and_the_card_together(value: int):  # CNO-35
    position = Position("3H 9C", board="2D", builds=[(5, 1, "2S 3S")])
    assert position.refusal("raise", card="3H", build=1, value=value, groups=groups("2D")) == ("wrong_raise_value", ("CNO-35",))


def test_loose_cards_do_not_raise():  # CNO-35
    position = Position("3H TC", board="2D", builds=[(5, 1, "2S 3S")])
    assert position.refusal("raise", card="3H", build=1, value=10, groups=groups("2D"))[0] == "wrong_raise_value"


def test_a_royal_ace_does_not_raise_by_14():  # CNO-35
    position = Position("AH 9C", builds=[(5, 1, "2S 3S")], options=ROYAL)
    assert position.refusal("raise", card="AH", build=1, value=19)[0] == "wrong_raise_value"


@each(
    ("type_", "fields", "rules"),
    [
        ("build", {"value": 9, "groups": groups("3H", "6D 2D")}, ("CNO-30", "CNO-31")),
        ("raise", {"value": 8, "build": 1, "groups": groups("6D")}, ("CNO-35",)),
        ("add", {"build": 1, "groups": groups("3H 6D")}, ("CNO-39",)),
    ],
)
def test_a_group_that_makes_another_value(type_: str, fields: dict[str, object], rules: tuple[str, ...]):  # CNO-30, 31, 35, 39
    position = Position("3H KC", board="6D 2D", builds=[(5, 1, "2S 3S")])
    assert position.refusal(type_, card="3H", **fields) == ("wrong_sum", rules)


def test_a_new_build_needs_a_loose_card():  # CNO-34
    position = Position("8S KC", board="8D")
    assert position.refusal("build", card="8S", value=8, groups=groups("8S")) == ("build_needs_table_card", ("CNO-34",))


@each(
    ("type_", "fields"),
    [
        ("build", {"value": 9, "groups": groups("3H 6D")}),
        ("raise", {"value": 8, "build": 1}),
        ("add", {"build": 1, "groups": groups("3H 2D")}),
    ],
)
def test_a_card_for_the_value_is_left_in_the_hand(type_: str, fields: dict[str, object]):  # CNO-32
    position = Position("3H 4S KC", board="6D 2D", builds=[(5, 1, "2S 3S")])
    assert position.refusal(type_, card="3H", **fields) == ("no_capturing_card", ("CNO-32",))


def test_the_card_played_is_not_the_card_that_is_left():  # CNO-32
    position = Position("8S 4S", board="5D 3D")
    assert position.refusal("build", card="8S", value=8, groups=groups("8S", "5D 3D")) == ("no_capturing_card", ("CNO-32",))


@each(
    ("type_", "fields"),
    [
        ("build", {"value": 9, "groups": groups("6H 3D")}),
        ("raise", {"value": 9, "build": 2}),
        ("add", {"build": 3, "groups": groups("6H 3D")}),
    ],
)
def test_building_must_not_use_up_the_card_for_another_own_build(type_: str, fields: dict[str, object]):  # CNO-42
    position = Position("6H 9S", board="3D", builds=[(6, 0, "4D 2D"), (3, 1, "2S AS"), (9, 1, "7D 2C")])
    assert position.refusal(type_, card="6H", **fields) == ("build_uncovered", ("CNO-42", "CNO-43"))


def test_builds_of_1_and_14_need_two_aces():  # CNO-43
    position = Position("3H AS 9S", board="JD", builds=[(1, 0, "AH, AD")], options=ROYAL)
    refusal = position.refusal("build", card="3H", value=14, groups=groups("3H JD"))
    assert refusal == ("build_uncovered", ("CNO-42", "CNO-43"))
    assert Position("3H AS AC", board="JD", builds=[(1, 0, "AH, AD")], options=ROYAL).play(
        "build", card="3H", value=14, groups=groups("3H JD")
    )


def test_the_value_that_a_build_had_before_is_not_owed():  # CNO-42
    assert Position("3H 8C", builds=[(5, 0, "2S 3S")]).play("raise", card="3H", build=1, value=8)


# Owners


def test_the_former_owner_may_trail_again():  # CNO-40
    position = Position("8C KH", "8S 8D KD", builds=[(8, 0, "6S 2S")], turn=1)
    position.play("add", card="8S", build=1, groups=groups("8S"))
    assert position.play("trail", card="KH")


def test_an_owner_may_capture_something_else():  # CNO-41
    assert Position("8C KH", board="KS", builds=[(8, 0, "6S 2S")]).play("capture", card="KH", groups=groups("KS"))


def test_the_card_of_the_partner_does_not_count():  # CNO-45
    position = Position("3H KS", "KC", "8C", "KD", board="5D", seats=4, options=PARTNERS)
    assert position.refusal("build", card="3H", value=8, groups=groups("3H 5D")) == ("no_capturing_card", ("CNO-32",))


def test_a_partner_who_adds_becomes_the_owner():  # CNO-45
    position = Position("8C KH", "KC", "8S 8D", "KD", seats=4, options=PARTNERS, builds=[(8, 0, "6S 2S")], turn=2)
    position.play("add", card="8S", build=1, groups=groups("8S"))
    assert build_of(position)["owner"] == 2
