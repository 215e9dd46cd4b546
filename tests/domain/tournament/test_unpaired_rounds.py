"""A round that is unpaired counts as not paired: for those who came, left or returned while it was, and for those who do so afterwards."""

from typing import Any

from domain.events.tournament import (
    EntryAccepted,
    EntryAdvanced,
    EntryChanged,
    EntryReturned,
    EntryWithdrawn,
    PairingWithdrawn,
    RoundClosed,
)
from domain.tournament.entries import accept_entry, change_entry, return_entry, sit_out, withdraw_entry
from domain.tournament.games import keep_id
from domain.tournament.line_ups import LineUp
from domain.tournament.rounds import draw_round
from domain.tournament.state import Entrant, SkippedRounds
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_draw, warn_about_entries, warn_about_undo
from tests.domain.tournament.recorded import entries, paired, plan, recorded, refusal
from tests.each import each

SWISS = plan(format="swiss")
FIRST = (SWISS, *entries(4), paired(1, (1, 2), (3, 4)))
AGAIN = PairingWithdrawn(1, None)


def players_of_round(tournament: Tournament, round: int) -> list[int]:
    return [one.number for one in tournament.active(round)]


def test_an_entry_that_waits_for_the_round_after_the_one_in_play_says_so():
    assert accept_entry(recorded(*FIRST), ["p5"], None, None) == EntryAccepted(5, ("p5",), 2, None, follows=1)
    assert accept_entry(recorded(*FIRST), ["p5"], None, 2) == EntryAccepted(5, ("p5",), 2, None)
    assert accept_entry(recorded(*FIRST, RoundClosed(1)), ["p5"], None, None) == EntryAccepted(5, ("p5",), 2, None)
    assert accept_entry(recorded(SWISS), ["p5"], None, None) == EntryAccepted(1, ("p5",), 1, None)


def test_who_came_after_the_draw_is_in_the_next_draw_of_that_round():
    late = recorded(*FIRST, EntryAccepted(5, ("p5",), 2, None, follows=1))
    assert players_of_round(late, 1) == [1, 2, 3, 4]
    again = recorded(*FIRST, EntryAccepted(5, ("p5",), 2, None, follows=1), AGAIN)
    assert again.entrant(5) == Entrant(5, 1, (LineUp(1, ("p5",)),))
    drawn = draw_round(again, [])
    assert sorted({*drawn.byes, *(seat for table in drawn.tables for seat in table.seats)}) == [1, 2, 3, 4, 5]


def test_who_was_entered_for_a_later_round_by_name_plays_from_that_round():
    told = recorded(*FIRST, EntryAccepted(5, ("p5",), 2, None), AGAIN)
    assert told.entrant(5) == Entrant(5, 2, (LineUp(2, ("p5",)),))


def test_who_left_after_the_draw_is_not_drawn_again():
    gone = withdraw_entry(recorded(*FIRST), 1, None, None)
    assert gone == EntryWithdrawn(1, 2, None, follows=1)
    again = recorded(*FIRST, gone, AGAIN)
    assert (players_of_round(again, 1), again.entrant(1).until) == ([2, 3, 4], 1)
    assert recorded(*FIRST, EntryWithdrawn(1, 2, None), AGAIN).entrant(1).until == 2


def test_who_returned_while_a_round_was_on_returns_for_its_next_draw():
    second = (*FIRST, EntryWithdrawn(1, 2, None), RoundClosed(1), paired(2, (3, 4), byes=(2,)))
    (back,) = return_entry(recorded(*second), 1, None, None)
    assert back == EntryReturned(1, 3, follows=2)
    again = recorded(*second, back, PairingWithdrawn(2, None))
    assert (players_of_round(again, 2), again.entrant(1).absences) == ([1, 2, 3, 4], ())


def test_a_withdrawal_that_was_taken_back_leaves_no_trace_in_the_next_draw_either():
    gone = withdraw_entry(recorded(*FIRST), 1, None, None)
    (back,) = return_entry(recorded(*FIRST, gone), 1, None, None)
    assert recorded(*FIRST, gone, back, AGAIN).entrant(1).absences == ()


def test_who_sits_out_the_next_round_sits_out_the_one_that_is_drawn_again():
    out = sit_out(recorded(*FIRST), 1, None, 4, keep_id, None)
    assert out == (EntryWithdrawn(1, 2, None, follows=1), EntryReturned(1, 4))
    assert recorded(*FIRST, *out, AGAIN).entrant(1).absences == (SkippedRounds(1, 4),)


def test_a_substitute_of_a_late_entrant_comes_along():
    late = (*FIRST, EntryAccepted(5, ("p5",), 2, None, follows=1))
    change = change_entry(recorded(*late), 5, ["x"], None)
    assert change == EntryChanged(5, ("x",), 2, follows=1)
    assert recorded(*late, change, AGAIN).entrant(5).players(1) == ("x",)


def test_a_substitute_in_the_round_in_play_stays_in_it():
    assert change_entry(recorded(*FIRST), 1, ["x"], None) == EntryChanged(1, ("x",), 1)
    assert recorded(*FIRST, EntryChanged(1, ("x",), 1), AGAIN).entrant(1).players(1) == ("x",)


def test_what_happened_before_the_round_was_paired_stays_as_it_was():
    before = (SWISS, *entries(4), EntryWithdrawn(4, 2, None))
    assert recorded(*before, paired(1, (1, 2), (3, 4)), AGAIN).entrant(4).until == 2


def test_a_round_that_is_paired_and_unpaired_again_moves_nobody_twice():
    twice = recorded(*FIRST, EntryAccepted(5, ("p5",), 2, None, follows=1), AGAIN, paired(1, (1, 2), (3, 4), byes=(5,)), AGAIN)
    assert twice.entrant(5).from_round == 1


def test_where_nobody_enters_late_the_unpaired_round_takes_him():
    open = plan(format="knockout")
    with refusal("entries_closed", format="knockout"):
        accept_entry(recorded(open, *entries(2), paired(1, (1, 2))), ["p3"], None, None)
    assert accept_entry(recorded(open, *entries(2), paired(1, (1, 2)), AGAIN), ["p3"], None, None) == EntryAccepted(3, ("p3",), 1)


# Whoever is to play earlier than he was entered for


def test_who_is_there_earlier_than_he_was_entered_for_returns_from_that_round():
    later = (SWISS, *entries(4), EntryAccepted(5, ("p5",), 3))
    assert return_entry(recorded(*later), 5, None, None) == (EntryAdvanced(5, 1),)
    assert return_entry(recorded(*later), 5, 2, None) == (EntryAdvanced(5, 2),)
    assert recorded(*later, EntryAdvanced(5, 1)).entrant(5) == Entrant(5, 1, (LineUp(1, ("p5",)),))
    with refusal("entrant_not_withdrawn", entrant=5):
        return_entry(recorded(*later), 5, 3, None)
    with refusal("entrant_not_withdrawn", entrant=5):
        return_entry(recorded(*later, EntryAdvanced(5, 1)), 5, None, None)


def test_he_may_bring_another_partner():
    later = recorded(SWISS, *entries(4), EntryAccepted(5, ("p5",), 3))
    assert return_entry(later, 5, None, ["x"]) == (EntryAdvanced(5, 1), EntryChanged(5, ("x",), 1))


def test_who_was_entered_late_by_an_earlier_version_can_be_brought_in():
    """Its events do not say whether somebody named the round, so they mean what they meant: from that round on."""
    stuck = recorded(*FIRST, EntryAccepted(5, ("p5",), 2), AGAIN)
    assert players_of_round(stuck, 1) == [1, 2, 3, 4]
    assert return_entry(stuck, 5, None, None) == (EntryAdvanced(5, 1),)


def test_he_is_brought_in_while_a_round_is_on_and_drawn_with_it_again():
    later = (*FIRST, EntryAccepted(5, ("p5",), 4))
    (advanced,) = return_entry(recorded(*later), 5, None, None)
    assert advanced == EntryAdvanced(5, 2, follows=1)
    assert recorded(*later, advanced, AGAIN).entrant(5).from_round == 1


# What an answer says


@each(
    ("events", "remarks"),
    [
        ([EntryAccepted(5, ("p5",), 2, None, follows=1)], [("plays_after_pairing", {"entrant": 5, "round": 2, "paired": 1})]),
        ([EntryAccepted(5, ("p5",), 4)], [("plays_later", {"entrant": 5, "round": 4, "next": 2})]),
        (
            [EntryAccepted(5, ("p5",), 2), EntryAccepted(6, ("p6",), 4), EntryAdvanced(6, 3)],
            [("plays_later", {"entrant": 6, "round": 4, "next": 2}), ("plays_later", {"entrant": 6, "round": 3, "next": 2})],
        ),
        ([EntryWithdrawn(1, 2, None, follows=1)], [("leaves_after_pairing", {"entrant": 1, "round": 2, "paired": 1})]),
        ([EntryWithdrawn(1, 3, None)], [("leaves_later", {"entrant": 1, "round": 3, "next": 2})]),
        (
            [EntryWithdrawn(1, 2, None, follows=1), EntryReturned(1, 4)],
            [
                ("leaves_after_pairing", {"entrant": 1, "round": 2, "paired": 1}),
                ("plays_later", {"entrant": 1, "round": 4, "next": 2}),
            ],
        ),
        ([EntryAccepted(5, ("p5",), 2)], []),
        ([EntryWithdrawn(1, 2, None)], []),
        ([EntryChanged(1, ("x",), 1)], []),
    ],
)
def test_an_answer_says_from_which_round_it_holds_where_that_is_not_the_next_draw(events: Any, remarks: Any):
    assert list(warn_about_entries(recorded(*FIRST), events)) == [Remark(code, detail) for code, detail in remarks]


def test_of_a_return_an_answer_says_so_too_unless_it_only_takes_a_withdrawal_back():
    away = recorded(*FIRST, EntryWithdrawn(1, 2, None), RoundClosed(1), paired(2, (3, 4), byes=(2,)))
    assert list(warn_about_entries(away, return_entry(away, 1, None, None))) == [
        Remark("plays_after_pairing", {"entrant": 1, "round": 3, "paired": 2})
    ]
    going = recorded(*FIRST, EntryWithdrawn(1, 2, None, follows=1))
    assert list(warn_about_entries(going, return_entry(going, 1, None, None))) == []
    unpaired = recorded(*FIRST, EntryWithdrawn(1, 2, None), AGAIN)
    assert list(warn_about_entries(unpaired, return_entry(unpaired, 1, None, None))) == []


def test_an_unpairing_says_who_is_drawn_otherwise_now():
    before = recorded(*FIRST, EntryAccepted(5, ("p5",), 2, None, follows=1), EntryWithdrawn(1, 2, None, follows=1))
    after = recorded(*FIRST, EntryAccepted(5, ("p5",), 2, None, follows=1), EntryWithdrawn(1, 2, None, follows=1), AGAIN)
    assert warn_about_undo(before, after) == (
        Remark("plays_now", {"entrants": (5,), "round": 1}),
        Remark("leaves_now", {"entrants": (1,), "round": 1}),
    )
    assert warn_about_undo(recorded(*FIRST), recorded(*FIRST, AGAIN)) == ()


def test_a_draw_says_who_was_passed_over_and_who_leaves_later():
    told = recorded(SWISS, *entries(4), EntryAccepted(5, ("p5",), 2), EntryWithdrawn(4, 2, None), EntryAccepted(6, ("p6",), 2))
    gone = recorded(SWISS, *entries(4), EntryAccepted(5, ("p5",), 2), EntryWithdrawn(5, 2, None))
    assert warn_about_draw(told, 1) == (
        Remark("passed_over", {"entrants": (5, 6), "round": 1}),
        Remark("drawn_all_the_same", {"entrants": (4,), "round": 1}),
    )
    assert warn_about_draw(gone, 1) == ()
