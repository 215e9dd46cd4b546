"""Wishes that draws heed: half-point byes, fixed tables, entrants kept apart, wanted pairings; and presence before a draw."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.errors import Unknown
from domain.events.tournament import (
    ClubsGrouped,
    EntryAccepted,
    EntryWithdrawn,
    PairingWithdrawn,
    PresenceChecked,
    ResultEntered,
    RoundClosed,
    WishRecorded,
    WishWithdrawn,
)
from domain.standings.cross_table import build_cross_table
from domain.standings.plan import Bye, PairingRules
from domain.tournament.entries import withdraw_entry
from domain.tournament.pairing import Pairing
from domain.tournament.pairing.tables import DrawConstraints, name_tables
from domain.tournament.rounds import draw_round
from domain.tournament.tally import tally_rounds
from domain.tournament.warnings import Remark, warn_about_pairing, warn_about_presence, warn_about_wish
from domain.tournament.wish_rules import WishInput, check_presence, group_clubs, record_wish, withdraw_wish
from tests.domain.tournament.fields import FOUR, a_plan, draw, duel, field
from tests.domain.tournament.recorded import entries, paired, plan, recorded, refusal
from tests.each import each

SWISS = plan(format="swiss")
SIX = (SWISS, *entries(6))


def played(round: int, *seats: tuple[int, int], byes: tuple[int, ...] = ()) -> tuple[Any, ...]:
    """A round with its results, in which the first of each table wins."""
    results = (ResultEntered(round, str(number), (2, 1), None) for number in range(1, len(seats) + 1))
    return paired(round, *seats, byes=byes), *results, RoundClosed(round)


def wished(kind: Any, *entrants: int, round: int | None = None, table: str | None = None, number: int = 1) -> WishRecorded:
    return WishRecorded(number, kind, entrants, round, table)


def meetings(found: Pairing) -> set[frozenset[int]]:
    return {frozenset(one for party in table for one in party) for table in found.tables}


# Half-point byes


def test_who_asked_for_a_half_point_bye_is_not_drawn_and_gets_half_a_bye():
    now = recorded(*SIX, wished("half_bye", 3, round=1))
    drawn = draw_round(now, [])
    assert {entrant for table in drawn.tables for entrant in table.seats} == {1, 2, 4, 5, 6} - {*drawn.byes}
    after = recorded(*SIX, wished("half_bye", 3, round=1), drawn)
    assert after.byes == (*(Bye(1, one) for one in drawn.byes), Bye(1, 3, half=True))
    rows = build_cross_table(after.plan, range(1, 7), tally_rounds(after, []), after.byes)
    assert [(one.how, one.score, one.missed) for one in rows[3]] == [("bye", Fraction(1), True)]
    assert [one.score for one in rows[drawn.byes[0]]] == [Fraction(2)]


def test_a_half_point_bye_spares_nobody_the_bye_of_the_draw():
    five = (SWISS, *entries(5), wished("half_bye", 5, round=1), *played(1, (1, 2), (3, 4)))
    assert draw_round(recorded(*five), []).byes in ((2,), (4,), (5,))
    assert not [one for one in warn_about_pairing(recorded(*five), paired(2, (1, 3), (2, 4), byes=(5,))) if one.code == "bye_again"]


def test_the_wish_names_the_next_round_unless_another_is_named():
    now = recorded(*SIX, paired(1, (1, 2), (3, 4), (5, 6)))
    assert record_wish(now, WishInput("half_bye", (3,))) == wished("half_bye", 3, round=2)
    assert record_wish(now, WishInput("half_bye", (3,), 4)) == wished("half_bye", 3, round=4)
    with refusal("round_is_paired", round=1, next=2):
        record_wish(now, WishInput("half_bye", (3,), 1))


def test_everybody_has_one_half_point_bye_at_most():
    now = recorded(*SIX, wished("half_bye", 3, round=1))
    with refusal("half_bye_had", entrant=3, round=1):
        record_wish(now, WishInput("half_bye", (3,), 2))
    taken_back = recorded(*SIX, wished("half_bye", 3, round=1), WishWithdrawn(1))
    assert record_wish(taken_back, WishInput("half_bye", (3,), 2)) == wished("half_bye", 3, round=2, number=2)


@each("format", ["round_robin", "knockout"])
def test_where_all_meet_or_the_loser_is_out_there_are_no_half_point_byes(format: str):
    with refusal("no_half_byes", format=format):
        record_wish(recorded(plan(format=format), *entries(4)), WishInput("half_bye", (1,)))


def test_a_half_point_bye_of_a_paired_round_stays_and_one_that_is_to_come_falls_with_a_withdrawal():
    asked = (*SIX, wished("half_bye", 3, round=1), paired(1, (1, 2), (4, 5), byes=(6,)))
    with refusal("round_is_paired", round=1, next=2):
        withdraw_wish(recorded(*asked), 1)
    gone = recorded(*SIX, wished("half_bye", 3, round=2), *played(1, (1, 2), (3, 4), (5, 6)), EntryWithdrawn(3, 2, None), paired(2, (1, 4)))
    assert gone.byes == ()


def test_a_pairing_that_is_taken_back_keeps_the_wish():
    now = recorded(*SIX, wished("half_bye", 3, round=1), paired(1, (1, 2), (4, 5), byes=(6,)), PairingWithdrawn(1, None))
    assert (now.byes, [one.number for one in now.active(1)]) == ((), [1, 2, 4, 5, 6])


def test_a_late_entrant_has_one_half_point_bye_if_the_announcement_says_so():
    late = EntryAccepted(7, ("p7",), 3, None)
    rounds = (*played(1, (1, 2), (3, 4), (5, 6)), *played(2, (1, 3), (2, 5), (4, 6)))
    rules = replace(SWISS, pairing=PairingRules(late="half_bye"))
    assert recorded(rules, *entries(6), *rounds, late).byes == (Bye(2, 7, half=True),)
    assert recorded(SWISS, *entries(6), *rounds, late).byes == ()
    with refusal("half_bye_had", entrant=7, round=2):
        record_wish(recorded(rules, *entries(6), *rounds, late), WishInput("half_bye", (7,)))


# Fixed tables and the first table number


def test_tables_are_numbered_from_the_first_and_fixed_ones_keep_their_name():
    tables = (((1,), (2,)), ((3,), (4,)), ((5,), (6,)))
    assert name_tables(tables, 1, {}) == ("1", "2", "3")
    assert name_tables(tables, 11, {4: "12"}) == ("11", "12", "13")
    assert name_tables(tables, 1, {6: "1"}) == ("2", "3", "1")
    assert name_tables(tables, 1, {5: "stage", 6: "2", 3: "stage"}) == ("1", "2", "stage")


def test_a_drawn_round_stands_in_the_order_of_its_tables():
    now = recorded(replace(SWISS, pairing=PairingRules(first_table=9)), *entries(6), wished("table", 2, table="10"))
    drawn = draw_round(now, [])
    assert [one.table for one in drawn.tables] == ["9", "10", "11"]
    assert 2 in drawn.tables[1].seats


def test_a_table_that_is_not_the_fixed_one_is_remarked():
    now = recorded(*SIX, wished("table", 2, table="3"))
    assert warn_about_pairing(now, paired(1, (1, 2), (3, 4), (5, 6))) == (
        Remark("other_table", {"entrant": 2, "table": "1", "fixed": "3"}),
    )


# Kept apart, and wanted pairings


@given(st.integers(3, 9), st.text("ab", min_size=1, max_size=4))
def test_a_swiss_pairs_those_who_are_kept_apart_only_where_there_is_no_other_pairing(half: int, seed: str):
    club = tuple(range(1, half + 1))
    found = draw(a_plan("swiss", seed=seed), field(2 * half), [], [], 1, DrawConstraints((club,)))
    assert [pair for pair in meetings(found) if pair <= {*club}] == []
    more = draw(a_plan("swiss", seed=seed), field(2 * half), [], [], 1, DrawConstraints(((*club, half + 1),)))
    assert len([pair for pair in meetings(more) if pair <= {*club, half + 1}]) == 1


def test_those_who_are_kept_apart_do_not_count_as_repeated():
    found = draw(a_plan("swiss"), field(2), [], [], 1, DrawConstraints(((1, 2),)))
    assert (len(found.tables), found.repeated) == (1, ())


@given(st.integers(3, 8), st.text("ab", min_size=1, max_size=4))
def test_a_swiss_pairs_two_who_are_to_meet_and_all_others_without_them(half: int, seed: str):
    outcomes = [duel(1, one, one + 1, 2, 1) for one in range(1, 2 * half, 2)]
    found = draw(a_plan("swiss", seed=seed), field(2 * half), outcomes, [], 2, DrawConstraints(meet=((1, 2),)))
    assert frozenset((1, 2)) in meetings(found)
    assert (len(found.tables), found.repeated) == (half, ((1, 2),) if ((1,), (2,)) in found.tables else ((2, 1),))


def test_two_alone_may_be_wanted():
    assert meetings(draw(a_plan("swiss"), field(2), [], [], 1, DrawConstraints(meet=((2, 1),)))) == {frozenset((1, 2))}


@pytest.mark.parametrize("shape", [{"parties": FOUR}, {"parties": ((0, 2), (1, 3)), "entrants": "players"}])
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_larger_tables_keep_apart_and_bring_together_too(shape: Any, seed: str):
    wishes = DrawConstraints(((1, 2, 3, 4),), ((5, 9), (10, 16)))
    found = draw(a_plan("swiss", **shape, seed=seed), field(16), [], [], 1, wishes)
    assert [len({1, 2, 3, 4} & table) for table in meetings(found)] == [1, 1, 1, 1]
    assert [pair for pair in wishes.meet if not any({*pair} <= table for table in meetings(found))] == []


def test_a_round_robin_goes_on_with_its_schedule_and_says_so():
    now = recorded(plan(format="round_robin"), *entries(4), wished("apart", 1, 4))
    drawn = draw_round(now, [])
    assert [one.code for one in warn_about_wish(now, wished("apart", 1, 4))] == ["wish_unheeded"]
    (table,) = (one.table for one in drawn.tables if {*one.seats} == {1, 4})
    assert warn_about_pairing(now, drawn) == (Remark("not_apart", {"entrants": (1, 4), "table": table}),)


def test_a_wanted_pairing_that_is_not_kept_is_remarked():
    now = recorded(*SIX, wished("meet", 1, 3, round=1))
    assert warn_about_pairing(now, paired(1, (1, 2), (3, 4), (5, 6))) == (Remark("not_met", {"entrants": (1, 3), "round": 1}),)
    assert warn_about_wish(now, wished("meet", 1, 3, round=1)) == ()


def test_clubs_are_grouped_where_they_are_to_be_kept_apart():
    clubs = {"p1": "celle", "p3": "celle", "p4": "peine", "p6": "celle", "p5": "verden"}
    apart = (replace(SWISS, pairing=PairingRules(apart="club")), *entries(6))
    assert group_clubs(recorded(*apart), clubs) == (ClubsGrouped(((1, 3, 6),)),)
    grouped = recorded(*apart, ClubsGrouped(((1, 3, 6),)))
    assert group_clubs(grouped, clubs) == ()
    assert not any({*one.seats} <= {1, 3, 6} for one in draw_round(grouped, []).tables)
    assert group_clubs(recorded(*SIX), clubs) == ()


# Wishes as such


@each(
    ("draft", "code", "detail"),
    [
        (WishInput("meet", (1,)), "wish_entrants", {"problem": "meet"}),
        (WishInput("apart", (1, 1)), "wish_entrants", {"problem": "apart"}),
        (WishInput("table", (1, 2), table="4"), "wish_entrants", {"problem": "table"}),
        (WishInput("table", (1,)), "table_not_named", {}),
        (WishInput("meet", (1, 2), table="4"), "table_not_wished", {}),
        (WishInput("table", (1,), table="wall"), "table_name_taken", {"tables": ("wall",)}),
        (WishInput("apart", (2, 3)), "wished_already", {"entrants": (2, 3), "wish": 1}),
        (WishInput("meet", (4, 6), 2), "wished_already", {"entrants": (4,), "wish": 2}),
        (WishInput("half_bye", (6,), 9), "no_more_rounds", {"rounds": 5}),
        (WishInput("meet", (1, 6), 1), "not_to_be_paired", {"entrants": (6,), "round": 1}),
    ],
)
def test_a_wish_that_cannot_be_meant_is_refused(draft: WishInput, code: str, detail: Any):
    wishes = (wished("apart", 1, 2, 3), wished("meet", 4, 5, round=2, number=2))
    with refusal(code, **detail):
        record_wish(recorded(plan(format="swiss", rounds=5), *entries(5), EntryAccepted(6, ("p6",), 2, None), *wishes), draft)


def test_a_wish_is_withdrawn_once_and_others_keep_their_numbers():
    now = recorded(*SIX, wished("apart", 1, 2), wished("apart", 1, 2, 3, number=2), withdraw_wish(recorded(*SIX, wished("apart", 1, 2)), 1))
    assert [(one.number, one.withdrawn) for one in now.wishes] == [(1, True), (2, False)]
    with refusal("wish_withdrawn", wish=1):
        withdraw_wish(now, 1)
    with pytest.raises(Unknown):
        withdraw_wish(now, 3)


# Presence


def test_who_is_absent_is_not_drawn_for_the_round_and_is_there_for_the_next():
    checked = check_presence(recorded(*SIX), [2, 5], None)
    assert checked == PresenceChecked(1, (2, 5), ())
    now = recorded(*SIX, checked)
    assert ([one.number for one in now.active(1)], [one.number for one in now.active(2)]) == ([1, 3, 4, 6], [1, 2, 3, 4, 5, 6])
    assert warn_about_presence(checked) == (Remark("absent", {"entrants": (2, 5), "round": 1}),)


def test_who_is_ticked_again_is_there_also_if_they_were_to_sit_the_round_out():
    now = recorded(*SIX, PresenceChecked(1, (2, 5), ()))
    assert check_presence(now, [5], None) == PresenceChecked(1, (), (2,))
    assert [one.number for one in recorded(*SIX, PresenceChecked(1, (2, 5), ()), PresenceChecked(1, (), (2,))).active(1)] == [1, 2, 3, 4, 6]
    with refusal("presence_unchanged", round=1):
        check_presence(now, [2, 5], 1)


def test_who_withdrew_stays_away_and_who_is_to_come_later_is_not_there_yet():
    now = recorded(*SIX, EntryAccepted(7, ("p7",), 2, None), EntryWithdrawn(1, 1, None))
    assert check_presence(now, [2], None) == PresenceChecked(1, (2,), ())
    for stranger in (1, 7, 9):
        with refusal("not_to_be_paired", entrants=(stranger,), round=1):
            check_presence(now, [stranger], None)


def test_a_pairing_that_is_taken_back_keeps_who_was_absent():
    now = recorded(*SIX, PresenceChecked(1, (2, 5), ()), paired(1, (1, 3), (4, 6)), PairingWithdrawn(1, None))
    assert [one.number for one in now.active(1)] == [1, 3, 4, 6]


def test_an_absent_entrant_may_withdraw_for_good():
    now = recorded(*SIX, PresenceChecked(1, (2,), ()))
    assert withdraw_entry(now, 2, None, None) == EntryWithdrawn(2, 1, None)


@each("format", ["round_robin", "knockout"])
def test_a_format_in_which_nobody_may_miss_the_first_round_takes_no_absence_there(format: str):
    with refusal("return_closed", entrant=2, format=format):
        check_presence(recorded(plan(format=format), *entries(4)), [2], None)
