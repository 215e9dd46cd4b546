"""The audit of what officials did: by the rules where they have a say, and by nothing where they have none."""

from uuid import UUID

from msgspec.structs import replace

from domain import codec
from domain.events import GameSuspended, MoveStood, PointsAdjusted, Recorded, digest
from domain.game import table_at
from domain.ruling import Order, Points, adjustments, annulled, raised, rectified, ruled, stood
from replay.audit import audit
from tests.domain.test_game import Recorder, lay
from tests.domain.toy import TOY

EDITIONS = {("toy", TOY.edition): TOY}
TAKEN = [["moved", ["2"], "hand:0", "board"], ["turn", "lay", 1, [1]]]


def a_disputed_game() -> Recorder:
    """An illegal move stands, is disputed and taken back, the table is put right, the hand played, points are taken."""
    recorder = Recorder(hands=2)
    recorder.deal()
    recorder.add(stood(recorder.game, recorder.rulebook, 0, lay("3"), TAKEN, None, None))
    recorder.add(raised(recorder.game, 3, 1, None, suspends=True))
    restored = table_at(recorder.history, 2)
    recorder.add(*ruled(recorder.game, recorder.rulebook, 1, "arbiter", "rewind", None, (), Order(to=2, restored=restored)))
    swap = [["moved", ["3"], "hand:1", "hand:0"], ["moved", ["1"], "hand:0", "hand:1"]]
    recorder.add(rectified(recorder.game, recorder.rulebook, swap, None, 1))
    recorder.lay((0, "3"), (1, "2"))
    recorder.deal(0)
    recorder.lay((1, "1"), (0, "3"))
    recorder.add(*adjustments(recorder.game, recorder.rulebook, [Points(0, -2, 1), Points(1, 1)], None, None))
    return recorder


def with_event(history: list[Recorded], position: int, event: MoveStood | PointsAdjusted) -> list[Recorded]:
    changed, link = [], None
    for recorded in history:
        new = event if recorded.position == position else recorded.event
        changed.append(codec.record(UUID(int=7), recorded.position, link, recorded.stamp, new))
        link = digest(changed[-1].state)
    return changed


def test_a_game_that_was_put_right_is_sound():
    recorder = a_disputed_game()
    assert audit(recorder.history, EDITIONS).verdict == "sound"
    restored = table_at(recorder.history, 8)
    recorder.add(*ruled(recorder.game, recorder.rulebook, None, "arbiter", "rewind", None, (), Order(to=8, restored=restored)))
    assert audit(recorder.history, EDITIONS).divergences == ()
    recorder.add(*annulled(recorder.game, None, None))
    assert audit(recorder.history, EDITIONS).divergences == ()


def test_another_refusal_than_the_rules_would_give_is_found():
    recorder = a_disputed_game()
    event = recorder.history[2].event
    assert isinstance(event, MoveStood)
    found = audit(with_event(recorder.history, 3, replace(event, code="not_your_turn")), EDITIONS)
    assert [(one.position, one.kind, one.recomputed) for one in found.divergences] == [(3, "refused", '["card_not_in_hand",["TOY-1"]]')]


def test_a_move_that_stood_though_it_was_legal_is_found():
    recorder = a_disputed_game()
    event = recorder.history[2].event
    assert isinstance(event, MoveStood)
    found = audit(with_event(recorder.history, 3, replace(event, move=lay("2"))), EDITIONS)
    assert [(one.position, one.recomputed) for one in found.divergences] == [(3, '["the move is legal",[]]')]


def test_places_that_the_points_do_not_give_are_found():
    recorder = a_disputed_game()
    last = recorder.history[-1]
    assert isinstance(last.event, PointsAdjusted)
    found = audit(with_event(recorder.history, last.position, replace(last.event, places=(1, 2))), EDITIONS)
    assert (last.position, "score_sheet", "[1,2]", "[2,1]") in [
        (one.position, one.kind, one.recorded, one.recomputed) for one in found.divergences
    ]


def test_a_move_in_a_game_that_was_halted_is_found():
    recorder = a_disputed_game()
    moved = next(recorded for recorded in recorder.history if recorded.name == "move.played/1")
    whole = [*recorder.history[: moved.position - 1]]
    link = digest(whole[-1].state)
    whole.append(codec.record(UUID(int=7), moved.position, link, moved.stamp, GameSuspended(None)))
    whole.append(codec.record(UUID(int=7), moved.position + 1, digest(whole[-1].state), moved.stamp, moved.event))
    found = audit(whole, EDITIONS)
    assert [(one.position, one.kind, one.recomputed) for one in found.divergences] == [
        (moved.position + 1, "refused", "game_suspended (COM-65)")
    ]
