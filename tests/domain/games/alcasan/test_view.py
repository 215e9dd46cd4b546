"""What an alcasan table looks like to those who may see it."""

from typing import Any

from domain.sight import PUBLIC, Viewer, masked
from domain.table import Table
from tests.domain.games.alcasan.positions import ALCASAN, Position, dealt
from tests.domain.games.positions import json_of

COMMON = {"ruleset", "options", "seats", "parties", "phase", "hand", "dealer", "turn", "to_act", "totals", "winners"}
HELD = {"hands", "hand_counts", "stock", "stock_count"}


def seen(position: Position, viewer: Viewer) -> Any:
    return json_of(position.rulebook.view(masked(position.table, viewer)))


def test_before_the_first_hand_the_fields_of_the_game_are_absent():  # COM-31
    rulebook = ALCASAN.bind({}, 3)
    view = json_of(rulebook.view(Table(rulebook.setup)))
    assert set(view) == COMMON | HELD
    assert (view["phase"], view["hand"], view["dealer"], view["hands"], view["hand_counts"]) == (
        "no_hand",
        0,
        None,
        [[], [], []],
        [0, 0, 0],
    )
    assert (view["stock"], view["stock_count"]) == ([], 0)


def test_a_fresh_deal_shows_the_six_cards_in_canonical_order():  # section 9
    rulebook, table, _ = dealt(2, 1, "1 3 2 2 3 1 fire 6 10 8 air 9 4 10 earth 10 7 9")
    view = json_of(rulebook.view(table))
    assert view["hands"] == [["4", "7", "10", "fire", "earth", "air"], ["6", "8", "9", "9", "10", "10"]]
    own = {name: value for name, value in view.items() if name not in COMMON | HELD}
    assert own == {
        "extra_lay": False,
        "moves_made": 0,
        "pile": [],
        "effective": None,
        "removed": [],
        "removed_count": 0,
        "open": [[], []],
        "down": [["1", "2", "3"], ["3", "2", "1"]],
        "card_counts": [9, 9],
        "chosen": [False, False],
        "places": [None, None],
    }
    assert (view["phase"], view["turn"], view["to_act"]) == ("choose_open", None, [0, 1])


def test_a_player_sees_his_own_hand_and_nobody_what_lies_face_down():  # ALC-6, section 9
    position = Position("7 2", "8 fire 1", down=["3 - 5", "6 6 6"], pile="5 air", stock="1 2", removed="10 fire")
    whole = position.view
    assert {name: value for name, value in seen(position, Viewer(1)).items() if value != whole[name]} == {
        "hands": [["?", "?"], ["1", "8", "fire"]],
        "stock": ["?", "?"],
        "down": [["?", None, "?"], ["?", "?", "?"]],
    }
    assert seen(position, PUBLIC)["hands"] == [["?", "?"], ["?", "?", "?"]]
    assert (whole["effective"], whole["removed_count"], whole["card_counts"]) == ("5", 2, [7, 9])


def test_what_was_hidden_stays_hidden_after_the_hand():  # COM-31, section 9
    position = Position("7", "8 8", open=["", "9"], down=["- - -", "1 - 2"], stock="")
    position.lay("7")
    view = seen(position, Viewer(0))
    assert (view["hands"][1], view["down"][1], view["phase"]) == (["?", "?"], ["?", None, "?"], "game_over")
