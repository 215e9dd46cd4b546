"""Records played without a store, and what case files expect."""

from typing import Any

import pytest

from domain.errors import InvalidFormatError
from domain.games import RULESETS
from replay.cases import FirstRefusal, PlayedRecord, differences, play_record
from tests.each import each

TRAIL = {"seat": 0, "move": {"type": "trail", "card": "AS"}}


def record(**fields: Any) -> dict[str, Any]:
    return {"name": "one", "ruleset": "casino", "options": {}, "seats": 2, "hands": [], **fields}


def hand(*moves: object, **fields: Any) -> dict[str, Any]:
    return {"dealer": 1, "deck": [], "fill": "sorted", "moves": list(moves), **fields}


def played(**fields: Any) -> PlayedRecord:
    return play_record(record(**fields), RULESETS)


def failure(outcome: PlayedRecord) -> tuple[int, int, str] | None:
    return (outcome.error.hand, outcome.error.index, outcome.error.code) if outcome.error else None


def test_a_record_is_played_to_its_end():  # COM-60
    outcome = played(hands=[hand(TRAIL)])
    assert (outcome.name, outcome.error, outcome.finished, outcome.winners) == ("one", None, False, None)
    assert differences({"state": {"phase": "play", "turn": 1, "table": ["QS", "JS", "6S", "5S", "AS"]}}, outcome) == ()
    assert differences({"score_sheet": {"totals": [0, 0], "hands": []}}, outcome) == ()


def test_a_deck_is_filled_up_in_canonical_order():  # COM-61
    outcome = played(hands=[hand(deck=["2C", "3C"])])
    assert differences({"state": {"hands": [["2C", "3C", "TS", "9S"], ["QS", "JS", "6S", "5S"]]}}, outcome) == ()


@each("deck", [["XX"], ["AS", "AS"], "AS", None, [1]])
def test_foreign_and_surplus_cards_are_no_deck(deck: object):  # COM-61
    assert failure(played(hands=[hand(deck=deck)])) == (0, -1, "bad_deck")


def test_without_fill_the_list_is_the_whole_deck():  # COM-61
    assert failure(played(hands=[{"dealer": 1, "deck": ["AS"], "moves": []}])) == (0, -1, "bad_deck")


def test_a_refused_set_up_has_no_state():  # COM-62
    outcome = played(seats=7)
    assert outcome == PlayedRecord(
        "one", FirstRefusal(-1, -1, "bad_seats", ("COM-11", "CNO-1"), outcome.error.message if outcome.error else "")
    )


def test_a_refused_move_leaves_the_state_before_it():  # COM-62
    outcome = played(hands=[hand(TRAIL, TRAIL, TRAIL)])
    assert failure(outcome) == (0, 1, "not_your_turn")
    assert outcome.error
    assert outcome.error.rules == ("COM-25", "CNO-15")
    assert outcome.error.message == "Seat 0 cannot move now. To act: seat 1."
    assert differences({"error": {"index": 1}, "state": {"turn": 1, "hand_counts": [3, 4]}}, outcome) == ()


def test_an_unknown_ruleset_is_refused():  # COM-65
    assert failure(played(ruleset="skat")) == (-1, -1, "unknown_ruleset")


def test_options_that_are_left_out_are_the_defaults_but_null_is_no_object():  # COM-3, COM-10
    assert play_record({key: value for key, value in record().items() if key != "options"}, RULESETS).error is None
    assert failure(played(options=None)) == (-1, -1, "bad_option")


@each("fields", [{"expect": 1, "rules": 2, "source": 3, "note": 4}, {"format": 1, "id": "x", "edition": 1, "events": []}])
def test_keys_of_case_files_and_full_records_are_allowed(fields: dict[str, Any]):  # COM-62, COM-64
    assert played(**fields).error is None


@each(
    "broken",
    [
        None,
        [],
        "record",
        {},
        {"ruleset": "casino", "seats": 2},
        record(colour="red"),
        record(ruleset=1),
        record(name=1),
        record(hands={}),
        record(hands=[1]),
        record(hands=[{"dealer": 0, "deck": []}]),
        record(hands=[hand(fill="random")]),
        record(hands=[hand(fill=None)]),
        record(hands=[hand(colour="red")]),
        record(hands=[hand(moves={})]),
        record(hands=[hand({"seat": 0})]),
        record(hands=[hand({**TRAIL, "at": "noon"})]),
        record(players="me"),
        record(players=["a"]),
        record(players=["a", 1]),
    ],
)
def test_what_is_no_record(broken: object):  # COM-60, COM-64, COM-65
    with pytest.raises(InvalidFormatError) as malformed:
        play_record(broken, RULESETS)
    assert malformed.value.code == "malformed_record"


def test_players_may_be_named():  # COM-64
    assert played(players=["ann", None]).error is None


@each(
    ("expected", "actual", "same"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": None}, {}, False),
        ({}, [], False),
        ([1, {"a": 1}], (1, {"a": 1, "b": 2}), True),
        ([1], [1, 2], False),
        ([], {}, False),
        (1, True, False),
        (0, False, False),
        (None, None, True),
        (1, 1.0, False),
        ("x", "x", True),
    ],
)
def test_expectations_match(expected: object, actual: object, same: bool):  # COM-63, COM-3
    outcome = PlayedRecord(None, None, {"told": actual})
    assert (differences({"state": {"told": expected}}, outcome) == ()) == same


def test_without_an_expected_error_nothing_may_be_refused():  # COM-62
    assert not differences({"finished": False}, played())
    assert differences({}, played(seats=7))
    assert not differences({"error": {"hand": -1, "index": -1, "code": "bad_seats"}}, played(seats=7))
    assert not differences({"error": {"code": "bad_seats"}, "finished": False, "winners": None}, played(seats=7))
    assert differences({"error": {"hand": -1, "index": -1, "code": "bad_seats"}}, played())


def test_differences_name_their_place():  # COM-63
    assert differences({"state": {"turn": 1, "deal": 1}}, played(hands=[hand()])) == ("expect.state.turn: expected 1, found 0",)


def test_an_expectation_of_something_unknown_is_an_error_of_the_file():  # COM-62
    with pytest.raises(InvalidFormatError):
        differences({"winner": 0}, played())
