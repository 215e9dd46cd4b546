"""Results that are told: entered and confirmed, forfeited, adjourned, taken back."""

from typing import Any

import pytest

from domain.errors import Unknown
from domain.events.tournament import (
    ResultConfirmed,
    ResultEntered,
    ResultWithdrawn,
    RoundClosed,
    TableAdjourned,
    TableForfeited,
    TournamentEnded,
)
from domain.tournament.results import (
    confirm_result,
    decide_result,
    enter_result,
    forfeit_table,
    record_adjourned_table,
    report_result,
    warn_about_result,
    withdraw_result,
)
from domain.tournament.tally import missing_results, tally_rounds
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark
from tests.domain.tournament.recorded import PAIRS, entries, game, paired, plan, recorded, refusal
from tests.each import each


def duel(*said: Any) -> Tournament:
    return recorded(plan(), *entries(2), paired(1, (1, 2)), *said)


BY_ONE = ResultEntered(1, "1", (3, 5), 1)
DECIDED = ResultEntered(1, "1", (3, 5), None)


def test_a_side_enters_a_result_and_the_other_confirms_it():
    assert enter_result(duel(), 1, "1", [3, 5], 1) == BY_ONE
    assert confirm_result(duel(BY_ONE), 1, "1", 2) == ResultConfirmed(1, "1", 2)


def test_who_enters_the_same_confirms_it():
    assert enter_result(duel(BY_ONE), 1, "1", [3, 5], 2) == ResultConfirmed(1, "1", 2)


def test_who_enters_something_else_begins_anew():
    assert enter_result(duel(BY_ONE), 1, "1", [4, 5], 2) == ResultEntered(1, "1", (4, 5), 2)


def test_who_says_otherwise_than_another_side_is_told_so():
    otherwise = ResultEntered(1, "1", (4, 5), 2)
    assert warn_about_result(duel(BY_ONE), otherwise) == (Remark("said_otherwise", {"table": "1", "sides": (1,), "points": (3, 5)}),)
    corrected, final = ResultEntered(1, "1", (4, 5), 1), ResultEntered(1, "1", (4, 5), None)
    assert [warn_about_result(duel(), BY_ONE), warn_about_result(duel(BY_ONE), corrected), warn_about_result(duel(BY_ONE), final)] == [
        (),
        (),
        (),
    ]


def test_nobody_confirms_his_own_word():
    with refusal("confirmed_already", table="1", side=1):
        confirm_result(duel(BY_ONE), 1, "1", 1)
    with refusal("confirmed_already", table="1", side=1):
        enter_result(duel(BY_ONE), 1, "1", [3, 5], 1)
    partners = recorded(plan(PAIRS, entrants="players"), *entries(4), paired(1, (1, 2, 3, 4)), BY_ONE)
    with refusal("confirmed_already", table="1", side=3):
        confirm_result(partners, 1, "1", 3)
    assert confirm_result(partners, 1, "1", 4) == ResultConfirmed(1, "1", 4)


def test_there_has_to_be_something_to_confirm():
    with refusal("nothing_to_confirm", table="1"):
        confirm_result(duel(), 1, "1", 2)


def test_only_those_at_the_table_speak():
    with refusal("not_at_this_table", table="1", entrants=(7,)):
        enter_result(duel(), 1, "1", [3, 5], 7)
    with refusal("not_at_this_table", table="1", entrants=(7,)):
        confirm_result(duel(BY_ONE), 1, "1", 7)
    with refusal("not_at_this_table", table="1", entrants=(7,)):
        forfeit_table(duel(), 1, "1", [1, 7], None)


def test_every_party_has_points():
    with refusal("points_per_party", table="1", needed=2, given=1):
        enter_result(duel(), 1, "1", [3], 1)
    with refusal("points_per_party", table="1", needed=2, given=3):
        decide_result(duel(), 1, "1", [3, 5, 7])


def test_the_word_of_the_director_is_final():
    assert decide_result(duel(BY_ONE), 1, "1", [21, 17]) == ResultEntered(1, "1", (21, 17), None)
    for said in (DECIDED, TableForfeited(1, "1", (2,), None)):
        for decide in (entered_by_two, lambda now: confirm_result(now, 1, "1", 2), lambda now: record_adjourned_table(now, 1, "1", None)):
            with refusal("director_has_decided", table="1"):
                decide(duel(said))


def entered_by_two(now: Tournament) -> object:
    return enter_result(now, 1, "1", [3, 5], 2)


def test_a_forfeit_names_who_did_not_come():
    assert forfeit_table(duel(), 1, "1", [2, 2], None) == TableForfeited(1, "1", (2,), None)


def test_sides_say_nothing_after_their_round_was_closed_unless_their_table_was_adjourned():
    with refusal("round_closed", round=1):
        entered_by_two(duel(DECIDED, RoundClosed(1)))
    assert entered_by_two(duel(TableAdjourned(1, "1", None), RoundClosed(1))) == ResultEntered(1, "1", (3, 5), 2)


def test_a_table_is_adjourned_once():
    assert record_adjourned_table(duel(), 1, "1", None) == TableAdjourned(1, "1", None)
    with refusal("adjourned_already", table="1"):
        record_adjourned_table(duel(TableAdjourned(1, "1", None)), 1, "1", None)


@each("said", [BY_ONE, DECIDED, TableForfeited(1, "1", (2,), None), TableAdjourned(1, "1", None)])
def test_what_was_said_can_be_taken_back(said: Any):
    assert withdraw_result(duel(said), 1, "1", None) == ResultWithdrawn(1, "1", None)
    with refusal("nothing_to_withdraw", table="1"):
        withdraw_result(duel(said, ResultWithdrawn(1, "1", None)), 1, "1", None)


def test_a_director_puts_a_result_right_after_the_end():
    over = duel(DECIDED, RoundClosed(1), TournamentEnded("finished", None))
    assert decide_result(over, 1, "1", [4, 4]) == ResultEntered(1, "1", (4, 4), None)
    assert forfeit_table(over, 1, "1", [1], None) == TableForfeited(1, "1", (1,), None)
    assert withdraw_result(over, 1, "1", None) == ResultWithdrawn(1, "1", None)
    with refusal("tournament_ended"):
        entered_by_two(over)


def test_of_a_cancelled_tournament_nothing_is_put_right():
    over = duel(DECIDED, TournamentEnded("cancelled", None))
    for decide in (
        lambda: decide_result(over, 1, "1", [4, 4]),
        lambda: forfeit_table(over, 1, "1", [1], None),
        lambda: withdraw_result(over, 1, "1", None),
    ):
        with refusal("tournament_ended"):
            decide()


def test_rounds_and_tables_have_to_be_there():
    for round, table in ((2, "1"), (1, "2")):
        with pytest.raises(Unknown):
            decide_result(duel(), round, table, [1, 2])


@each(("points", "slip"), [((2100, 0), None), ((2101, 0), 2101), ((7, -200120), -200120)])
def test_points_beyond_a_hundred_times_the_target_are_remarked(points: tuple[int, int], slip: int | None):
    tournament = recorded(plan(options={"target": 21}), *entries(2), paired(1, (1, 2)))
    remarks = warn_about_result(tournament, decide_result(tournament, 1, "1", points))
    assert remarks == (() if slip is None else (Remark("implausible_points", {"table": "1", "target": 21, "points": slip}),))


def test_points_are_never_implausible_where_no_target_ends_a_game():
    tournament = recorded(plan(), *entries(2), paired(1, (1, 2)))
    assert warn_about_result(tournament, decide_result(tournament, 1, "1", (10**9, 0))) == ()


# Players enter the results of their own tables.

OWN = plan(own_results=True)
OTHERWISE = ResultEntered(1, "1", (5, 3), 2)


def own_duel(*said: Any) -> Tournament:
    return recorded(OWN, *entries(2), paired(1, (1, 2)), *said)


def differing(now: Tournament) -> Any:
    lacks = [(one.code, one.detail) for one in missing_results(now, (), 1)]
    return lacks, tally_rounds(now, ())[0].points


def test_two_sides_that_enter_different_points_count_nothing_and_both_are_told():
    lacks = [("results_differ", {"sides": (1,), "results": ("3 : 5", "5 : 3")})]
    assert differing(own_duel(BY_ONE, OTHERWISE)) == (lacks, None)
    corrected = ResultEntered(1, "1", (4, 5), 1)
    lacks = [("results_differ", {"sides": (2,), "results": ("5 : 3", "4 : 5")})]
    assert differing(own_duel(BY_ONE, OTHERWISE, corrected)) == (lacks, None)


def test_a_side_that_comes_round_to_the_other_settles_the_difference():
    now = own_duel(BY_ONE, OTHERWISE)
    assert report_result(now, 1, "1", [5, 3], 1) == ResultConfirmed(1, "1", 1)
    given_in = report_result(now, 1, "1", [3, 5], 2)
    assert given_in == ResultEntered(1, "1", (3, 5), 2, agreed=(1,))
    assert differing(own_duel(BY_ONE, OTHERWISE, given_in)) == ([], (3, 5))


def test_without_own_results_the_first_side_has_to_say_so_once_more():
    assert enter_result(duel(BY_ONE, OTHERWISE), 1, "1", [3, 5], 2) == ResultEntered(1, "1", (3, 5), 2)


def test_of_four_who_play_alone_each_holds_to_his_last_word():
    alone = plan(((0,), (1,), (2,), (3,)), entrants="players", own_results=True)
    said = (ResultEntered(1, "1", (4, 3, 2, 1), 1), ResultConfirmed(1, "1", 3), ResultEntered(1, "1", (1, 2, 3, 4), 2))
    now = recorded(alone, *entries(4), paired(1, (1, 2, 3, 4)), *said, ResultEntered(1, "1", (9, 3, 2, 1), 3))
    assert differing(now)[0] == [("results_differ", {"sides": (1, 2, 4), "results": ("4 : 3 : 2 : 1", "1 : 2 : 3 : 4", "9 : 3 : 2 : 1")})]
    assert report_result(now, 1, "1", [4, 3, 2, 1], 2) == ResultEntered(1, "1", (4, 3, 2, 1), 2, agreed=(1,))


def test_a_result_that_counts_is_no_longer_entered_by_players():
    for now, code in (
        (own_duel(BY_ONE, ResultConfirmed(1, "1", 2)), "result_stands"),
        (own_duel(DECIDED), "director_has_decided"),
        (own_duel(TableForfeited(1, "1", (2,), None)), "director_has_decided"),
    ):
        with refusal(code, table="1"):
            report_result(now, 1, "1", [4, 4], 1)
    with refusal("result_stands", table="1"):
        report_result(own_duel(), 1, "1", [4, 4], 1, [game(1, ("p1", "p2"), (21, 3))])


def test_the_director_overrules_what_players_agreed_on_or_not():
    for said in ((BY_ONE, ResultConfirmed(1, "1", 2)), (BY_ONE, OTHERWISE)):
        assert differing(own_duel(*said, decide_result(own_duel(*said), 1, "1", [7, 7]))) == ([], (7, 7))
