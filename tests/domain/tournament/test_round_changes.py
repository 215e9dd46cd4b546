"""Changes of the round in play: only the named tables, and only where nothing was played."""

from typing import Any

import pytest

from domain.errors import Unknown
from domain.events.tournament import (
    EntryAccepted,
    EntryWithdrawn,
    PairingChanged,
    PairingWithdrawn,
    ResultConfirmed,
    ResultEntered,
    RoundClosed,
    Seating,
    TableForfeited,
    TournamentEnded,
    WishRecorded,
)
from domain.standings.plan import Bye, PairingRules, Scoring
from domain.tournament.round_changes import ChangeInput, change_round, input_to_undo
from domain.tournament.rounds import GivenTable, draw_round
from domain.tournament.state import EnteredResult, RoundTable
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_round_change
from tests.domain.tournament.recorded import PAIRS, entries, game, paired, pairs, plan, recorded, refusal
from tests.each import each

FIVE = (plan(), *entries(5), paired(1, (1, 2), (3, 4), byes=(5,)))
LATE = EntryAccepted(6, ("p6",), 2, None, follows=1)


def draft(*tables: tuple[str, int, int], dissolved: Any = (), byes: Any = (), absent: Any = ()) -> ChangeInput:
    return ChangeInput([GivenTable(name, ((one,), (other,))) for name, one, other in tables], dissolved, byes, absent)


def changed(tournament: Tournament, wanted: ChangeInput, games: Any = ()) -> PairingChanged:
    return change_round(tournament, len(tournament.rounds), wanted, games, None)


def after(*events: Any) -> tuple[tuple[tuple[str, tuple[int, ...]], ...], tuple[int, ...], list[int]]:
    """The tables of the last round with their seats, its byes, and who plays in it."""
    now = recorded(*events)
    round = now.rounds[-1]
    return tuple((one.name, one.seats) for one in round.tables), round.byes, [one.number for one in now.active(round.number)]


def as_played(tournament: Tournament, wanted: ChangeInput, games: Any = ()) -> PairingChanged:
    return change_round(tournament, 1, wanted, games, None, as_played=True)


def test_two_swap_their_tables():
    change = changed(recorded(*FIVE), draft(("1", 1, 4), ("2", 3, 2)))
    assert change == PairingChanged(1, (Seating("1", (1, 4)), Seating("2", (3, 2))), (), (5,), (), None)
    assert after(*FIVE, change) == ((("1", (1, 4)), ("2", (3, 2))), (5,), [1, 2, 3, 4, 5])


def test_a_table_that_is_named_as_it_is_is_no_change():
    assert changed(recorded(*FIVE), draft(("1", 2, 1), ("2", 3, 4))).tables == (Seating("1", (2, 1)),)
    with refusal("pairing_unchanged", round=1):
        changed(recorded(*FIVE), draft(("2", 3, 4)))


def test_who_came_late_meets_the_one_with_the_bye():
    late = (*FIVE, LATE)
    change = changed(recorded(*late), draft(("3", 5, 6)))
    assert change == PairingChanged(1, (Seating("3", (5, 6)),), (), (), (), None)
    assert after(*late, change) == ((("1", (1, 2)), ("2", (3, 4)), ("3", (5, 6))), (), [1, 2, 3, 4, 5, 6])
    assert recorded(*late, change, PairingWithdrawn(1, None)).entrant(6).from_round == 1


def test_who_does_not_come_is_absent_from_this_round_alone():
    change = changed(recorded(*FIVE), draft(("2", 3, 5), absent=(4,)))
    assert change == PairingChanged(1, (Seating("2", (3, 5)),), (), (), (4,), None)
    now = recorded(*FIVE, change)
    assert [[one.number for one in now.active(round)] for round in (1, 2)] == [[1, 2, 3, 5], [1, 2, 3, 4, 5]]
    left = recorded(*FIVE, EntryWithdrawn(4, 2, None, follows=1), change)
    assert left.entrant(4).until == 1
    assert recorded(*FIVE, change, PairingWithdrawn(1, None)).active(1) == now.active(1)


def test_a_table_is_dissolved_and_its_entrants_are_free_or_absent():
    change = changed(recorded(*FIVE), draft(dissolved=["1"], byes=(1,), absent=(2,)))
    assert change == PairingChanged(1, (), ("1",), (5, 1), (2,), None)
    assert after(*FIVE, change) == ((("2", (3, 4)),), (5, 1), [1, 3, 4, 5])


def test_a_partnership_changes_all_its_seats():
    two = (plan(PAIRS), *pairs(4), paired(1, (1, 2, 1, 2), (3, 4, 3, 4)))
    assert changed(recorded(*two), draft(("1", 1, 4), ("2", 3, 2))).tables == (Seating("1", (1, 4, 1, 4)), Seating("2", (3, 2, 3, 2)))


@each("said", [ResultEntered(1, "1", (1, 2), 1), TableForfeited(1, "1", (2,), None)])
def test_a_table_with_a_result_keeps_its_entrants(said: Any):
    with refusal("table_played", tables=("1",)):
        changed(recorded(*FIVE, said), draft(("1", 1, 4), ("2", 3, 2)))
    assert changed(recorded(*FIVE, said), draft(("2", 3, 5), byes=(4,))).byes == (4,)


def test_a_table_whose_game_was_dealt_keeps_its_entrants():
    dealt = game(1, ("p1", "p2"), (0, 0), over=False)
    with refusal("table_played", tables=("1",)):
        changed(recorded(*FIVE), draft(dissolved=["1"], byes=(1, 2)), [dealt])
    annulled = game(1, ("p1", "p2"), (0, 0), over=False, standing="annulled")
    assert changed(recorded(*FIVE), draft(dissolved=["1"], byes=(1, 2)), [annulled]).dissolved == ("1",)


def test_two_who_sat_down_at_each_others_table_and_played_get_the_pairing_that_was_played():
    played = [game(1, ("p1", "p4"), (21, 7)), game(2, ("p3", "p2"), (3, 21), table="2")]
    swapped = draft(("1", 1, 4), ("2", 3, 2))
    assert changed(recorded(*FIVE), swapped, played).tables == (Seating("1", (1, 4)), Seating("2", (3, 2)))
    with refusal("table_played", tables=("1",)):
        changed(recorded(*FIVE), swapped, [game(1, ("p1", "p2"), (21, 7)), played[1]])


def test_everybody_of_the_round_has_one_place():
    now = recorded(*FIVE)
    with refusal("not_paired_now", entrants=(2,)):
        changed(now, draft(("1", 1, 5)))
    with refusal("paired_twice", entrants=(3,)):
        changed(now, draft(("1", 1, 3), byes=(2,)))
    with refusal("paired_twice", entrants=(4,)):
        changed(now, draft(("1", 2, 1), absent=(4,)))
    with refusal("not_to_be_paired", entrants=(6,), round=1):
        changed(recorded(*FIVE, LATE), draft(("1", 2, 1), absent=(6,)))
    with refusal("table_twice", tables=("1",)):
        changed(now, draft(("1", 2, 1), dissolved=["1"]))
    with refusal("table_size", table="1", needed=(1, 1)):
        changed(now, ChangeInput([GivenTable("1", ((1, 2), (3,)))]))
    with refusal("table_name_taken", tables=("desk",)):
        changed(now, draft(("desk", 5, 1), byes=(2,)))
    for unknown in (draft(("3", 5, 9)), draft(dissolved=["9"])):
        with pytest.raises(Unknown):
            changed(now, unknown)


def test_who_has_withdrawn_returns_first():
    gone = (plan(), *entries(3), EntryWithdrawn(3, 1, None), paired(1, (1, 2)))
    with refusal("entrant_withdrawn", entrant=3, round=1):
        changed(recorded(*gone), draft(("1", 1, 3), byes=(2,)))


def test_only_the_round_in_play_changes():
    with refusal("round_closed", round=1):
        changed(recorded(*FIVE, RoundClosed(1)), draft(("1", 2, 1)))
    with refusal("tournament_ended"):
        changed(recorded(*FIVE, TournamentEnded("cancelled", None)), draft(("1", 2, 1)))


@each(
    "wanted",
    [draft(("1", 1, 4), ("2", 3, 2)), draft(("7", 5, 6)), draft(dissolved=["1"], byes=(1,), absent=(2,)), draft(("2", 3, 6), absent=(4,))],
)
def test_a_change_that_is_taken_back_leaves_the_round_as_it_was(wanted: ChangeInput):
    late = (*FIVE, LATE)
    change = changed(recorded(*late), wanted)
    back = changed(recorded(*late, change), input_to_undo(recorded(*late, change), 1))
    assert after(*late, change, back) == after(*late)
    again = changed(recorded(*late, change, back), input_to_undo(recorded(*late, change, back), 1))
    assert after(*late, change, back, again) == after(*late, change)


def test_without_a_change_nothing_is_taken_back():
    with refusal("nothing_changed", round=1):
        input_to_undo(recorded(*FIVE), 1)


def test_an_adjourned_table_stays_adjourned_and_tables_stand_in_order():
    many = (plan(), *entries(4), paired(1, (1, 2)), PairingChanged(1, (Seating("10", (3, 4)), Seating("2", (1, 2))), ("1",), (), (), None))
    assert recorded(*many).rounds[0].tables == (RoundTable("2", (1, 2)), RoundTable("10", (3, 4)))


def test_in_a_knock_out_only_those_who_are_left_join():
    three = plan(format="knockout", scoring=Scoring("match_points"))
    first = (three, *entries(4), paired(1, (1, 2), (3, 4)))
    one_in = (*first, ResultEntered(1, "1", (1, 2), None), ResultEntered(1, "2", (2, 1), None), RoundClosed(1), paired(2, (1, 3)))
    change = changed(recorded(*one_in), draft(("1", 2, 3), absent=(1,)))
    assert change == PairingChanged(2, (Seating("1", (2, 3)),), (), (), (1,), None)
    with refusal("not_to_be_paired", entrants=(4,), round=2):
        changed(recorded(*one_in), draft(("1", 4, 3), absent=(1,)))


def test_a_change_is_remarked_as_a_pairing_by_hand():
    second = (plan(), *entries(5), paired(1, (1, 2), (3, 4), byes=(5,)), RoundClosed(1), paired(2, (1, 3), (5, 2), byes=(4,)))
    now = recorded(*second, EntryAccepted(6, ("p6",), 3, None, follows=2))
    assert warn_about_round_change(now, changed(now, draft(("1", 1, 2), ("2", 6, 3), byes=(5,)))) == (
        Remark("met_before", {"entrants": (1, 2), "table": "1", "round": 1}),
        Remark("bye_again", {"entrant": 5, "round": 1}),
        Remark("plays_after_all", {"entrants": (6,), "round": 2}),
    )
    assert warn_about_round_change(now, changed(now, draft(("1", 1, 4), absent=(3,)))) == (
        Remark("not_there", {"entrants": (3,), "round": 2}),
    )


def test_a_side_that_a_draw_would_not_give_is_remarked():
    rounds = [event for number in (1, 2) for event in (paired(number, (1, 2), (3, 4)), RoundClosed(number))]
    now = recorded(plan(), *entries(4), *rounds, paired(3, (1, 3), (4, 2)))
    said = {one.code: one.detail for one in warn_about_round_change(now, changed(now, draft(("1", 3, 1))))}
    assert said == {"first_again": {"entrant": 3, "table": "1"}}
    assert draw_round(recorded(plan(format="swiss"), *entries(4), *rounds), ()).drawn


SWAPPED = draft(("1", 1, 4), ("2", 3, 2))
SAID = (*FIVE, ResultEntered(1, "1", (9, 1), 2), ResultConfirmed(1, "1", 1), ResultEntered(1, "2", (3, 4), None))


def test_as_played_a_result_stays_at_its_seats_and_those_who_sit_there_stand_for_it():
    closed = (*SAID, RoundClosed(1))
    change = as_played(recorded(*closed), SWAPPED)
    assert change == PairingChanged(1, (Seating("1", (1, 4)), Seating("2", (3, 2))), (), (5,), (), None, as_played=True)
    assert recorded(*closed, change).rounds[0].tables == (
        RoundTable("1", (1, 4), EnteredResult((9, 1), (4, 1))),
        RoundTable("2", (3, 2), EnteredResult((3, 4))),
    )


def test_as_played_results_that_differ_stay_with_those_who_sit_at_their_sides_now():
    said = (*FIVE, ResultEntered(1, "1", (4, 0), 1), ResultEntered(1, "1", (3, 1), 2))
    now = recorded(*said, as_played(recorded(*said), SWAPPED))
    assert now.table(1, "1") == RoundTable("1", (1, 4), EnteredResult((3, 1), (4,)), replaced=(EnteredResult((4, 0), (1,)),))


def test_as_played_games_beside_a_directors_result_do_not_matter_and_others_do():
    left = [game(2, ("p3", "p4"), (0, 0), table="2")]
    assert as_played(recorded(*SAID), draft(("2", 4, 3)), left).tables == (Seating("2", (4, 3)),)
    with refusal("table_played", tables=("1",)):
        as_played(recorded(*FIVE), draft(("1", 5, 2), byes=(1,)), [game(1, ("p1", "p2"), (9, 1))])


def test_as_played_there_are_the_same_tables_and_a_forfeit_is_taken_back_first():
    with refusal("tables_as_played", tables=("3",), round=1):
        as_played(recorded(*SAID, LATE), draft(("3", 5, 6)))
    with refusal("tables_as_played", tables=("1",), round=1):
        as_played(recorded(*SAID), draft(dissolved=["1"], byes=(1, 2)))
    with refusal("table_played", tables=("1",)):
        as_played(recorded(*SAID, TableForfeited(1, "1", (2,), None)), SWAPPED)
    with refusal("tournament_ended"):
        as_played(recorded(*SAID, TournamentEnded("cancelled", None)), SWAPPED)


def test_as_played_it_is_remarked_that_later_pairings_stay_and_that_the_end_is_past():
    now = recorded(*SAID, RoundClosed(1), paired(2, (1, 3), (5, 2), byes=(4,)), RoundClosed(2), TournamentEnded("finished", None))
    change = as_played(now, draft(("1", 1, 5), byes=(2,)))
    assert warn_about_round_change(now, change) == (Remark("later_draws_stay", {"round": 2}), Remark("after_the_end", {}))


@each(("format", "tables", "byes"), [("round_robin", [{1, 2}, {3, 4}], ()), ("knockout", [{1, 2}], ())])
def test_who_did_not_come_to_the_first_round_is_drawn_in_a_later_one_unless_one_loss_is_the_end(format: Any, tables: Any, byes: Any):
    first = (plan(format=format), *entries(4), paired(1, (4, 1), (2, 3)))
    no_show = PairingChanged(1, (), ("1",), (1,), (4,), None)
    now = recorded(*first, no_show, ResultEntered(1, "2", (9, 1), None), RoundClosed(1))
    drawn = draw_round(now, [])
    assert (sorted(map(sorted, ({*one.seats} for one in drawn.tables))), drawn.byes) == (sorted(map(sorted, tables)), byes)


def test_a_half_point_bye_of_a_seated_entrant_does_not_count_and_returns_with_the_seat():
    before = (plan(format="swiss"), *entries(6), WishRecorded(1, "half_bye", (6,), 1, None), paired(1, (1, 2), (3, 4), byes=(5,)))
    change = changed(recorded(*before), draft(("3", 5, 6)))
    seated = recorded(*before, change)
    assert ([one.number for one in seated.active(1)], seated.byes) == ([1, 2, 3, 4, 5, 6], ())
    back = changed(seated, input_to_undo(seated, 1))
    assert recorded(*before, change, back).entrants == recorded(*before).entrants
    assert recorded(*before, change, back).byes == (Bye(1, 5), Bye(1, 6, half=True))


@each(("late", "first"), [(LATE, 1), (EntryAccepted(6, ("p6",), 2, None), 2)])
def test_a_late_comer_who_was_seated_and_is_not_any_more_is_late_and_not_absent(late: Any, first: int):
    before = (plan(format="swiss", pairing=PairingRules(late="half_bye")), *FIVE[1:], late)
    change = changed(recorded(*before), draft(("3", 5, 6)))
    back = changed(recorded(*before, change), input_to_undo(recorded(*before, change), 1))
    now, unpaired = recorded(*before, change, back), recorded(*before, change, back, PairingWithdrawn(1, None))
    assert (now.entrants, [bye.entrant for bye in now.byes if bye.half]) == (recorded(*before).entrants, [6])
    assert unpaired.entrants == recorded(*before, PairingWithdrawn(1, None)).entrants
    assert unpaired.entrant(6).from_round == first
