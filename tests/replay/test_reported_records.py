"""Hands of which only the result is known, in portable records (COM-67)."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema_rs import Draft202012Validator
from msgspec import UNSET

from api.records.schema import RECORD as SCHEMA
from domain.errors import InvalidFormatError
from domain.events.game import GameOpened, HandReported, HandResult
from domain.games import EDITIONS, RULESETS
from replay.audit import audit
from replay.cases import play_record
from replay.content import content_digest
from replay.export import export, write_full_record
from replay.record import Refusal, events_of, history_of, parse, take_over
from tests.each import each

CASES = Path(__file__).parent.parent / "cases"
REPORTED = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(CASES.glob("*/own-reported-*.json"))]
ACCEPTED = [case for case in REPORTED if "error" not in case["expect"]]
RESULT: dict[str, Any] = {"points": [7, 4]}
RECORD: dict[str, Any] = {"ruleset": "casino", "seats": 2, "hands": [{"dealer": 0, "result": RESULT}, {"dealer": 1, "result": RESULT}]}


def with_hand(**hand: object) -> dict[str, Any]:
    return {**RECORD, "hands": [hand]}


def digest(record: object) -> str:
    read = parse(record)
    return content_digest(events_of(read, RULESETS), RULESETS[read.ruleset])


def test_a_record_of_results_makes_a_report_of_each_hand():
    opened, *reports = events_of(parse(RECORD), RULESETS)
    assert isinstance(opened, GameOpened)
    assert [(one.dealer, one.result) for one in reports if isinstance(one, HandReported)] == [
        (0, HandResult((7, 4))),
        (1, HandResult((7, 4))),
    ]


@each("case", ACCEPTED, ids=lambda case: case["name"])
def test_an_export_gives_the_results_back_as_they_were_told(case: dict[str, Any]):
    exported = json.loads(json.dumps(export("x", history_of(case, RULESETS))))
    assert [hand.get("result") for hand in exported["hands"]] == [hand.get("result") for hand in case["hands"]]
    assert digest(exported) == digest(case)
    assert "note" not in exported


@each("case", ACCEPTED, ids=lambda case: case["name"])
def test_a_full_record_with_results_is_sound_and_can_be_taken_over(case: dict[str, Any]):
    history = history_of(case, RULESETS)
    assert audit(history, EDITIONS).verdict == "sound"
    full = msgspec.json.decode(b"".join(write_full_record("x", history)))
    parse(full)
    assert [one.event for one in take_over(full, EDITIONS).history] == [one.event for one in history]


OTHER = {
    "other points": with_hand(dealer=0, result={"points": [4, 7]}),
    "another dealer": with_hand(dealer=1, result=RESULT),
    "rows": with_hand(dealer=0, result={**RESULT, "rows": {"cards": [3, 0], "sweeps": [4, 4]}}),
    "an end": with_hand(dealer=0, result={**RESULT, "end": "played_out"}),
}


def test_another_result_is_another_game():
    told = [digest(record) for record in (with_hand(dealer=0, result=RESULT), *OTHER.values())]
    assert len(set(told)) == len(told)


MALFORMED: dict[str, tuple[dict[str, Any], str]] = {
    "moves beside it": (with_hand(dealer=0, result=RESULT, moves=[]), "record.hands[0]"),
    "a deck beside it": (with_hand(dealer=0, result=RESULT, deck="unknown"), "record.hands[0]"),
    "no dealer": (with_hand(result=RESULT), "record.hands[0]"),
}


@each(("record", "where"), MALFORMED.values(), ids=MALFORMED)
def test_a_hand_has_moves_or_a_result(record: dict[str, Any], where: str):
    with pytest.raises(InvalidFormatError) as malformed:
        parse(record)
    assert (malformed.value.code, malformed.value.where) == ("malformed_record", where)
    assert not Draft202012Validator(SCHEMA).is_valid(record)


def test_a_result_that_cannot_be_counted_is_refused_at_the_start_of_its_hand():
    record = {**RECORD, "hands": [*RECORD["hands"], {"dealer": 0, "result": {"points": [1, 2, 3]}}]}
    with pytest.raises(Refusal) as refusal:
        events_of(parse(record), RULESETS)
    assert (refusal.value.hand, refusal.value.index, refusal.value.code, refusal.value.rules) == (2, -1, "bad_result", ("COM-67",))
    outcome = play_record(record, RULESETS)
    assert outcome.error
    assert (outcome.error.hand, outcome.error.index, outcome.error.code) == (2, -1, "bad_result")
    assert outcome.error.message == (
        "The result of the hand cannot be counted. Points are one number for each of the 2 parties, not 3. Compare it with the paper."
    )
    assert outcome.score_sheet
    assert outcome.score_sheet["totals"] == (14, 8)


@each("case", REPORTED, ids=lambda case: case["name"])
def test_the_schema_of_records_describes_hands_with_results(case: dict[str, Any]):
    Draft202012Validator(SCHEMA).validate(case)


def test_a_result_says_when_the_hand_was_played():
    record = {**RECORD, "played_at": "1998-03-07", "hands": [{**RECORD["hands"][0], "played_at": "1998-03-08"}, RECORD["hands"][1]]}
    Draft202012Validator(SCHEMA).validate(record)
    history = history_of(record, RULESETS)
    assert [getattr(one.event, "played_at", None) for one in history] == ["1998-03-07", "1998-03-08", UNSET]
    exported = export("x", history)
    assert (exported["played_at"], [hand.get("played_at") for hand in exported["hands"]]) == ("1998-03-07", ["1998-03-08", None])
    assert digest(exported) == digest(record)
