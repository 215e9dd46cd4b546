"""What a Canasta table looks like to those who may see it."""

from domain.effects import MarkSet, ZoneAdded
from domain.sight import PUBLIC, Viewer, masked
from domain.table import Table, fold
from tests.domain.games.canasta.positions import CANASTA, SEVEN_KINGS, Position, dealt
from tests.domain.games.positions import json_of
from tests.each import each

COMMON = {"ruleset", "options", "seats", "parties", "phase", "hand", "dealer", "turn", "to_act", "totals", "winners"}
HELD = {"hands", "hand_counts", "stock", "stock_count"}
OWN = {
    "pile",
    "pile_top",
    "pile_count",
    "pile_frozen",
    "pile_blocked",
    "red_threes",
    "melds",
    "opened",
    "minimums",
    "question",
    "must_go_out",
    "provisional",
}


def test_before_the_first_hand_the_fields_of_the_game_are_absent():  # COM-31
    rulebook = CANASTA.bind({}, 4)
    view = json_of(rulebook.view(Table(rulebook.setup)))
    assert set(view) == COMMON | HELD
    assert (view["phase"], view["hand"], view["dealer"]) == ("no_hand", 0, None)
    assert (view["hands"], view["hand_counts"], view["stock"], view["stock_count"]) == ([[], [], [], []], [0, 0, 0, 0], [], 0)


def test_a_fresh_deal_is_shown_whole_to_the_arbiter():  # COM-30, section 6
    rulebook, table, _ = dealt(4, 1)
    view = json_of(rulebook.view(table))
    assert set(view) == COMMON | HELD | OWN
    assert view["hands"][0] == ["KS", "JS", "9S", "7S", "5S", "3S", "AH", "QH", "TH", "8H", "6H"]
    assert view["stock"][:2] == ["5H", "4H"]
    assert {name: view[name] for name in OWN} == {
        "pile": ["5H"],
        "pile_top": "5H",
        "pile_count": 1,
        "pile_frozen": False,
        "pile_blocked": False,
        "red_threes": [[], []],
        "melds": [{}, {}],
        "opened": [False, False],
        "minimums": [50, 50],
        "question": None,
        "must_go_out": False,
        "provisional": [0, 0],
    }


def laid() -> Position:
    return Position(
        "9S 3C AS 2H JK",
        "8S",
        melds={0: f"{SEVEN_KINGS}, A: 2D AD AH", 1: "9: 9D 9C JK JK"},
        pile="4D 2S 7D",
        pile_marks={"frozen": "2S"},
        red={0: "3D 3H 3H"},
    )


def test_hands_and_red_threes_are_sorted():  # section 6
    view = laid().view
    assert (view["hands"][0], view["red_threes"]) == (["AS", "9S", "2H", "3C", "JK"], [["3H", "3H", "3D"], []])


def test_melds_are_shown_by_rank_with_what_they_are():  # section 6
    view = laid().view
    assert view["melds"] == [
        {
            "A": {"cards": ["AH", "AD", "2D"], "natural": 2, "wild": 1, "canasta": None},
            "K": {"cards": ["KS", "KS", "KH", "KH", "KD", "KD", "KC"], "natural": 7, "wild": 0, "canasta": "natural"},
        },
        {"9": {"cards": ["9D", "9C", "JK", "JK"], "natural": 2, "wild": 2, "canasta": None}},
    ]
    assert view["opened"] == [True, True]


@each("viewer", [Viewer(0), Viewer(2), PUBLIC])
def test_of_the_pile_only_the_top_card_is_seen(viewer: Viewer):  # CAN-28, section 6
    position = laid()
    view = json_of(position.rulebook.view(masked(position.table, viewer)))
    assert (view["pile"], view["pile_top"], view["pile_count"], view["pile_frozen"]) == (["?", "?", "7D"], "7D", 3, True)


def test_a_hand_is_hidden_from_the_partner_too():  # COM-32, section 6
    position = laid()
    view = json_of(position.rulebook.view(masked(position.table, Viewer(2))))
    assert (view["hands"], view["hand_counts"]) == ([["?"] * 5, ["?"], ["TC"], ["?"]], [5, 1, 1, 1])
    assert (view["stock"], view["stock_count"]) == (["?", "?", "?"], 3)


def test_after_the_hand_everything_stays_but_the_question():  # COM-31, section 6
    position = Position("9S", melds={0: SEVEN_KINGS}, marks={"question": "granted", "must_go_out": True}, minimums=(90, 15))
    position.play("discard", card="9S")
    view = position.view
    assert (view["phase"], view["turn"], view["to_act"], view["hands"][2]) == ("hand_over", None, [], ["TC"])
    assert (view["pile"], view["minimums"], view["question"], view["must_go_out"]) == (["4D", "9S"], [90, 15], None, False)
    assert view["totals"] == [660, -20]


def test_a_taken_pile_is_empty_until_the_discard():  # section 6
    position = Position("7S 7H 9S", melds={0: SEVEN_KINGS}, pile="7D", phase="draw")
    position.take("7", "7S 7H")
    view = position.view
    assert (view["pile"], view["pile_top"], view["pile_count"], view["pile_blocked"]) == ([], None, 0, False)


def test_damaged_marks_and_cards_do_not_stop_a_reader():
    position = laid()
    marks = (MarkSet("minimums", "many"), MarkSet("question", 7), MarkSet("red_threes", "two", "pile"))
    damage = (*marks, ZoneAdded("hand:0", "owner", 0, ("", "4X")))
    position.table = fold(position.table, damage)
    view = position.view
    assert (view["minimums"], view["question"], view["hands"][0]) == ([0, 0], None, ["", "4X"])
    assert list(position.rulebook.legal(position.table, 0))
