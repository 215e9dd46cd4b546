"""Options, seats, the deal, and the choice of the open cards."""

from typing import Any

import pytest

from domain.cards import Seat
from domain.effects import CardsMoved, HandOpened, Plain, TurnPassed, ZoneAdded
from domain.errors import Refused
from domain.setup import Setup
from domain.sight import Viewer, redact_effects
from domain.table import Table, fold
from tests.domain.games.alcasan.positions import ALCASAN, Position, dealt
from tests.domain.games.positions import cards, json_of, refusal_of
from tests.each import each

DEFAULTS: dict[str, Plain] = {"extra_lay": "single", "extra_lay_right": "must", "deals": 1, "move_limit": None, "four_fit": "as_one"}
DECK = ALCASAN.bind({}, 2).deck
TWO_SEATS = "1 3 2 2 3 1 5 6 7 8 7 9 earth 10 fire 10 air 9 2 3"


def test_what_is_left_out_gets_its_default():  # ALC-4
    assert ALCASAN.bind({}, 3).setup == Setup(
        ruleset="alcasan",
        options=DEFAULTS,
        seats=3,
        parties=((0,), (1,), (2,)),
        rows=("seats_beaten",),
        start_totals=(0, 0, 0),
    )


@each(
    "options",
    [
        {"extra_lay": "any"},
        {"extra_lay_right": "may"},
        {"deals": 99},
        {"move_limit": 1},
        {"move_limit": None},
        {"move_limit": 10**6},
        {"four_fit": "compared"},
    ],
)
def test_options_that_are_allowed(options: dict[str, Any]):  # ALC-4
    assert ALCASAN.bind(options, 2).setup.options == {**DEFAULTS, **options}


@each(
    "options",
    [
        None,
        [],
        {"jokers": True},
        {"extra_lay": "two"},
        {"extra_lay": None},
        {"extra_lay_right": "can"},
        {"extra_lay_right": None},
        {"extra_lay": True},
        {"four_fit": "any"},
        {"four_fit": None},
        {"deals": 0},
        {"deals": 100},
        {"deals": None},
        {"deals": True},
        {"deals": 1.0},
        {"deals": "1"},
        {"move_limit": 0},
        {"move_limit": -1},
        {"move_limit": False},
        {"move_limit": 5.0},
        {"move_limit": "5"},
        {"move_limit": 10**30},
    ],
)
def test_an_option_that_is_not_allowed(options: object):  # COM-10, ALC-4
    assert refusal_of(lambda: ALCASAN.bind(options, 2)) == ("bad_option", ("COM-10", "ALC-4"))


@each("seats", [0, 1, 5, -2, True, 2.0, "2", None])
def test_a_number_of_seats_that_is_not_allowed(seats: object):  # COM-11, ALC-3
    assert refusal_of(lambda: ALCASAN.bind({}, seats)) == ("bad_seats", ("COM-11", "ALC-3"))


def test_the_options_are_judged_before_the_seats():  # COM-10, COM-11
    assert refusal_of(lambda: ALCASAN.bind({"deals": 0}, 5)) == ("bad_option", ("COM-10", "ALC-4"))


def test_the_deck_holds_four_cards_of_each_of_thirteen_kinds_in_their_order():  # ALC-1, ALC-2, ALC-5
    assert tuple(kind for kind in cards("1 2 3 4 5 6 7 8 9 10 fire earth air") for _ in range(4)) == DECK


# The start of a hand


@each("dealer", [-1, 2, True, 0.0, "0", None])
def test_a_dealer_who_is_no_seat(dealer: object):  # COM-15, ALC-9
    rulebook = ALCASAN.bind({}, 2)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), dealer, DECK)) == ("bad_dealer", ("COM-15", "ALC-9"))


@each(
    "deck",
    [None, [], "deck", DECK[:-1], (*DECK, "air"), (*DECK[:-1], "fire"), (*DECK[:-1], "water"), (*DECK[:-1], 4), (*DECK[:-1], ["air"])],
)
def test_a_deck_that_does_not_hold_the_52_cards(deck: object):  # COM-16, ALC-1
    rulebook = ALCASAN.bind({}, 2)
    assert refusal_of(lambda: rulebook.deal(Table(rulebook.setup), 0, deck)) == ("bad_deck", ("COM-16", "ALC-1"))


def test_no_hand_is_dealt_into_a_hand():  # COM-14, ALC-44
    rulebook, table, _ = dealt(2, 0)
    assert refusal_of(lambda: rulebook.deal(table, 9, None)) == ("hand_in_progress", ("COM-14", "ALC-44"))


@each("dealer", [0, 1])
def test_anybody_may_deal_the_next_hand(dealer: Seat):  # ALC-9, ALC-44
    position = Position("7", "1", open=["", ""], down=["- - -", "8 8 8"], options={"deals": 2})
    position.lay("7")
    assert position.table.phase == "hand_over"
    again = fold(position.table, position.rulebook.deal(position.table, dealer, DECK))
    assert (again.hand, again.dealer, again.phase) == (2, dealer, "choose_open")


def test_no_hand_is_dealt_when_the_last_one_is_over():  # COM-13, ALC-44
    position = Position("7", "1", open=["", ""], down=["- - -", "8 8 8"])
    position.lay("7")
    assert refusal_of(lambda: position.rulebook.deal(position.table, 0, DECK)) == ("game_over", ("COM-13", "ALC-44"))


# The deal


def test_the_cards_go_round_one_at_a_time_three_face_down_then_six_to_the_hand():  # ALC-9 to ALC-11
    _, table, effects = dealt(2, 1, TWO_SEATS)
    assert effects[:2] == (HandOpened(1, 1), ZoneAdded("stock", "none", None, table.cards("stock") + cards(TWO_SEATS)[17::-1]))
    assert effects[2:7] == (
        ZoneAdded("hand:0", "owner", 0),
        ZoneAdded("open:0", "all", 0),
        ZoneAdded("down:0:0", "none", 0),
        ZoneAdded("down:0:1", "none", 0),
        ZoneAdded("down:0:2", "none", 0),
    )
    assert effects[12:14] == (ZoneAdded("pile", "all", None), ZoneAdded("removed", "all", None))
    assert effects[14:22] == (
        CardsMoved(("1",), "stock", "down:0:0"),
        CardsMoved(("3",), "stock", "down:1:0"),
        CardsMoved(("2",), "stock", "down:0:1"),
        CardsMoved(("2",), "stock", "down:1:1"),
        CardsMoved(("3",), "stock", "down:0:2"),
        CardsMoved(("1",), "stock", "down:1:2"),
        CardsMoved(("5",), "stock", "hand:0"),
        CardsMoved(("6",), "stock", "hand:1"),
    )
    assert effects[-1] == TurnPassed("choose_open", None, (0, 1))


def test_the_seat_after_the_dealer_gets_the_first_card():  # ALC-9
    _, table, _ = dealt(3, 1, "1 2 3")
    assert [table.cards(f"down:{seat}:0") for seat in range(3)] == [("2",), ("3",), ("1",)]


@each(("seats", "left"), [(2, 34), (3, 25), (4, 16)])
def test_the_other_cards_are_the_stock_in_their_order(seats: int, left: int):  # ALC-15
    _, table, _ = dealt(seats, 0)
    assert table.cards("stock")[::-1] == DECK[52 - left :]


def test_of_the_deal_a_player_is_told_his_six_cards_and_nothing_of_what_lies_face_down():  # ALC-6, ALC-10
    rulebook, _, effects = dealt(2, 1, TWO_SEATS)
    told = [effect for effect in redact_effects(Viewer(0), Table(rulebook.setup), effects) if isinstance(effect, CardsMoved)]
    assert [effect.cards for effect in told if effect.target.startswith("down")] == [("?",)] * 6
    assert [effect.cards[0] for effect in told if effect.target == "hand:0"] == ["5", "7", "7", "earth", "fire", "air"]
    assert [effect.cards[0] for effect in told if effect.target == "hand:1"] == ["?"] * 6


# The choice


class Choice:
    """A hand in which nobody has chosen yet."""

    def __init__(self) -> None:
        self.rulebook, self.table, _ = dealt(2, 1, TWO_SEATS)

    def judge(self, seat: object, move: object) -> Any:
        return self.rulebook.resolve(self.table, seat, move)

    def choose(self, seat: Seat, text: str) -> Any:
        effects = self.judge(seat, {"type": "choose_open", "cards": list(cards(text))})
        self.table = fold(self.table, effects)
        return effects

    def refused(self, seat: object, type_: str = "choose_open", **fields: object) -> tuple[str, tuple[str, ...]]:
        return refusal_of(lambda: self.judge(seat, {"type": type_, **fields}))


def test_three_of_the_six_cards_are_laid_open_and_the_others_are_the_hand():  # ALC-12
    choice = Choice()
    assert choice.choose(0, "fire 7 earth") == (
        CardsMoved(("fire", "7", "earth"), "hand:0", "open:0", shown=True),
        TurnPassed("choose_open", None, (1,)),
    )
    view = json_of(choice.rulebook.view(choice.table))
    assert (view["hands"][0], view["open"][0], view["chosen"]) == (["5", "7", "air"], ["7", "fire", "earth"], [True, False])


@each("order", [(0, 1), (1, 0)])
def test_play_begins_left_of_the_dealer_when_all_have_chosen_in_whatever_order(order: tuple[Seat, Seat]):  # ALC-12 to ALC-14
    choice = Choice()
    three = {0: "7 7 fire", 1: "10 10 9"}
    choice.choose(order[0], three[order[0]])
    assert choice.table.turn is None
    assert choice.choose(order[1], three[order[1]])[-1] == TurnPassed("play", 0, (0,))


def test_who_has_chosen_is_not_to_act():  # ALC-12, COM-25
    choice = Choice()
    choice.choose(1, "10 10 9")
    assert choice.refused(1, cards=["6", "8", "9"]) == ("not_your_turn", ("COM-25", "ALC-12", "ALC-14", "ALC-16"))


@each("chosen", ["7", "7 7", "7 7 fire air", "7 7 7 7 7 7 7"])
def test_exactly_three_cards_are_chosen(chosen: str):  # ALC-12
    assert Choice().refused(0, cards=chosen.split()) == ("wrong_card_count", ("ALC-12",))


@each("chosen", ["7 7 7", "7 fire 6", "1 2 3", "fire fire air"])
def test_only_cards_that_were_taken_up_are_chosen_copies_counted(chosen: str):  # ALC-12
    assert Choice().refused(0, cards=chosen.split()) == ("card_not_in_hand", ("ALC-12",))


def test_the_number_of_the_cards_is_looked_at_before_the_cards():  # ALC-7
    assert Choice().refused(0, cards=["6", "6"]) == ("wrong_card_count", ("ALC-12",))


WRONG_PHASE = ("wrong_phase", ("COM-26", "ALC-7", "ALC-13"))


def test_before_all_have_chosen_nothing_else_is_done():  # ALC-13
    choice = Choice()
    choice.choose(1, "10 10 9")
    assert choice.refused(0, "lay", cards=["7"]) == WRONG_PHASE
    assert choice.refused(0, "take") == WRONG_PHASE
    assert choice.refused(0, "reveal", position=0) == WRONG_PHASE


def test_during_play_nothing_is_chosen_any_more():  # ALC-13
    position = Position("7 7 7", "1")
    assert refusal_of(lambda: position.judge({"type": "choose_open", "cards": ["7"]})) == WRONG_PHASE


# The form of a move


@each("move", [None, [], "lay", {}, {"type": 1}, {"type": None}, {"cards": ["7"]}])
def test_a_move_is_an_object_with_a_type(move: object):  # COM-20, ALC-7
    assert refusal_of(lambda: Position("7", "1").judge(move)) == ("malformed_move", ("COM-20", "ALC-7"))


@each("type_", ["draw", "Lay", "", "pass"])
def test_a_move_of_a_type_that_alcasan_does_not_know(type_: str):  # COM-21, ALC-7
    assert refusal_of(lambda: Position("7", "1").judge({"type": type_})) == ("unknown_move", ("COM-21", "ALC-7"))


@each(
    "move",
    [
        {"type": "lay"},
        {"type": "lay", "cards": []},
        {"type": "lay", "cards": None},
        {"type": "lay", "cards": "7"},
        {"type": "lay", "cards": [7]},
        {"type": "lay", "cards": ["water"]},
        {"type": "lay", "cards": ["11"]},
        {"type": "lay", "cards": ["?"]},
        {"type": "lay", "cards": ["7"], "zone": "hand"},
        {"type": "choose_open"},
        {"type": "choose_open", "cards": []},
        {"type": "take", "cards": []},
        {"type": "reveal"},
        {"type": "reveal", "position": "0"},
        {"type": "reveal", "position": True},
        {"type": "reveal", "position": 1.0},
        {"type": "reveal", "position": None},
    ],
)
def test_fields_that_a_move_does_not_have_or_cannot_have(move: object):  # COM-22, ALC-7
    assert refusal_of(lambda: Position("7", "1").judge(move)) == ("malformed_move", ("COM-22", "ALC-7"))


@each("seat", [1, 2, -1, True, 0.0, "0"])
def test_only_the_seat_whose_turn_it_is_may_move(seat: object):  # COM-25
    position = Position("7", "1")
    refused = ("not_your_turn", ("COM-25", "ALC-12", "ALC-14", "ALC-16"))
    assert refusal_of(lambda: position.judge({"type": "lay", "cards": ["7"]}, seat)) == refused


def test_no_move_is_made_before_the_first_hand_and_between_two():  # COM-24
    rulebook = ALCASAN.bind({}, 2)
    assert refusal_of(lambda: rulebook.resolve(Table(rulebook.setup), 0, {"type": "take"})) == ("hand_over", ("COM-24",))
    position = Position("7", "1", open=["", ""], down=["- - -", "8 8 8"], options={"deals": 2})
    position.lay("7")
    assert refusal_of(lambda: position.judge({"type": "take"}, 1)) == ("hand_over", ("COM-24",))


def test_no_move_is_made_in_a_game_that_is_over():  # COM-23, ALC-44
    position = Position("7", "1", open=["", ""], down=["- - -", "8 8 8"])
    position.lay("7")
    with pytest.raises(Refused) as refused:
        position.judge({"type": "take"}, 1)
    assert (refused.value.code, refused.value.rules) == ("game_over", ("COM-23", "ALC-44"))
