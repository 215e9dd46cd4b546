"""The checks that all rulebooks share, in the order of COM-10 to COM-25."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from domain.checks import check_cards, check_start, check_turn, read_move, read_options
from domain.errors import Refused
from domain.rules import common_view
from domain.score import Score
from domain.setup import Setup
from domain.table import Table
from tests.each import each

DECK = ("A", "A", "B")
SETUP = Setup("any", {"kind": "x"}, 3, ((0,), (1,), (2,)), ("row",), (0, 5, 0))
CODES = {"bad_deck": ("COM-16", "GAME-1"), "malformed_move": ("COM-20", "COM-22", "GAME-2"), "not_your_turn": ("COM-25",)}


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    target: Annotated[int, Meta(ge=1, le=100)] = 21
    kind: Literal["x", "y"] = "x"
    partners: bool = False


class Lay(Struct, frozen=True, forbid_unknown_fields=True):
    cards: tuple[str, ...]
    place: int = 0


def table(phase: str = "no_hand", to_act: tuple[int, ...] = ()) -> Table:
    return Table(SETUP, {}, {}, phase, None, to_act)


def refusal(check: Any, *args: object, **named: object) -> tuple[str, tuple[str, ...]]:
    with pytest.raises(Refused) as refused:
        check(*args, **named)
    return refused.value.code, refused.value.rules


# Options


def test_options_left_out_get_their_default():
    assert read_options({"target": 11}, Options, CODES) == Options(11, "x", False)


@each(
    "options",
    [
        None,
        [],
        "target",
        {"unknown": 1},
        {"target": 0},
        {"target": 101},
        {"target": True},
        {"target": 21.0},
        {"target": "21"},
        {"target": None},
        {"kind": "z"},
        {"partners": 1},
        {"kind": "\ud800"},
    ],
)
def test_an_option_that_the_game_does_not_have_is_refused(options: object):  # COM-10, COM-3
    assert refusal(read_options, options, Options, CODES) == ("bad_option", ("COM-10",))


# The start of a hand


def test_dealer_and_deck_are_answered_well_typed():
    assert check_start(table(), 2, ["B", "A", "A"], DECK, CODES) == (2, ("B", "A", "A"))


def test_the_deck_may_be_the_first_one_or_a_later_one():
    assert check_start(table("hand_over"), 0, DECK, DECK, CODES, 0) == (0, DECK)


@each(
    ("phase", "dealer", "deck", "code", "rules"),
    [
        ("game_over", "nonsense", None, "game_over", ("COM-13",)),
        ("play", "nonsense", None, "hand_in_progress", ("COM-14",)),
        ("no_hand", "nonsense", None, "bad_dealer", ("COM-15",)),
        ("no_hand", 1, None, "bad_deck", ("COM-16", "GAME-1")),
    ],
)
def test_the_first_check_that_fails_decides_the_start(phase: str, dealer: object, deck: object, code: str, rules: tuple[str, ...]):
    assert refusal(check_start, table(phase), dealer, deck, DECK, CODES) == (code, rules)


@each("dealer", [-1, 3, True, False, 0.0, "0", None, [0], {}])
def test_a_dealer_is_the_number_of_a_seat(dealer: object):  # COM-15
    assert refusal(check_start, table(), dealer, DECK, DECK, CODES)[0] == "bad_dealer"


def test_where_the_game_demands_a_dealer_no_other_seat_deals():  # COM-15
    assert refusal(check_start, table(), 0, DECK, DECK, CODES, 1)[0] == "bad_dealer"


@each(
    "deck",
    [
        None,
        "AAB",
        {"A": 1},
        [],
        ["A", "A"],
        ["A", "B", "B"],
        ["A", "A", "B", "B"],
        ["A", "A", 1],
        ["A", "A", ["B"]],
        ["A", "A", None],
        ["A", "A", "?"],
    ],
)
def test_a_deck_holds_exactly_the_cards_of_the_game(deck: object):  # COM-16
    assert refusal(check_start, table(), 0, deck, DECK, CODES)[0] == "bad_deck"


# A move

MOVES = {"lay": Lay}


def test_a_move_is_read_as_its_type():
    assert read_move({"type": "lay", "cards": ["A", "B"]}, MOVES, CODES) == Lay(("A", "B"))


@each("move", [None, [], "lay", 7, {}, {"type": None}, {"type": 1}, {"type": ["lay"]}])
def test_a_move_is_an_object_with_a_type(move: object):  # COM-20
    assert refusal(read_move, move, MOVES, CODES) == ("malformed_move", ("COM-20", "GAME-2"))


@each("kind", ["", "Lay", "draw", "?", "\ud800"])
def test_a_type_that_the_game_does_not_have_is_unknown(kind: str):  # COM-21
    assert refusal(read_move, {"type": kind}, MOVES, CODES) == ("unknown_move", ("COM-21",))


@each(
    "fields",
    [
        {},
        {"cards": "A"},
        {"cards": ["A"], "other": 1},
        {"cards": [1]},
        {"cards": None},
        {"cards": ["A"], "place": None},
        {"cards": ["A"], "place": 1.0},
        {"cards": ["A"], "place": True},
        {"cards": ["A"], "place": "1"},
        {"cards": ["A"], "place": 2**64},
        {"cards": ["\ud800"]},
    ],
)
def test_fields_are_exactly_those_of_the_type(fields: dict[str, object]):  # COM-22, COM-3
    assert refusal(read_move, {"type": "lay", **fields}, MOVES, CODES) == ("malformed_move", ("COM-22", "GAME-2"))


def test_a_card_code_is_one_of_the_deck():  # COM-22
    check_cards(("A", "B", "A"), frozenset(DECK), CODES)
    assert refusal(check_cards, ("A", "Z"), frozenset(DECK), CODES) == ("malformed_move", ("COM-22", "GAME-2"))


@each(
    ("phase", "seat", "code", "rule"),
    [
        ("game_over", 1, "game_over", "COM-23"),
        ("no_hand", 1, "hand_over", "COM-24"),
        ("hand_over", 1, "hand_over", "COM-24"),
        ("play", 0, "not_your_turn", "COM-25"),
    ],
)
def test_the_first_check_that_fails_decides_the_turn(phase: str, seat: int, code: str, rule: str):
    assert refusal(check_turn, table(phase, (1, 2)), seat, CODES) == (code, (rule,))


@each("seat", [True, 1.0, "1", None, [1], -1, 3])
def test_a_seat_is_a_number_and_to_act(seat: object):  # COM-25, COM-3
    assert refusal(check_turn, table("play", (1, 2)), seat, CODES)[0] == "not_your_turn"


def test_whoever_is_to_act_may_move():
    assert [check_turn(table("play", (1, 2)), seat, CODES) for seat in (1, 2)] == [1, 2]


# The view


def test_the_common_fields_of_a_game_not_begun():  # COM-30
    assert common_view(table()) == {
        "ruleset": "any",
        "options": {"kind": "x"},
        "seats": 3,
        "parties": ((0,), (1,), (2,)),
        "phase": "no_hand",
        "hand": 0,
        "dealer": None,
        "turn": None,
        "to_act": (),
        "totals": (0, 5, 0),
        "winners": None,
    }


def test_the_winners_are_shown_when_the_game_is_over():
    over = Table(SETUP, phase="game_over", score=Score(places=(2, 1, 1)))
    assert common_view(over)["winners"] == (1, 2)
