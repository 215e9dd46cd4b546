"""Hands of which only the result is known (COM-67), in the history of their game."""

from typing import Any

import pytest

from domain.effects import GameClosed, HandClosed, HandOpened, Scored
from domain.errors import Refused
from domain.events.game import DisputeRuled, GameAbandoned, GameAnnulled, GameSuspended, HandEndedEarly, HandReported, HandResult
from domain.games import EDITIONS, RULESETS
from domain.score import HandSheet
from replay.audit import audit
from replay.audit_result import AuditRemark
from tests.domain.recorded import Order, PointsChange, RealGame
from tests.each import each

SEATS = {"cascades": 1, "quartett-classic": 3}
POINTS: dict[str, dict[str, Any]] = {
    "alcasan": {"points": [1, 0]},
    "cascades": {"points": [30]},
    "canasta": {"points": [1240, -35]},
    "quartett-trumpf": {"points": [1, 0]},
    "quartett-classic": {"points": [3, 4, 1]},
    "casino": {"points": [7, 4]},
}
"""By ruleset what a hand may have brought."""

every_game = pytest.mark.parametrize("key", RULESETS)


def opened(key: str, **options: object) -> RealGame:
    return RealGame(key, options, SEATS.get(key, 2))


def refused_with(real: RealGame, result: object, dealer: object = 0) -> tuple[str, tuple[str, ...]]:
    before = real.game
    with pytest.raises(Refused) as refused:
        real.report(dealer, result)
    assert real.game == before
    return refused.value.code, refused.value.rules


@every_game
def test_a_reported_hand_of_every_game_counts_on_its_sheet_and_is_marked(key: str):
    real = opened(key)
    real.report(0, POINTS[key])
    (hand,) = real.sheet.hands
    points = tuple(POINTS[key]["points"])
    assert (hand.hand, hand.dealer, hand.points, hand.totals, hand.facts) == (1, 0, points, points, {"reported": True})
    assert real.sheet.totals == points
    assert not real.table.zones


@every_game
def test_the_rows_of_a_reported_hand_add_up_to_its_points(key: str):
    real = opened(key)
    real.report(0, POINTS[key])
    (hand,) = real.sheet.hands
    assert tuple(map(sum, zip(*hand.rows.values(), strict=True))) == hand.points


def test_of_a_game_with_several_rows_nothing_is_claimed_of_them_where_nobody_told_them():
    real = opened("casino")
    real.report(1, {"points": [7, 4]})
    assert real.sheet.hands == (HandSheet(1, 1, "played_out", {"result": (7, 4)}, (7, 4), (7, 4), {"reported": True}),)


def test_of_a_game_with_one_row_the_points_are_that_row():
    real = opened("quartett-classic")
    real.report(2, {"points": [3, 4, 1]})
    assert real.sheet.hands == (HandSheet(1, 2, "reported", {"quartets": (3, 4, 1)}, (3, 4, 1), (3, 4, 1), {"reported": True}),)


def test_rows_that_were_told_stand_on_the_sheet_and_the_others_hold_nothing():
    real = opened("casino")
    rows: dict[str, tuple[int, ...]] = dict.fromkeys(real.game.setup.rows, (0, 0))
    real.report(0, {"points": [5, 2], "rows": {"big_casino": [2, 0], "cards": [3, 0], "little_casino": [0, 1], "ace_clubs": [0, 1]}})
    told = {"cards": (3, 0), "big_casino": (2, 0), "little_casino": (0, 1), "ace_clubs": (0, 1)}
    assert real.sheet.hands[0].rows == {**rows, **told}
    assert list(real.sheet.hands[0].rows) == list(real.game.setup.rows)


def test_the_event_holds_the_result_as_it_was_told_and_what_follows_from_it():
    real = opened("casino", target=7)
    real.report(0, {"points": [7, 4], "end": "played_out"})
    assert real.last == HandReported(
        0,
        real.ruleset.edition,
        HandResult((7, 4), end="played_out"),
        (
            HandOpened(1, 0),
            Scored("result", (7, 4)),
            HandClosed("played_out", {"reported": True}),
            GameClosed((1, 2), {"target": 7, "decided_by": "total"}),
        ),
    )


ENDS: tuple[tuple[str, dict[str, Any], dict[str, Any], tuple[int | None, ...]], ...] = (
    ("alcasan", {}, {"points": [0, 1]}, (2, 1)),
    ("cascades", {}, {"points": [35]}, (None,)),
    ("cascades", {}, {"points": [36]}, (1,)),
    ("cascades", {"variant": "ace", "pawns": True}, {"points": [34]}, (1,)),
    ("canasta", {"target_score": 1000}, {"points": [1000, 985]}, (1, 2)),
    ("canasta", {"start_totals": [4900, 0]}, {"points": [100, 2000]}, (1, 2)),
    ("canasta", {"end": "hands", "hand_count": 1}, {"points": [5, 5]}, (1, 1)),
    ("quartett-trumpf", {}, {"points": [0, 1]}, (2, 1)),
    ("quartett-classic", {}, {"points": [3, 4, 3]}, (2, 1, 2)),
    ("casino", {"target": 11}, {"points": [11, 3]}, (1, 2)),
    ("casino", {"target": 11, "variant": "royal"}, {"points": [11, 12]}, (2, 1)),
    (
        "casino",
        {"target": 5, "variant": "royal"},
        {"points": [5, 6], "rows": {"cards": [3, 0], "spades": [1, 0], "sweeps": [1, 6]}},
        (2, 1),
    ),
    (
        "casino",
        {"target": 4, "variant": "royal"},
        {"points": [4, 6], "rows": {"cards": [3, 0], "spades": [1, 0], "sweeps": [0, 6]}},
        (1, 2),
    ),
)


@each(("key", "options", "result", "places"), ENDS)
def test_a_reported_hand_that_brings_the_end_of_the_game_ends_it_in_the_same_event(
    key: str, options: dict[str, Any], result: dict[str, Any], places: tuple[int | None, ...]
):
    real = opened(key, **options)
    real.report(0, result)
    assert (real.table.phase, real.sheet.finished, real.sheet.places) == ("game_over", True, places)
    assert refused_with(real, result)[0] == "game_over"
    assert real.judged().verdict == "sound"


GO_ON: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    ("alcasan", {"deals": 2}, {"points": [0, 1]}),
    ("canasta", {}, {"points": [4999, 0]}),
    ("canasta", {"end": "hands"}, {"points": [9000, 0]}),
    ("quartett-trumpf", {"deals": 2}, {"points": [0, 1]}),
    ("quartett-classic", {"deals": 2}, {"points": [3, 4, 3]}),
    ("casino", {}, {"points": [20, 1]}),
    ("casino", {}, {"points": [21, 21]}),
)


@pytest.mark.parametrize(("key", "options", "result"), GO_ON)
def test_a_game_goes_on_after_a_reported_hand_that_does_not_bring_its_end(key: str, options: dict[str, Any], result: dict[str, Any]):
    real = opened(key, **options)
    real.report(0, result)
    assert (real.table.phase, real.sheet.finished) == ("hand_over", False)
    real.hand()
    assert [hand.hand for hand in real.sheet.hands] == [1, 2]
    assert real.judged().verdict == "sound"


def test_numbers_of_hands_and_the_order_of_dealers_go_on_over_played_and_reported_hands():
    real = opened("canasta", end="hands", hand_count=4)
    real.deal()
    dealer = real.table.dealer or 0
    real.play()
    assert refused_with(real, POINTS["canasta"], dealer) == ("bad_dealer", ("COM-15", "CAN-6"))
    real.report(1 - dealer, POINTS["canasta"])
    real.hand()
    real.report(1 - dealer, POINTS["canasta"])
    assert [(hand.hand, hand.dealer) for hand in real.sheet.hands] == [(1, dealer), (2, 1 - dealer), (3, dealer), (4, 1 - dealer)]
    assert (real.sheet.finished, real.judged().verdict) == (True, "sound")


FORMS: dict[str, object] = {
    "nothing": None,
    "a list": [7, 4],
    "without points": {"rows": {}},
    "with another field": {"points": [7, 4], "winner": 0},
    "points that are no list": {"points": 7},
    "too few points": {"points": [7]},
    "too many points": {"points": [7, 4, 1]},
    "a fraction": {"points": [7.0, 4]},
    "true for a number": {"points": [True, 4]},
    "text for a number": {"points": ["7", 4]},
    "more than a million": {"points": [1_000_001, 4]},
    "more than a store holds": {"points": [2**70, 4]},
    "rows that are null": {"points": [7, 4], "rows": None},
    "a row of another game": {"points": [7, 4], "rows": {"quartets": [7, 4]}},
    "a row with too few points": {"points": [7, 0], "rows": {"cards": [7]}},
    "rows that do not add up": {"points": [7, 4], "rows": {"cards": [3, 0]}},
    "no rows, but points": {"points": [7, 4], "rows": {}},
    "an end of another game": {"points": [7, 4], "end": "went_out"},
    "an end of a hand that does not count": {"points": [7, 4], "end": "stopped"},
    "the end of which nobody told": {"points": [7, 4], "end": "reported"},
    "an end that is null": {"points": [7, 4], "end": None},
}


@each("result", FORMS.values(), ids=FORMS)
def test_a_result_that_cannot_be_counted_is_refused_and_changes_nothing(result: object):
    assert refused_with(opened("casino"), result) == ("bad_result", ("COM-67",))


SOLITAIRES: dict[str, dict[str, Any]] = {
    "more cards than there are": {"points": [37]},
    "fewer than none": {"points": [-1]},
    "all cards, and stuck": {"points": [36], "end": "stuck"},
    "not all cards, and complete": {"points": [35], "end": "complete"},
}


@each("result", SOLITAIRES.values(), ids=SOLITAIRES)
def test_the_end_of_a_solitaire_follows_from_its_cards(result: dict[str, Any]):
    assert refused_with(opened("cascades"), result) == ("bad_result", ("COM-67",))


def test_a_hand_is_broken_off_at_the_target_only_where_the_match_is_played_so():
    result = {"points": [6000, 20], "end": "target_reached"}
    assert refused_with(opened("canasta"), result) == ("bad_result", ("COM-67",))
    real = opened("canasta", target_check="immediate")
    real.report(0, result)
    assert [hand.end for hand in real.sheet.hands] == ["target_reached"]


@every_game
def test_no_hand_is_reported_while_another_is_in_progress(key: str):
    real = opened(key)
    real.deal()
    assert refused_with(real, POINTS[key])[0] == "hand_in_progress"


def test_the_dealer_is_looked_at_before_the_result():
    assert refused_with(opened("casino"), None, 2) == ("bad_dealer", ("COM-15", "CNO-8"))
    assert refused_with(opened("casino"), None, None) == ("bad_dealer", ("COM-15", "CNO-8"))


@each("halt", [GameSuspended(None), GameAbandoned(None), GameAnnulled(None)])
def test_nothing_is_reported_in_a_game_that_officials_halted(halt: GameSuspended | GameAbandoned | GameAnnulled):
    real = opened("casino")
    real.enact(halt)
    assert refused_with(real, POINTS["casino"]) == (f"game_{real.game.docket.standing}", ("COM-65",))


def test_the_recorder_takes_a_report_back_and_the_hand_before_it_is_the_last_again():
    real = opened("casino", target=50)
    real.report(0, {"points": [7, 4]})
    before = real.table
    real.report(1, {"points": [1, 10]})
    real.rewind(2)
    assert (real.table, real.sheet.totals, real.sheet.struck) == (before, (7, 4), opened("casino").sheet.struck)
    real.report(1, {"points": [2, 9]})
    assert [(hand.hand, hand.points) for hand in real.sheet.hands] == [(1, (7, 4)), (2, (2, 9))]
    assert real.judged().verdict == "sound"


def test_the_first_report_is_taken_back_to_the_opening_and_a_hand_may_be_dealt_in_its_place():
    real = opened("casino")
    opening = real.table
    real.report(0, {"points": [7, 4]})
    real.rewind(1)
    assert real.table == opening
    real.hand()
    assert [hand.hand for hand in real.sheet.hands] == [1]
    assert "reported" not in real.sheet.hands[0].facts
    assert real.judged().verdict == "sound"


def test_a_report_is_taken_back_no_further_than_into_the_hand_before():
    real = opened("casino", target=50)
    real.hand()
    dealt = 2
    real.hand()
    second = next(deal.position for deal in real.game.deals if deal.hand == 2)
    real.report(1 - (real.table.dealer or 0), {"points": [7, 4]})
    for to in (1, dealt, second - 1):
        with pytest.raises(Refused) as refused:
            real.game.check_rewind(to)
        assert refused.value.code == "rewind_too_far"
    real.game.check_rewind(second)


def test_a_report_on_which_an_official_has_ruled_is_not_taken_back_by_the_recorder():
    real = opened("casino", target=50)
    real.report(0, {"points": [7, 4]})
    real.adjust(PointsChange(0, 3, 1))
    with pytest.raises(Refused) as refused:
        real.rewind(1)
    assert refused.value.code == "rewind_past_ruling"
    assert real.sheet.totals == (10, 4)


def test_a_ruling_strikes_a_reported_hand_out_and_it_stays_on_the_sheet_marked():
    real = opened("casino", target=50)
    real.report(0, {"points": [7, 4]})
    real.rule(DisputeRuled(0, None, "arbiter", "rewind", None), Order(to=1, restored=real.at(1)))
    assert (real.sheet.hands, real.sheet.totals) == ((), (0, 0))
    assert [(hand.hand, hand.points, hand.facts, hand.ruling) for hand in real.sheet.struck or ()] == [(1, (7, 4), {"reported": True}, 1)]
    assert real.judged().verdict == "sound"


def test_points_of_a_ruling_end_a_game_of_reported_hands():
    real = opened("canasta")
    real.report(0, {"points": [4800, 100]})
    real.adjust(PointsChange(0, 200, 1))
    assert (real.sheet.finished, real.sheet.winners) == (True, (0,))
    assert real.judged().verdict == "sound"


@every_game
def test_of_a_reported_hand_nothing_can_be_stopped(key: str):
    real = opened(key)
    real.report(0, POINTS[key])
    with pytest.raises(Refused) as refused:
        real.enact(HandEndedEarly((), True, None))
    assert refused.value.code in ("no_hand_to_stop", "game_over")


@every_game
def test_the_audit_judges_the_report_and_says_that_there_is_nothing_to_replay_in_it(key: str):
    real = opened(key)
    real.report(0, POINTS[key])
    found = real.judged()
    assert (found.verdict, found.events, found.judged, found.divergences, found.unjudged) == ("sound", 2, 2, (), ())
    assert found.remarks == (AuditRemark(2, "only the result of hand 1 is known: there are no moves in it to judge"),)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "rows that do not add up": ({"result": HandResult((7, 4), {"cards": (3, 0)})}, "refused"),
    "other points": ({"effects": (HandOpened(1, 0), Scored("result", (7, 5)), HandClosed("played_out", {"reported": True}))}, "effects"),
    "another number": ({"effects": (HandOpened(2, 0), Scored("result", (7, 4)), HandClosed("played_out", {"reported": True}))}, "effects"),
    "an end that does not follow": (
        {"effects": (HandOpened(1, 0), Scored("result", (7, 4)), HandClosed("played_out", {"reported": True}), GameClosed((1, 2), {}))},
        "effects",
    ),
    "a dealer who is none": ({"dealer": 5}, "refused"),
}


@each(("change", "kind"), WRONG.values(), ids=WRONG)
def test_the_audit_finds_a_report_that_cannot_have_been_recorded_so(change: dict[str, Any], kind: str):
    real = opened("casino")
    event = real.game.report(real.rulebook, real.ruleset.edition, 0, {"points": [7, 4]})
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    real.add(HandReported(**{**fields, **change}))
    assert kind in {one.kind for one in audit(real.history, EDITIONS).divergences}


@every_game
def test_everybody_may_see_all_of_a_reported_hand_and_nothing_lies_on_its_table(key: str):
    real = opened(key)
    real.report(0, POINTS[key])
    view = real.rulebook.view(real.table)
    assert (view["phase"], view["to_act"]) == (real.table.phase, ())
    assert view["totals"] == tuple(POINTS[key]["points"])
