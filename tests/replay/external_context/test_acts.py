"""What officials did at the table: from a record into its events, and out again (COM-68)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from domain.errors import InvalidFormatError
from domain.events.base import TextRef
from domain.events.game import IllegalMoveAccepted, PointsAdjusted
from domain.games import EDITIONS, RULESETS
from replay.audit import audit
from replay.cases import play_record
from replay.content import content_digest
from replay.export import export, write_full_record
from replay.external_context import first_act
from replay.record import Refusal, events_of, history_of, parse
from tests.each import each
from tests.projections.histories import History
from tests.replay.test_record import MOVE, a_record

CASES = Path(__file__).parents[2] / "cases"
ONE_HAND: dict[str, Any] = json.loads((CASES / "casino" / "hand-two-players-classic.json").read_text(encoding="utf-8"))
HAND = a_record()["hands"][0]
EFFECTS = [["moved", ["TD"], "hand:0", "board", False, False], ["turn", "play", 1, [1]]]
STOOD = {"seat": 0, "move": {"type": "trail", "card": "TD"}, "stood": {"effects": EFFECTS}}
"""Out of turn."""


def stood(*more: object, **changes: object) -> dict[str, Any]:
    return a_record(hands=[{**HAND, "deck": ["7D", "TD"], "moves": [MOVE, {**STOOD, **changes}, *more]}])


def adjusted(*given: object) -> dict[str, Any]:
    hands = [{**ONE_HAND["hands"][0], "adjustments": list(given)}]
    return {"name": "n", "ruleset": "casino", "options": ONE_HAND.get("options", {}), "seats": 2, "hands": hands}


def exported(record: Mapping[str, Any], **given: Any) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(export("n", history_of(record, RULESETS), **given)))
    return told


def test_a_move_that_stood_becomes_its_event_marked_as_imported():
    *_, event = events_of(parse(stood()), RULESETS)
    assert isinstance(event, IllegalMoveAccepted)
    assert (event.seat, event.move, event.code, event.rules) == (0, STOOD["move"], "not_your_turn", ("COM-25", "CNO-15"))
    assert (json.loads(msgspec.json.encode(event.effects)), event.reason, event.ruling, event.imported) == (EFFECTS, None, None, True)


def test_play_goes_on_from_what_a_move_that_stood_left():
    trailing = {"seat": 1, "move": {"type": "trail", "card": "8D"}}
    record = a_record(hands=[{**HAND, "deal": {"hand:0": ["7D", "TD"], "hand:1": ["8D"], "board": ["2S", "4S", "6S", "QS"]}}])
    del record["hands"][0]["deck"], record["hands"][0]["fill"]
    record["hands"][0]["moves"] = [MOVE, STOOD, trailing]
    assert [type(event).__name__ for event in events_of(parse(record), RULESETS)[2:]] == ["MovePlayed", "IllegalMoveAccepted", "MovePlayed"]
    assert play_record(record, RULESETS).error is None


def test_points_given_or_taken_become_their_events_marked_as_imported_with_words_for_the_register():
    said: list[str] = []

    def noted(words: str) -> TextRef:
        said.append(words)
        return TextRef(f"t{len(said)}", "b1:0")

    given = ({"party": 0, "points": -3, "reason": "slow play"}, {"party": 1, "points": 2, "hand": None})
    *_, first, second = events_of(parse(adjusted(*given)), RULESETS, noted)
    assert isinstance(first, PointsAdjusted)
    assert isinstance(second, PointsAdjusted)
    assert said == ["slow play"]
    assert (first.hand, first.party, first.points, first.reason, first.further) == (1, 0, -3, TextRef("t1", "b1:0"), True)
    assert (second.hand, second.party, second.points, second.reason, second.further) == (None, 1, 2, None, UNSET)
    assert (first.imported, second.imported) == (True, True)


def test_a_hand_of_which_only_the_result_is_known_may_have_them_too():
    hand = {"dealer": 1, "result": {"points": [7, 4]}, "adjustments": [{"party": 0, "points": -1}]}
    record = a_record(hands=[hand])
    outcome = play_record(record, RULESETS)
    assert (outcome.score_sheet or {})["totals"] == (6, 4)
    assert exported(record)["hands"] == [hand]


GIVEN = [
    stood(),
    adjusted({"party": 0, "points": -3}),
    adjusted({"party": 0, "points": -3}, {"party": 1, "points": 2, "hand": None}),
]


@each("record", GIVEN)
def test_export_import_and_export_again_say_the_same_and_need_no_note(record: dict[str, Any]):
    once = exported(record)
    assert exported(once) == once
    assert "note" not in once
    assert [move.get("stood") for hand in once["hands"] for move in hand["moves"]] == [
        move.get("stood") for hand in record["hands"] for move in hand["moves"]
    ]
    assert [hand.get("adjustments") for hand in once["hands"]] == [hand.get("adjustments") for hand in record["hands"]]


@pytest.mark.parametrize("record", GIVEN)
def test_the_game_is_sound_and_checks_as_it_imports(record: dict[str, Any]):
    history = history_of(record, RULESETS)
    assert audit(history, EDITIONS).verdict == "sound"
    assert play_record(record, RULESETS).error is None


def test_an_audit_finds_a_mark_that_says_no():
    history = history_of(stood(), RULESETS)
    event = history[-1].event
    assert isinstance(event, IllegalMoveAccepted)
    unmarked = History(1, *(one.event for one in history[:-1]), msgspec.structs.replace(event, imported=False))
    assert [one.kind for one in audit(unmarked.events, EDITIONS).divergences] == ["act"]


def test_the_reasons_are_part_of_the_record_for_who_may_read_them():
    record = adjusted({"party": 0, "points": -3, "reason": "slow play"})
    events = events_of(parse(record), RULESETS, lambda _: TextRef("t1", "b1:0"))
    history = History(1, *events).events
    [told] = export("n", history, words=lambda ref: {"t1": "slow play"}.get(ref.id))["hands"][0]["adjustments"]
    assert told == {"party": 0, "points": -3, "reason": "slow play"}
    [kept] = export("n", history)["hands"][0]["adjustments"]
    assert kept == {"party": 0, "points": -3}


def test_what_no_record_can_say_stays_in_the_note():
    """Points taken between two moves of a hand, and before any hand."""
    opened, dealt, *moves = events_of(parse(adjusted()), RULESETS)
    for events in ((opened, PointsAdjusted(None, 0, -1, None), dealt, *moves), (opened, dealt, PointsAdjusted(None, 0, -1, None), *moves)):
        told = export("n", History(1, *events).events)
        assert "adjustments of points" in told["note"]
        assert "adjustments" not in told["hands"][0]


def test_what_stood_and_what_was_given_is_content_and_why_is_not():
    def digest(record: dict[str, Any]) -> str:
        return content_digest(events_of(parse(record), RULESETS, lambda _: TextRef("t", "b1:0")), RULESETS["casino"])

    one = {"party": 0, "points": -3}
    assert digest(adjusted(one)) == digest(adjusted({**one, "reason": "slow play"}))
    assert len({digest(adjusted()), digest(adjusted(one)), digest(adjusted(one, one)), digest(adjusted({**one, "hand": None}))}) == 4


def test_full_records_of_before_did_not_say_it_and_are_taken_all_the_same():
    full = msgspec.json.decode(b"".join(write_full_record("n", history_of(stood(), RULESETS))))
    assert "stood" in full["hands"][0]["moves"][1]
    parse(full)
    del full["hands"][0]["moves"][1]["stood"]
    parse(full)


@each(
    ("record", "place", "code"),
    [
        (stood(move={"type": "trail", "card": "TD"}, seat=9), (0, 1), "no_such_seat"),
        (stood(stood={"effects": [["moved", ["KD"], "hand:0", "board"]]}), (0, 1), "card_not_there"),
        (stood(STOOD | {"seat": 1}), (0, 2), "card_not_there"),
        (a_record(hands=[{**HAND, "moves": [{**MOVE, "stood": {"effects": EFFECTS}}]}]), (0, 0), "move_is_legal"),
        (adjusted({"party": 2, "points": 1}), (0, len(ONE_HAND["hands"][0]["moves"])), "no_such_party"),
        (adjusted({"party": 0, "points": 1, "hand": 2}), (0, len(ONE_HAND["hands"][0]["moves"])), "hand_not_finished"),
    ],
)
def test_what_no_official_could_record_is_refused_with_its_place(record: dict[str, Any], place: tuple[int, int], code: str):
    with pytest.raises(Refusal) as refused:
        events_of(parse(record), RULESETS)
    assert ((refused.value.hand, refused.value.index), refused.value.code) == (place, code)
    error = play_record(record, RULESETS).error
    assert error is not None
    assert ((error.hand, error.index), error.code) == (place, code)


@each(
    ("record", "where"),
    [
        (stood(stood=True), "record.hands[0].moves[1].stood"),
        (stood(stood={}), "record.hands[0].moves[1].stood"),
        (stood(stood={"effects": [], "reason": "r"}), "record.hands[0].moves[1].stood"),
        (stood(known={"hand:1": ["8D"]}), "record.hands[0].moves[1]"),
        (adjusted({"party": 0}), "record.hands[0].adjustments[0]"),
        (adjusted({"party": True, "points": 1}), "record.hands[0].adjustments[0]"),
        (adjusted({"party": 0, "points": 10**7}), "record.hands[0].adjustments[0]"),
        (adjusted({"party": 0, "points": 1, "reason": ""}), "record.hands[0].adjustments[0]"),
        (adjusted({"party": 0, "points": 1, "hand": 0}), "record.hands[0].adjustments[0]"),
        (adjusted({"party": 0, "points": 1, "ruling": 1}), "record.hands[0].adjustments[0]"),
        (a_record(hands=[{**HAND, "adjustments": {}}]), "record.hands[0].adjustments"),
    ],
)
def test_what_is_not_of_the_form_is_refused_with_its_place(record: dict[str, Any], where: str):
    with pytest.raises(InvalidFormatError) as malformed:
        parse(record)
    assert (malformed.value.code, malformed.value.where) == ("malformed_record", where)


def test_effects_that_are_none_are_refused_with_their_place():
    record = stood(stood={"effects": [["moved", 7]]})
    for play in (lambda: events_of(parse(record), RULESETS), lambda: play_record(record, RULESETS)):
        with pytest.raises(InvalidFormatError) as malformed:
            play()
        assert malformed.value.code == "malformed_record"
        assert malformed.value.where.startswith("record.hands[0].moves[1].stood.effects")


def test_the_first_act_of_an_official_is_found():
    places = [first_act(record["hands"]) for record in (stood(), adjusted({"party": 0, "points": 1}), adjusted(), a_record())]
    assert places == ["record.hands[0].moves[1]", "record.hands[0].adjustments", None, None]
