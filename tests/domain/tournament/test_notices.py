"""Notices to a table: extra time, and a call to the director."""

from domain.events.tournament import ResultEntered, RoundClosed, TableAdjourned, TableNoticeSet, TournamentEnded
from domain.tournament.notices import notify_table
from domain.tournament.state import EnteredResult, RoundTable
from tests.domain.tournament.recorded import refusal
from tests.domain.tournament.test_results import DECIDED, duel

LATE = TableNoticeSet(1, "1", 5, False)


def test_a_notice_says_only_what_changes_and_keeps_the_rest():
    assert notify_table(duel(), 1, "1", 5, None) == LATE
    assert notify_table(duel(LATE), 1, "1", None, True) == TableNoticeSet(1, "1", 5, True)
    assert duel(LATE, TableNoticeSet(1, "1", 5, True)).table(1, "1") == RoundTable("1", (1, 2), extra_minutes=5, called=True)


def test_players_call_the_director_beside_what_the_director_tells_them():
    assert notify_table(duel(LATE), 1, "1", calls=True) == TableNoticeSet(1, "1", 5, False, True)
    assert notify_table(duel(LATE, TableNoticeSet(1, "1", 5, False, True)), 1, "1", calls=False) == LATE


def test_the_same_notice_is_given_once():
    with refusal("notice_stands", table="1"):
        notify_table(duel(LATE), 1, "1", 5, None)
    with refusal("notice_stands", table="1"):
        notify_table(duel(), 1, "1", None, False)


def test_a_result_of_the_director_ends_the_notice_and_one_of_a_side_does_not():
    assert duel(LATE, DECIDED).table(1, "1") == RoundTable("1", (1, 2), EnteredResult((3, 5)))
    assert duel(LATE, ResultEntered(1, "1", (21, 17), 1)).table(1, "1").extra_minutes == 5


def test_only_tables_that_may_still_play_get_one():
    with refusal("round_closed", round=1):
        notify_table(duel(DECIDED, RoundClosed(1)), 1, "1", 5, None)
    with refusal("tournament_ended"):
        notify_table(duel(TournamentEnded("cancelled", None)), 1, "1", 5, None)
    assert notify_table(duel(TableAdjourned(1, "1", None), RoundClosed(1)), 1, "1", 5, None) == LATE
