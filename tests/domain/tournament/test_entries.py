"""Entering, substituting, withdrawing and returning."""

from typing import Any

import pytest

from domain.errors import Unknown
from domain.events.tournament import EntryAccepted, EntryChanged, EntryReturned, EntryWithdrawn, RoundClosed, TournamentEnded
from domain.tournament.entries import accept_entry, change_entry, return_entry, sit_out, withdraw_entry
from domain.tournament.games import keep_id
from tests.domain.tournament.recorded import PAIRS, entries, paired, pairs, plan, recorded, refusal
from tests.each import each

FIRST_ROUND = (*entries(2), paired(1, (1, 2)))


def test_entrants_are_numbered_in_the_order_of_entry():
    assert accept_entry(recorded(plan()), ["p1"], None, None) == EntryAccepted(1, ("p1",), 1)
    assert accept_entry(recorded(plan(), *entries(2)), ["p9"], 1500, None) == EntryAccepted(3, ("p9",), 1, 1500)


def test_a_late_entry_plays_from_the_next_round_that_is_paired():
    assert accept_entry(recorded(plan(), *FIRST_ROUND), ["p9"], None, None).from_round == 2
    assert accept_entry(recorded(plan(), *FIRST_ROUND), ["p9"], None, 4).from_round == 4
    with refusal("round_is_paired", round=1, next=2):
        accept_entry(recorded(plan(), *FIRST_ROUND), ["p9"], None, 1)


@each("format", ["knockout", "round_robin"])
def test_where_all_pairings_rest_on_the_field_of_the_start_nobody_enters_late(format: Any):
    with refusal("entries_closed", format=format):
        accept_entry(recorded(plan(format=format), *FIRST_ROUND), ["p9"], None, None)


def test_nobody_enters_after_the_last_planned_round_was_paired():
    with refusal("no_more_rounds", rounds=1):
        accept_entry(recorded(plan(rounds=1), *FIRST_ROUND), ["p9"], None, None)


def test_a_partnership_has_a_player_for_each_seat_of_a_party():
    assert accept_entry(recorded(plan(PAIRS)), ["a", "b"], None, None).players == ("a", "b")
    with refusal("players_per_entry", needed=2, given=1):
        accept_entry(recorded(plan(PAIRS)), ["a"], None, None)


def test_who_plays_with_changing_partners_enters_alone():
    with refusal("players_per_entry", needed=1, given=2):
        accept_entry(recorded(plan(PAIRS, entrants="players")), ["a", "b"], None, None)


def test_a_player_is_entered_once():
    with refusal("entered_already", player="p1b", entrant=1):
        accept_entry(recorded(plan(PAIRS), *pairs(1)), ["p1b", "c"], None, None)
    with refusal("player_twice", players=("a", "a")):
        accept_entry(recorded(plan(PAIRS)), ["a", "a"], None, None)


def test_two_ids_that_were_merged_are_one_player():
    person = {"old": "p1"}
    with refusal("entered_already", player="old", entrant=1):
        accept_entry(recorded(plan(), *entries(1)), ["old"], None, None, lambda id: person.get(id, id))


def test_a_substitute_may_sit_down_in_the_round_in_play():
    assert change_entry(recorded(plan(), *FIRST_ROUND), 1, ["x"], None) == EntryChanged(1, ("x",), 1)
    assert change_entry(recorded(plan(), *FIRST_ROUND, RoundClosed(1)), 1, ["x"], None) == EntryChanged(1, ("x",), 2)


def test_who_played_a_closed_round_does_not_change_any_more():
    with refusal("round_is_over", round=1, next=2):
        change_entry(recorded(plan(), *FIRST_ROUND, RoundClosed(1)), 1, ["x"], 1)


def test_a_line_up_is_not_changed_behind_a_later_one():
    with refusal("round_is_over", round=2, next=4):
        change_entry(recorded(plan(), *FIRST_ROUND, EntryChanged(1, ("x",), 4)), 1, ["y"], 2)


def test_a_substitute_plays_for_nobody_else():
    with refusal("entered_already", player="p2", entrant=2):
        change_entry(recorded(plan(), *FIRST_ROUND), 1, ["p2"], None)
    left = recorded(plan(), *entries(2), EntryWithdrawn(2, 1, None))
    assert change_entry(left, 1, ["p2"], None) == EntryChanged(1, ("p2",), 1)


def test_a_substitution_changes_something():
    with refusal("nothing_changes", entrant=1):
        change_entry(recorded(plan(), *FIRST_ROUND), 1, ["p1"], None)
    with pytest.raises(Unknown):
        change_entry(recorded(plan(), *FIRST_ROUND), 3, ["x"], None)


def test_who_withdraws_is_not_paired_from_the_next_round_on():
    assert withdraw_entry(recorded(plan(), *FIRST_ROUND), 1, None, None) == EntryWithdrawn(1, 2, None, follows=1)
    assert withdraw_entry(recorded(plan(), *FIRST_ROUND), 1, 3, None) == EntryWithdrawn(1, 3, None)
    with refusal("round_is_paired", round=1, next=2):
        withdraw_entry(recorded(plan(), *FIRST_ROUND), 1, 1, None)


def test_who_has_withdrawn_is_gone():
    gone = recorded(plan(), *FIRST_ROUND, EntryWithdrawn(1, 2, None))
    with refusal("entrant_withdrawn", entrant=1, round=2):
        withdraw_entry(gone, 1, None, None)
    with refusal("entrant_withdrawn", entrant=1, round=2):
        change_entry(gone, 1, ["x"], 2)


def test_who_has_withdrawn_returns_for_the_next_round_that_is_paired():
    gone = recorded(plan(), *FIRST_ROUND, EntryWithdrawn(1, 2, None), RoundClosed(1), paired(2, (2,)), RoundClosed(2))
    assert return_entry(gone, 1, None, None) == (EntryReturned(1, 3),)
    assert return_entry(gone, 1, 5, None) == (EntryReturned(1, 5),)
    with refusal("round_is_paired", round=2, next=3):
        return_entry(gone, 1, 2, None)


def test_a_withdrawal_from_a_later_round_is_taken_back_by_a_return():
    going = recorded(plan(), *FIRST_ROUND, EntryWithdrawn(1, 4, None))
    assert return_entry(going, 1, None, None) == (EntryReturned(1, 4),)
    with refusal("return_before_leaving", entrant=1, round=3, next=4):
        return_entry(going, 1, 3, None)


def test_only_who_has_withdrawn_returns():
    with refusal("entrant_not_withdrawn", entrant=1):
        return_entry(recorded(plan(), *FIRST_ROUND), 1, None, None)
    with refusal("entrant_not_withdrawn", entrant=1):
        return_entry(recorded(plan(), *FIRST_ROUND, EntryWithdrawn(1, 2, None), EntryReturned(1, 3)), 1, None, None)


def test_whoever_sits_out_a_round_announces_his_return_with_it():
    assert sit_out(recorded(plan(), *FIRST_ROUND), 1, 3, 4, keep_id, None) == (EntryWithdrawn(1, 3, None), EntryReturned(1, 4))
    assert sit_out(recorded(plan(), *FIRST_ROUND), 1, None, None, keep_id, None) == (EntryWithdrawn(1, 2, None, follows=1),)
    with refusal("return_before_leaving", entrant=1, round=3, next=4):
        sit_out(recorded(plan(), *FIRST_ROUND), 1, 3, 3, keep_id, None)


def test_who_returns_may_bring_another_partner():
    gone = recorded(plan(PAIRS), *pairs(2), EntryWithdrawn(1, 1, None))
    assert return_entry(gone, 1, None, ["p1a", "x"]) == (EntryReturned(1, 1), EntryChanged(1, ("p1a", "x"), 1))
    assert return_entry(gone, 1, None, ["p1a", "p1b"]) == (EntryReturned(1, 1),)


def test_who_plays_for_somebody_else_by_now_does_not_return():
    gone = recorded(plan(PAIRS), *pairs(2), EntryWithdrawn(1, 1, None), EntryChanged(2, ("p2a", "p1b"), 1))
    with refusal("entered_already", player="p1b", entrant=2):
        return_entry(gone, 1, None, None)
    assert return_entry(gone, 1, None, ["p1a", "x"]) == (EntryReturned(1, 1), EntryChanged(1, ("p1a", "x"), 1))


def test_who_is_to_return_substitutes_for_nobody():
    resting = recorded(plan(), *FIRST_ROUND, EntryWithdrawn(2, 2, None), EntryReturned(2, 3), RoundClosed(1))
    with refusal("entered_already", player="p2", entrant=2):
        change_entry(resting, 1, ["p2"], None)


def test_who_has_withdrawn_is_not_entered_anew_but_returns():
    with refusal("entered_and_withdrawn", player="p1", entrant=1):
        accept_entry(recorded(plan(), *FIRST_ROUND, EntryWithdrawn(1, 2, None)), ["p1"], None, None)


def test_nobody_returns_into_a_knock_out_that_went_on_without_him():
    leaving = (plan(format="knockout"), *entries(2), EntryWithdrawn(1, 1, None))
    assert return_entry(recorded(*leaving), 1, None, None) == (EntryReturned(1, 1),)
    with refusal("return_closed", entrant=1, format="knockout"):
        return_entry(recorded(*leaving, paired(1, (2,))), 1, None, None)


def test_where_all_meet_all_only_who_was_there_at_the_start_returns():
    open = plan(format="round_robin")
    left = recorded(open, *FIRST_ROUND, EntryWithdrawn(1, 2, None), RoundClosed(1), paired(2, byes=(2,)))
    assert return_entry(left, 1, None, None) == (EntryReturned(1, 3, follows=2),)
    never_came = recorded(open, *entries(3), EntryWithdrawn(3, 1, None), paired(1, (1, 2)))
    with refusal("return_closed", entrant=3, format="round_robin"):
        return_entry(never_came, 3, None, None)


def test_after_the_last_round_a_withdrawal_can_only_be_taken_back():
    gone = recorded(plan(rounds=1), *FIRST_ROUND, EntryWithdrawn(1, 2, None))
    assert return_entry(gone, 1, None, None) == (EntryReturned(1, 2, follows=1),)
    with refusal("no_more_rounds", rounds=1):
        return_entry(gone, 1, 3, None)


def test_after_the_end_nobody_comes_or_goes():
    over = recorded(plan(), *FIRST_ROUND, TournamentEnded("cancelled", None))
    for decide in (
        lambda: accept_entry(over, ["x"], None, None),
        lambda: change_entry(over, 1, ["x"], None),
        lambda: withdraw_entry(over, 1, None, None),
        lambda: return_entry(over, 1, None, None),
    ):
        with refusal("tournament_ended"):
            decide()
