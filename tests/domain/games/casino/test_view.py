"""What a Casino table looks like to those who may see it."""

from domain.sight import PUBLIC, Viewer, masked
from domain.table import Table
from tests.domain.games.casino.positions import CASINO, SWEEPS, Position, dealt, groups
from tests.domain.games.positions import json_of
from tests.each import each

COMMON = {"ruleset", "options", "seats", "parties", "phase", "hand", "dealer", "turn", "to_act", "totals", "winners"}
HELD = {"hands", "hand_counts", "stock", "stock_count"}
OWN = {"deal", "last_deal", "table", "builds", "piles", "pile_counts", "sweeps", "sweep_cards", "last_capturer"}


def test_before_the_first_hand_the_fields_of_the_game_are_absent():  # COM-31
    rulebook = CASINO.bind({}, 3)
    view = json_of(rulebook.view(Table(rulebook.setup)))
    assert set(view) == COMMON | HELD
    assert (view["phase"], view["hand"], view["dealer"]) == ("no_hand", 0, None)
    assert (view["hands"], view["hand_counts"], view["stock"], view["stock_count"]) == ([[], [], []], [0, 0, 0], [], 0)


def test_a_fresh_deal_is_shown_whole_to_the_arbiter():  # COM-30, section 14
    rulebook, table, _ = dealt(2, 1)
    view = json_of(rulebook.view(table))
    assert set(view) == COMMON | HELD | OWN
    assert view["hands"] == [["AS", "KS", "8S", "7S"], ["TS", "9S", "4S", "3S"]]
    assert view["stock"][:2] == ["2S", "AH"]
    assert {name: view[name] for name in OWN} == {
        "deal": 1,
        "last_deal": False,
        "table": ["QS", "JS", "6S", "5S"],
        "builds": [],
        "piles": [[], []],
        "pile_counts": [0, 0],
        "sweeps": [0, 0],
        "sweep_cards": [[], []],
        "last_capturer": None,
    }


def test_builds_are_shown_by_number_with_value_kind_owner_and_groups():  # section 14
    position = Position("8D 9H", builds=[(8, 1, "5S 3S"), (9, 0, "5H 4H, 9C")])
    assert position.view["builds"] == [
        {"id": 1, "value": 8, "kind": "single", "owner": 1, "groups": [["5S", "3S"]]},
        {"id": 2, "value": 9, "kind": "multiple", "owner": 0, "groups": [["5H", "4H"], ["9C"]]},
    ]


def test_the_stock_is_empty_in_the_last_deal():  # CNO-13, section 14
    position = Position("8D 9H", stock="")
    assert (position.view["deal"], position.view["last_deal"]) == (6, True)


def swept() -> Position:
    position = Position("8D 9H", "7S 7D", board="8H", options={**SWEEPS, "partners": True}, seats=4)
    position.play("capture", card="8D", groups=groups("8H"))
    return position


@each("viewer", [Viewer(0), Viewer(2), PUBLIC])
def test_piles_lie_face_down_but_for_the_cards_that_swept(viewer: Viewer):  # CNO-52, section 14
    position = swept()
    view = json_of(position.rulebook.view(masked(position.table, viewer)))
    assert view["piles"] == [["?", "?"], []]
    assert (view["pile_counts"], view["sweeps"], view["sweep_cards"]) == ([2, 0], [1, 0], [["8D"], []])


def test_a_hand_is_hidden_from_the_partner_too():  # COM-32, section 14
    position = swept()
    view = json_of(position.rulebook.view(masked(position.table, Viewer(2))))
    assert (view["hands"], view["hand_counts"]) == ([["?"], ["?", "?"], ["KC"], ["?"]], [1, 2, 1, 1])
    assert (view["stock"], view["stock_count"]) == (["?", "?"], 2)


def test_after_the_hand_everybody_sees_the_piles():  # section 14
    position = Position("TD", "", board="TS", stock="")
    position.play("capture", card="TD", groups=groups("TS"))
    assert json_of(position.rulebook.view(masked(position.table, PUBLIC)))["piles"] == [["TS", "TD"], []]
