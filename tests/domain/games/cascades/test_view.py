"""What a table of Cascades looks like to those who may see it."""

from domain.sight import PUBLIC, Viewer, masked
from domain.table import Table
from tests.domain.games.cascades.positions import ACE, CASCADES, Position, dealt
from tests.domain.games.positions import json_of
from tests.each import each

COMMON = {"ruleset", "options", "seats", "parties", "phase", "hand", "dealer", "turn", "to_act", "totals", "winners"}
UNDEALT = {"stock", "stock_count"}
FIRST = "9-MS 9-WY 9-LK 8-MS 8-WL 8-YK 7-ML 7-SK 7-WY 2-MK 3-SK 4-MS"
TALLY = {
    "upper": 1,
    "middle": 0,
    "lower": 0,
    "won": 0,
    "cards_total": 36,
    "cards_placed": 1,
    "cards_left": 35,
    "left_stock": 24,
    "left_waste": 2,
    "left_reserve": 9,
    "passes": 1,
    "turns": 1,
}


def test_before_the_deal_the_fields_of_the_game_are_absent():  # COM-31
    rulebook = CASCADES.bind({}, 1)
    view = json_of(rulebook.view(Table(rulebook.setup)))
    assert set(view) == COMMON | UNDEALT
    assert (view["phase"], view["hand"], view["dealer"], view["turn"], view["to_act"]) == ("no_hand", 0, None, None, [])
    assert (view["stock"], view["stock_count"]) == ([], 0)


def test_a_fresh_deal_is_shown_whole_to_the_arbiter():  # COM-30, section 11
    rulebook, table, _ = dealt(FIRST)
    view = json_of(rulebook.view(table))
    own = {name: value for name, value in view.items() if name not in COMMON | UNDEALT}
    assert own == {
        "result": None,
        "end": None,
        "pass": 1,
        "passes_allowed": 3,
        "turns": 1,
        "tiers": [["4-MS"], [], []],
        "bases": [[], [], []],
        "reserve_open": [False, False, False],
        "reserve_counts": [3, 3, 3],
        "reserve_tops": [None, None, None],
        "waste_top": "3-SK",
        "waste_count": 2,
        "legal_moves": [{"type": "play", "card": "3-SK", "tier": 0}, {"type": "turn"}, {"type": "resign"}],
        "tally": TALLY,
        "waste": ["2-MK", "3-SK"],
        "reserve": [["9-MS", "9-WY", "9-LK"], ["8-MS", "8-WL", "8-YK"], ["7-ML", "7-SK", "7-WY"]],
    }
    assert (view["phase"], view["turn"], view["to_act"], view["totals"], view["winners"]) == ("play", 0, [0], [0], None)
    assert (view["stock"][:2], view["stock_count"]) == (["A-M", "A-S"], 24)


@each("viewer", [Viewer(0), PUBLIC])
def test_the_player_sees_no_more_than_the_public(viewer: Viewer):  # CSC-44
    position = Position("4-MS", waste="2-MK 3-SK", stock="9-MS 9-WY", reserve=("8-WL 8-YK", "7-ML 7-SK", "7-WY"), pass_=2)
    whole = position.view
    view = json_of(position.rulebook.view(masked(position.table, viewer)))
    assert {name: value for name, value in view.items() if value != whole[name]} == {
        "stock": ["?", "?"],
        "waste": ["?", "3-SK"],
        "reserve": [["?", "8-YK"], ["?", "?"], ["?"]],
    }


def test_after_the_end_nothing_is_hidden():  # CSC-44
    position = Position("4-MS", waste="2-MK 3-SK", stock="9-MS 9-WY", reserve=("8-WL 8-YK", "7-ML 7-SK", "7-WY"), pass_=2)
    position.resign()
    assert json_of(position.rulebook.view(masked(position.table, PUBLIC))) == position.view
    assert position.view["reserve"] == [["8-WL", "8-YK"], ["7-ML", "7-SK"], ["7-WY"]]
    assert (position.view["reserve_open"], position.view["legal_moves"]) == ([True, False, False], [])


def test_the_ace_variant_shows_its_bases_and_no_reserve():  # section 11
    view = Position("4-MS", waste="2-MK", options=ACE).view
    assert (view["bases"], view["passes_allowed"]) == ([["A-M", "A-S"], ["A-W", "A-L"], ["A-Y", "A-K"]], 0)
    assert [view[name] for name in ("reserve", "reserve_open", "reserve_counts", "reserve_tops")] == [
        [[], [], []],
        [False, False, False],
        [0, 0, 0],
        [None, None, None],
    ]


def test_the_totals_are_the_cards_placed_once_the_game_is_over():  # section 11, CSC-45
    position = Position("4-MS 3-SK", "4-YK", waste="2-MK")
    assert position.view["totals"] == [0]
    position.resign()
    assert (position.view["totals"], position.view["tally"]["cards_placed"], position.view["winners"]) == ([3], 3, [])


def test_the_tally_of_a_win_says_so():  # CSC-45, section 11
    position = Position("9-MS", "9-LK", stock="", waste="9-WY")
    position.play("9-WY", 2)
    assert (position.view["tally"]["won"], position.view["result"], position.view["winners"]) == (1, "won", [0])


def test_an_empty_waste_has_no_top():  # section 11
    view = Position("4-MS").view
    assert (view["waste"], view["waste_top"], view["waste_count"]) == ([], None, 0)
