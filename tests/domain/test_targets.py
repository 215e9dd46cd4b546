"""Points of rulings that reach the target end the game at once (COM-42)."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.effects import GameClosed
from domain.events.game import DisputeAppealed, DisputeRaised, DisputeRuled, HandEndedEarly, OrderLifted, PointsAdjusted
from domain.games import EDITIONS
from domain.score import Adjustment, sheet
from domain.score import adjust_score as add_points
from replay.audit import audit
from tests.domain.games.casino.positions import Position
from tests.domain.recorded import Order, PointsChange, RealGame
from tests.each import each

TARGETS: dict[str, dict[str, object]] = {"casino": {"target": 100}, "canasta": {"target_score": 9000}}
"""More than one hand brings."""
FAR = 20_000


def after_a_hand(key: str, **options: object) -> RealGame:
    real = RealGame(key, {**TARGETS[key], **options})
    real.hand()
    assert real.table.phase == "hand_over"
    return real


def adjusted(real: RealGame) -> list[PointsAdjusted]:
    return [one.event for one in real.history if isinstance(one.event, PointsAdjusted)]


def ordered(real: RealGame, *points: PointsChange) -> None:
    """By a ruling on a dispute, so that it can be overturned."""
    real.enact(DisputeRaised(0, 2, 1, None, False))
    number = len(real.game.docket.disputes)
    real.rule(DisputeRuled(0, number, "arbiter", "adjust", None), Order(adjustments=points))


def overturned(real: RealGame) -> None:
    number = len(real.game.docket.disputes)
    real.enact(DisputeAppealed(number, 0, None, None))
    real.rule(DisputeRuled(0, number, "committee", "overturn", None), Order())


def test_a_ruling_that_brings_a_party_to_the_target_ends_the_match_of_canasta():  # CAN-48
    real = after_a_hand("canasta")
    real.adjust(PointsChange(1, FAR))
    closed = GameClosed((2, 1), {})
    assert adjusted(real) == [PointsAdjusted(None, 1, FAR, None, None, (2, 1), (closed,))]
    assert (real.table.phase, real.sheet.finished, real.sheet.places, real.sheet.winners) == ("game_over", True, (2, 1), (1,))
    assert real.judged().verdict == "sound"


def test_a_ruling_that_brings_a_party_to_the_target_ends_the_game_of_casino_and_tells_what_decided_it():  # CNO-64
    real = after_a_hand("casino")
    real.adjust(PointsChange(1, FAR))
    assert adjusted(real)[0].effects == (GameClosed((2, 1), {"target": 100, "decided_by": "total"}),)
    assert (real.table.phase, real.sheet.facts) == ("game_over", {"target": 100, "decided_by": "total"})
    assert real.judged().verdict == "sound"


@pytest.mark.parametrize("key", TARGETS)
def test_points_that_do_not_reach_the_target_end_nothing(key: str):
    real = after_a_hand(key)
    real.adjust(PointsChange(1, -3))
    assert adjusted(real) == [PointsAdjusted(None, 1, -3, None, None)]
    assert real.table.phase == "hand_over"


def test_a_match_over_so_many_hands_has_no_target():  # CAN-48
    real = after_a_hand("canasta", end="hands")
    real.adjust(PointsChange(1, FAR))
    assert real.table.phase == "hand_over"


@pytest.mark.parametrize("key", TARGETS)
def test_a_hand_in_progress_is_played_to_its_end_and_decides_with_the_points(key: str):
    real = after_a_hand(key)
    real.deal()
    real.adjust(PointsChange(1, FAR))
    assert real.table.in_hand
    real.play()
    assert (real.table.phase, real.sheet.winners) == ("game_over", (1,))
    assert real.judged().verdict == "sound"


# Points where rows decide in an order


def by_rows(**options: object) -> RealGame:
    """A game of Casino that counts out in order to 12, after a hand of which party 0 had the cards and party 1 three aces."""
    real = RealGame("casino", {"target": 12, "count_out": "order", **options})
    rows = {"cards": [3, 0], **{f"ace_{suit}": [0, 1] for suit in ("spades", "clubs", "hearts")}}
    real.report(1, {"points": [3, 3], "rows": rows})
    return real


def decided(real: RealGame) -> tuple[object, object]:
    assert real.judged().verdict == "sound"
    return real.sheet.winners, real.sheet.facts["decided_by"]


def test_points_count_as_if_they_had_been_there_before_the_last_hand():  # COM-44
    real = by_rows()
    real.adjust(PointsChange(0, 9), PointsChange(1, 11))
    assert (decided(real), real.sheet.totals) == (((0,), "cards"), (12, 14))


def test_several_rulings_after_a_hand_are_one_sum():  # COM-44
    real = by_rows()
    for points in (4, 5):
        real.adjust(PointsChange(0, points), PointsChange(1, points + 1))
    assert (decided(real), real.sheet.totals) == (((0,), "cards"), (12, 14))


def test_points_that_bring_the_target_before_the_last_hand_leave_it_to_the_totals():  # COM-44, CNO-66
    real = by_rows()
    real.adjust(PointsChange(0, 10), PointsChange(1, 12))
    assert decided(real) == ((1,), "total")


def test_a_stopped_hand_is_not_the_last_one():  # COM-43, COM-44
    real = by_rows()
    real.deal()
    real.enact(HandEndedEarly((), True, None))
    real.adjust(PointsChange(0, 9), PointsChange(1, 11))
    assert decided(real) == ((0,), "cards")


@each(("more", "winners", "by"), [(0, (0,), "cards"), (1, (1,), "total")])
def test_points_given_during_a_hand_count_as_if_they_had_been_there_before_it(more: int, winners: tuple[int], by: str):  # COM-44
    """Party 0 gets 5 points, ``cards`` first, and party 1 three for aces."""
    options: dict[str, object] = {"target": 9, "count_out": "order"}
    position = Position("TD", "", board="TS", stock="", options=options, piles={0: "5H 6H", 1: "AS AC AH"})
    score = position.table.score
    for party, points in ((0, 6), (1, 8 + 3 * more)):
        score = add_points(score, Adjustment(2, None, party, points, None, None), None)
    position.table = replace(position.table, score=score)
    position.play("capture", card="TD", groups=[["TS"]])
    ended = sheet(position.table.setup, position.table.score)
    assert (ended.winners, ended.facts["decided_by"]) == (winners, by)


# Points on the table that are counted in at once


def in_the_second_hand(before: int, *, edition: int | None = None) -> RealGame:
    """A match that looks at the target after every move. A ruling has brought party 1 to ``before``, and the next hand has begun."""
    real = RealGame("canasta", {**TARGETS["canasta"], "target_check": "immediate"}, edition=edition)
    real.hand()
    real.adjust(PointsChange(1, before - real.sheet.totals[1]))
    real.deal()
    real.play(1)
    return real


def test_a_ruling_does_not_break_off_the_hand_in_which_it_is_given():  # CAN-49
    real = in_the_second_hand(0)
    real.adjust(PointsChange(1, FAR))
    real.play()
    assert (real.sheet.hands[-1].end, real.table.phase, real.sheet.winners) == ("went_out", "game_over", (1,))
    assert real.judged().verdict == "sound"


def test_a_ruling_before_the_hand_counts_in_it():  # CAN-49
    real = in_the_second_hand(8999)
    real.play()
    assert (real.sheet.hands[-1].end, real.table.phase, real.sheet.winners) == ("target_reached", "game_over", (1,))
    assert real.judged().verdict == "sound"


def test_points_taken_during_the_hand_do_not_hold_it_up_and_decide_after_it():  # CAN-49, COM-42
    real = in_the_second_hand(8999)
    real.adjust(PointsChange(1, -FAR))
    real.play()
    assert (real.sheet.hands[-1].end, real.table.phase) == ("target_reached", "hand_over")
    assert real.judged().verdict == "sound"


def test_points_lifted_during_the_hand_count_in_it():  # CAN-49
    real = RealGame("canasta", {**TARGETS["canasta"], "target_check": "immediate"})
    real.hand()
    ordered(real, PointsChange(1, 8999 - real.sheet.totals[1]))
    real.deal()
    overturned(real)
    real.play()
    assert (real.sheet.hands[-1].end, real.table.phase) == ("target_reached", "hand_over")
    assert real.judged().verdict == "sound"


def test_a_hand_that_the_third_edition_of_canasta_dealt_is_broken_off_after_a_ruling():
    real = in_the_second_hand(0, edition=3)
    real.adjust(PointsChange(1, FAR))
    real.play(1)
    assert (real.sheet.hands[-1].end, real.table.phase) == ("target_reached", "game_over")
    assert real.judged().verdict == "sound"


@each("key", TARGETS)
def test_before_the_first_hand_there_is_no_end_to_look_at(key: str):
    real = RealGame(key, TARGETS[key])
    real.adjust(PointsChange(1, FAR))
    assert (real.table.phase, real.sheet.finished) == ("no_hand", False)


@pytest.mark.parametrize("key", TARGETS)
def test_a_game_that_is_over_stays_over_when_points_are_taken_away_and_its_places_are_reckoned_anew(key: str):
    real = after_a_hand(key)
    real.adjust(PointsChange(1, FAR))
    real.adjust(PointsChange(1, -2 * FAR))
    assert (real.table.phase, real.sheet.finished, real.sheet.places) == ("game_over", True, (1, 2))
    assert adjusted(real)[-1].effects is UNSET
    assert real.judged().verdict == "sound"


def test_an_order_of_several_changes_is_looked_at_as_a_whole():  # CNO-66: they tie, so another hand is played
    real = after_a_hand("casino")
    one, two = real.sheet.totals
    real.adjust(PointsChange(0, 200 - one), PointsChange(1, 200 - two))
    assert (real.sheet.totals, real.table.phase) == ((200, 200), "hand_over")
    assert [event.further for event in adjusted(real)] == [True, UNSET]
    real.adjust(PointsChange(0, -1), PointsChange(1, -3))
    assert (real.sheet.totals, real.table.phase, real.sheet.winners) == ((199, 197), "game_over", (0,))
    assert real.judged().verdict == "sound"


def test_an_order_whose_last_change_is_missing_is_found():
    real = after_a_hand("casino")
    real.adjust(PointsChange(0, 1), PointsChange(1, 1))
    del real.history[-1]
    last = real.game.position
    told = [(one.position, one.kind, one.recorded, one.recomputed) for one in real.judged().divergences]
    assert told == [(last, "act", "nothing after it", "points.adjusted/1 of the same order")]


def test_the_end_of_a_game_that_was_left_out_or_made_up_is_found():
    real = after_a_hand("canasta")
    real.adjust(PointsChange(1, FAR))
    last = real.last
    assert isinstance(last, PointsAdjusted)
    for wrong in (replace(last, places=None, effects=UNSET), replace(last, points=5)):
        del real.history[-1]
        real.add(wrong)
        assert (real.game.position, "act") in [(one.position, one.kind) for one in audit(real.history, EDITIONS).divergences]


@pytest.mark.parametrize("key", TARGETS)
def test_points_end_no_game_whose_hand_was_dealt_by_an_edition_before(key: str):
    real = RealGame(key, TARGETS[key], edition={"casino": 1, "canasta": 2}[key])
    real.hand()
    real.adjust(PointsChange(1, FAR))
    assert (adjusted(real)[0].effects, real.table.phase) == (UNSET, "hand_over")
    assert real.judged().verdict == "sound"


# Lifted points


@pytest.mark.parametrize("key", TARGETS)
def test_a_game_that_was_over_only_because_of_points_goes_on_when_they_are_lifted(key: str):
    real = after_a_hand(key)
    before = real.table
    ordered(real, PointsChange(1, FAR))
    assert real.table.phase == "game_over"
    overturned(real)
    assert isinstance(real.last, OrderLifted)
    assert (real.last.reopened, real.last.places) == (True, None)
    assert replace(real.table, score=replace(real.table.score, lifted=())) == before
    real.hand()
    assert [hand.hand for hand in real.sheet.hands] == [1, 2]
    assert real.judged().verdict == "sound"


def test_a_game_stays_over_when_points_are_lifted_that_did_not_end_it():
    real = after_a_hand("canasta")
    ordered(real, PointsChange(0, 10))
    real.adjust(PointsChange(1, FAR))
    overturned(real)
    assert (real.table.phase, real.sheet.places) == ("game_over", (2, 1))
    assert isinstance(real.last, OrderLifted)
    assert real.last.reopened is UNSET
    assert real.judged().verdict == "sound"


def test_a_game_stays_over_if_other_points_reach_the_target_by_themselves():
    real = after_a_hand("canasta")
    ordered(real, PointsChange(1, FAR))
    real.adjust(PointsChange(0, FAR))
    overturned(real)
    assert (real.table.phase, real.sheet.winners) == ("game_over", (0,))
    assert real.judged().verdict == "sound"


def test_a_game_that_ended_by_play_stays_over_when_points_are_lifted():
    real = RealGame("casino", {"target": 1})
    real.hand()
    ordered(real, PointsChange(1, 50))
    overturned(real)
    assert (real.table.phase, real.sheet.finished) == ("game_over", True)
    assert real.judged().verdict == "sound"


def test_a_penalty_that_is_lifted_may_bring_the_target():
    real = after_a_hand("canasta")
    ordered(real, PointsChange(1, -2 * FAR))
    real.adjust(PointsChange(1, FAR))
    assert real.table.phase == "hand_over"
    overturned(real)
    assert isinstance(real.last, OrderLifted)
    assert (real.last.effects, real.table.phase) == ((GameClosed((2, 1), {}),), "game_over")
    assert real.judged().verdict == "sound"


def test_of_several_changes_that_are_lifted_the_last_decides():
    real = after_a_hand("canasta")
    ordered(real, PointsChange(0, FAR), PointsChange(1, FAR))
    assert real.table.phase == "game_over"
    overturned(real)
    liftings: list[Any] = [one.event for one in real.history if isinstance(one.event, OrderLifted)]
    assert [(one.further, one.reopened) for one in liftings] == [(True, UNSET), (UNSET, True)]
    assert real.table.phase == "hand_over"
    assert real.judged().verdict == "sound"


def test_a_ruling_that_goes_back_behind_the_end_lets_the_game_go_on():
    real = after_a_hand("canasta")
    to = real.game.position - 1
    real.adjust(PointsChange(1, FAR))
    real.rule(DisputeRuled(0, None, "arbiter", "rewind", None), Order(to=to, restored=real.at(to)))
    assert real.table.in_hand
    real.play()
    assert (real.table.phase, real.sheet.winners) == ("game_over", (1,))
    assert real.judged().verdict == "sound"


@pytest.mark.parametrize("key", TARGETS)
def test_going_back_gives_no_points_and_ends_nothing_and_the_next_hand_that_is_over_does(key: str):
    """The points were given in a hand that is taken back, and stay. Who goes back says from where play goes on."""
    real = after_a_hand(key)
    to = real.game.position
    real.deal()
    real.adjust(PointsChange(1, FAR))
    real.rule(DisputeRuled(0, None, "arbiter", "rewind", None), Order(to=to, restored=real.at(to)))
    assert (real.table.phase, real.sheet.totals[1] > FAR / 2) == ("hand_over", True)
    real.hand()
    assert (real.table.phase, real.sheet.winners) == ("game_over", (1,))
    assert real.judged().verdict == "sound"
