"""Turning cards, passes, and the reserve piles."""

from domain.effects import CardsMoved, DetailAnnounced, MarkSet, SightSet
from domain.sight import Viewer, redact_effects
from tests.domain.games.cascades.positions import ACE, ENDLESS, Position, dealt
from tests.each import each

RESERVE = ("9-MS 9-WY 9-LK", "8-MS 8-WL 8-YK", "7-ML 7-SK 7-WY")


def test_a_turn_lays_three_cards_on_the_waste_the_third_on_top():  # CSC-12
    position = Position("4-MS", waste="2-MK", stock="A-M A-S A-W A-L")
    assert position.turn() == (CardsMoved(("A-M", "A-S", "A-W"), "stock", "waste"), MarkSet("turns", 2))
    assert position.lies("waste") == "2-MK A-M A-S A-W"


def test_the_player_is_told_the_top_one_of_the_cards_turned():  # CSC-14, CSC-44
    position = Position("4-MS", waste="2-MK", stock="A-M A-S A-W A-L")
    told = redact_effects(Viewer(0), position.table, position.turn())
    assert told == (CardsMoved(("?", "?", "A-W"), "stock", "waste"), MarkSet("turns", 2))


@each("stock", ["A-M", "A-M A-S"])
def test_the_last_cards_of_the_stock_are_turned_together(stock: str):  # CSC-13, CSC-16
    position = Position("4-MS", waste="2-MK", stock=stock, reserve=RESERVE)
    position.turn()
    assert (position.lies("waste"), position.lies("stock")) == (f"2-MK {stock}", "")


def test_cards_of_earlier_turns_come_free_again():  # CSC-14
    position = Position("4-MS", waste="3-SK 5-ML 6-MW", stock="A-M A-S A-W")
    assert position.play("6-MW", 0) == (
        CardsMoved(("6-MW",), "waste", "tier:0", shown=True),
        CardsMoved(("5-ML",), "waste", "waste", shown=True),
    )
    assert position.play("5-ML", 0)
    assert position.view["waste_top"] == "3-SK"


def test_a_turn_is_allowed_although_a_card_could_be_placed():  # CSC-15
    position = Position("4-MS", waste="3-SK")
    assert {"type": "play", "card": "3-SK", "tier": 0} in position.view["legal_moves"]
    assert position.turn()


def test_the_end_of_the_first_pass_opens_the_upper_pile_at_once():  # CSC-16, CSC-20
    position = Position("4-MS", waste="2-MK", stock="A-M A-S A-W", reserve=RESERVE)
    assert position.turn() == (
        CardsMoved(("A-M", "A-S", "A-W"), "stock", "waste"),
        MarkSet("turns", 2),
        DetailAnnounced(None, "pass_ended", 1),
        SightSet("reserve:0", "top"),
        CardsMoved(("9-LK",), "reserve:0", "reserve:0", shown=True),
    )
    assert (position.view["pass"], position.view["waste_top"], position.view["reserve_tops"]) == (1, "A-W", ["9-LK", None, None])


@each(("pass_", "opened"), [(1, [True, False, False]), (2, [True, True, False]), (3, [True, True, True])])
def test_the_end_of_each_pass_opens_the_next_pile(pass_: int, opened: list[bool]):  # CSC-20
    position = Position("4-MS", waste="2-MK", stock="A-M A-S A-W", reserve=RESERVE, options={"passes": 4}, pass_=pass_)
    assert position.view["reserve_open"] == [pile < pass_ - 1 for pile in range(3)]
    position.turn()
    assert position.view["reserve_open"] == opened


def test_later_passes_open_nothing():  # CSC-20
    position = Position("4-MS", waste="2-MK", stock="A-M", reserve=RESERVE, options={"passes": 9}, pass_=4)
    assert position.turn() == (CardsMoved(("A-M",), "stock", "waste"), MarkSet("turns", 2), DetailAnnounced(None, "pass_ended", 4))


def test_the_waste_is_turned_over_without_shuffling_and_three_cards_are_turned():  # CSC-17
    position = Position("4-MS", waste="2-MK 3-SK A-M A-S", stock="", reserve=RESERVE, turns=9)
    assert position.turn() == (
        CardsMoved(("A-S", "A-M", "3-SK", "2-MK"), "waste", "stock"),
        MarkSet("pass", 2),
        MarkSet("placed_before", 1),
        CardsMoved(("2-MK", "3-SK", "A-M"), "stock", "waste"),
        MarkSet("turns", 10),
    )
    assert (position.lies("waste"), position.lies("stock")) == ("2-MK 3-SK A-M", "A-S")


def test_of_a_waste_that_is_turned_over_the_player_is_told_what_he_sees_before_or_after():  # CSC-44
    position = Position("4-MS", waste="2-MK 3-SK A-M A-S", stock="", reserve=RESERVE)
    told = redact_effects(Viewer(0), position.table, position.turn())
    assert [effect for effect in told if isinstance(effect, CardsMoved)] == [
        CardsMoved(("A-S", "A-M", "?", "?"), "waste", "stock"),
        CardsMoved(("?", "?", "A-M"), "stock", "waste"),
    ]


@each("waste", ["A-M", "A-M A-S", "A-M A-S A-W"])
def test_with_one_to_three_cards_in_the_waste_a_turn_is_a_whole_pass(waste: str):  # CSC-17, CSC-20
    position = Position("4-MS", waste=waste, stock="", reserve=RESERVE)
    effects = position.turn()
    assert effects[-3:] == (
        DetailAnnounced(None, "pass_ended", 2),
        SightSet("reserve:1", "top"),
        CardsMoved(("8-YK",), "reserve:1", "reserve:1", shown=True),
    )
    assert (position.lies("waste"), position.view["pass"]) == (waste, 2)


def test_recycling_does_not_close_a_pile():  # CSC-20, CSC-21
    position = Position("4-MS", waste="2-MK 3-SK A-M A-S", stock="", reserve=RESERVE)
    position.turn()
    assert position.view["reserve_open"] == [True, False, False]


@each(("passes", "last"), [(3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8), (9, 9)])
def test_after_the_last_pass_the_waste_is_not_turned_over(passes: int, last: int):  # CSC-18
    position = Position("4-MS", waste="A-Y 3-SK", stock="", options={"passes": passes}, pass_=last)
    assert position.turning_refused == ("no_passes_left", ("CSC-18",))
    assert Position("4-MS", waste="A-Y 3-SK", stock="", options={"passes": passes}, pass_=last - 1).turn()


def test_in_the_last_pass_the_stock_is_turned_to_its_end():  # CSC-18
    assert Position("4-MS", waste="A-Y", stock="3-SK", pass_=3).turn()


@each("options", [ENDLESS, ACE])
def test_without_a_limit_the_waste_may_be_turned_over_any_number_of_times(options: dict[str, object]):  # CSC-18, CSC-38
    assert Position("4-MS", waste="5-ML 3-SK", stock="", options=options, pass_=99).turn()


def test_with_stock_and_waste_empty_there_is_nothing_to_turn():  # CSC-19
    position = Position("4-MS", stock="", reserve=("8-MS", "", ""), pass_=2)
    assert position.turning_refused == ("nothing_to_turn", ("CSC-19",))


def test_nothing_to_turn_is_said_before_the_passes_are_counted():  # section 10
    position = Position("4-MS", stock="", reserve=("8-MS", "", ""), pass_=3)
    assert position.turning_refused == ("nothing_to_turn", ("CSC-19",))


# The reserve


def test_the_top_of_an_open_pile_may_be_placed_in_the_middle_of_a_later_pass():  # CSC-21, CSC-22
    position = Position("4-MS", waste="2-MK", reserve=("9-WY 9-MS", "8-MS", "7-ML"), pass_=2)
    assert position.play("9-MS", 0) == (
        CardsMoved(("9-MS",), "reserve:0", "tier:0", shown=True),
        CardsMoved(("9-WY",), "reserve:0", "reserve:0", shown=True),
    )
    assert position.view["reserve_tops"] == ["9-WY", None, None]


def test_the_last_card_of_a_pile_uncovers_nothing():  # CSC-22
    position = Position("4-MS", waste="2-MK", reserve=("9-MS", "8-MS", "7-ML"), pass_=2)
    assert position.play("9-MS", 0) == (CardsMoved(("9-MS",), "reserve:0", "tier:0", shown=True),)
    assert (position.view["reserve_tops"], position.view["reserve_open"]) == ([None, None, None], [True, False, False])


def test_clearing_stock_and_waste_opens_all_closed_piles_in_their_order():  # CSC-24
    position = Position("4-MS", waste="3-SK", stock="", reserve=RESERVE)
    assert position.play("3-SK", 0) == (
        CardsMoved(("3-SK",), "waste", "tier:0", shown=True),
        SightSet("reserve:1", "top"),
        CardsMoved(("8-YK",), "reserve:1", "reserve:1", shown=True),
        SightSet("reserve:2", "top"),
        CardsMoved(("7-WY",), "reserve:2", "reserve:2", shown=True),
    )
    assert (position.view["pass"], position.view["reserve_open"]) == (1, [True, True, True])


def test_an_empty_waste_alone_opens_nothing():  # CSC-24
    position = Position("4-MS", waste="3-SK", stock="A-M", reserve=RESERVE)
    position.play("3-SK", 0)
    assert position.view["reserve_open"] == [False, False, False]


def test_in_the_ace_variant_no_pile_ever_opens():  # CSC-35
    position = Position("4-MS", waste="8-MS", stock="3-SK", options=ACE, pass_=2)
    position.turn()
    assert position.view["reserve_open"] == [False, False, False]
    position.play("3-SK", 0)
    position.play("8-MS", 0)
    assert position.view["reserve_open"] == [False, False, False]


def test_a_whole_pass_of_the_basic_deck_takes_nine_turns():  # CSC-10, CSC-12
    rulebook, table, _ = dealt()
    position = Position()
    position.rulebook, position.table = rulebook, table
    for _ in range(8):
        position.turn()
    assert (position.view["turns"], position.view["stock_count"], position.view["waste_count"]) == (9, 0, 26)
