"""Pairing rounds, taking a pairing back, closing, ending."""

from typing import Any, Literal

import msgspec
import pytest
from msgspec import UNSET

from domain.errors import Unknown
from domain.events.tournament import (
    EntryWithdrawn,
    NamedCheckpoint,
    PairingWithdrawn,
    ResultEntered,
    RoundClosed,
    RoundPaired,
    Seating,
    TableAdjourned,
    TableForfeited,
    TournamentEnded,
    TournamentPublished,
    TournamentReopened,
)
from domain.standings.plan import Scoring
from domain.tournament.rounds import (
    GivenTable,
    cancel_tournament,
    close_round,
    draw_round,
    finish_tournament,
    pair_by_hand,
    reopen_tournament,
    withdraw_pairing,
)
from domain.tournament.tally import MissingResult, StillOpen
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_end, warn_about_pairing
from tests.domain.tournament.recorded import PAIRS, entries, game, paired, pairs, plan, recorded, refusal
from tests.each import each

FOUR = (plan(), *entries(4))


def table(name: str, *parties: tuple[int, ...]) -> GivenTable:
    return GivenTable(name, parties)


def by_hand(tournament: Tournament, *tables: GivenTable, byes: tuple[int, ...] = (), games: Any = ()) -> RoundPaired:
    return pair_by_hand(tournament, tables, byes, games)


def test_a_round_by_hand_seats_everybody_once():
    found = by_hand(recorded(*FOUR), table("A", (1,), (4,)), byes=(2, 3))
    assert found == RoundPaired(1, False, (Seating("A", (1, 4)),), (2, 3))


def test_a_partnership_stands_on_all_seats_of_its_party():
    assert by_hand(recorded(plan(PAIRS), *pairs(2)), table("1", (2,), (1,))).tables == (Seating("1", (2, 1, 2, 1)),)


def test_players_with_changing_partners_are_named_in_the_order_of_their_seats():
    changing = recorded(plan(PAIRS, entrants="players"), *entries(4))
    assert by_hand(changing, table("1", (1, 2), (3, 4))).tables == (Seating("1", (1, 3, 2, 4)),)


@each("parties", [((1,),), ((1, 2), (3,)), ((1,), (2,), (3,)), ((), (1,))])
def test_a_table_has_as_many_entrants_as_its_parties_take(parties: Any):
    with refusal("table_size", table="1", needed=(1, 1)):
        by_hand(recorded(*FOUR), table("1", *parties))


def test_nobody_is_left_out_or_paired_twice():
    with refusal("not_paired", entrants=(3, 4)):
        by_hand(recorded(*FOUR), table("1", (1,), (2,)))
    with refusal("paired_twice", entrants=(1,)):
        by_hand(recorded(*FOUR), table("1", (1,), (2,)), table("2", (3,), (4,)), byes=(1,))
    with refusal("not_to_be_paired", entrants=(5,), round=1):
        by_hand(recorded(*FOUR), table("1", (1,), (5,)))
    with refusal("not_to_be_paired", entrants=(4,), round=1):
        by_hand(recorded(*FOUR, EntryWithdrawn(4, 1, None)), table("1", (1,), (2,)), byes=(3, 4))


def test_every_table_has_a_name_of_its_own():
    with refusal("table_twice", tables=("1",)):
        by_hand(recorded(*FOUR), table("1", (1,), (2,)), table("1", (3,), (4,)))


def test_no_table_is_called_as_a_page_of_the_tournament():
    with refusal("table_name_taken", tables=("desk",)):
        by_hand(recorded(*FOUR), table("desk", (1,), (2,)), table("2", (3,), (4,)))


def test_encounters_and_byes_that_there_were_are_remarked():
    tournament = recorded(plan(), *entries(3), paired(1, (1, 2), byes=(3,)), RoundClosed(1))
    assert warn_about_pairing(tournament, by_hand(tournament, table("7", (2,), (1,)), byes=(3,))) == (
        Remark("met_before", {"entrants": (1, 2), "table": "7", "round": 1}),
        Remark("bye_again", {"entrant": 3, "round": 1}),
    )
    assert warn_about_pairing(tournament, by_hand(tournament, table("7", (2,), (3,)), byes=(1,))) == ()


def test_two_entrants_who_turned_out_to_be_one_person_are_remarked():
    def person(id: str) -> str:
        return "p1" if id == "p4" else id

    tournament = recorded(plan(), *entries(4))
    pairing = by_hand(tournament, table("1", (1,), (2,)), table("2", (3,), (4,)))
    assert warn_about_pairing(tournament, pairing, person) == (Remark("one_person", {"player": "p1", "entrants": (1, 4)}),)
    left = recorded(plan(), *entries(4), EntryWithdrawn(4, 1, None))
    assert warn_about_pairing(left, by_hand(left, table("1", (1,), (2,)), byes=(3,)), person) == ()


def test_partners_have_not_met_each_other():
    changing = recorded(plan(PAIRS, entrants="players"), *entries(4), paired(1, (1, 2, 3, 4)), RoundClosed(1))
    assert [one.detail["entrants"] for one in warn_about_pairing(changing, by_hand(changing, table("1", (1, 2), (3, 4))))] == [
        (1, 4),
        (2, 3),
    ]


def test_a_round_is_drawn_by_its_format():
    tournament = recorded(plan(format="round_robin"), *entries(4))
    found = draw_round(tournament, ())
    assert (found.round, found.drawn, found.byes) == (1, True, ())
    assert [one.table for one in found.tables] == ["1", "2"]
    assert sorted(seat for one in found.tables for seat in one.seats) == [1, 2, 3, 4]
    assert draw_round(tournament, ()) == found


def test_a_format_without_a_draw_is_paired_by_hand():
    with refusal("paired_by_hand"):
        draw_round(recorded(*FOUR), ())


def test_the_next_round_is_paired_after_the_last_one_was_closed():
    with refusal("round_not_closed", round=1):
        by_hand(recorded(*FOUR, paired(1, (1, 2), (3, 4))), byes=(1, 2, 3, 4))


def test_no_more_rounds_are_paired_than_were_announced():
    with refusal("no_more_rounds", rounds=1):
        by_hand(recorded(plan(rounds=1), *entries(2), paired(1, (1, 2)), RoundClosed(1)), table("1", (2,), (1,)))


def test_somebody_has_to_be_there():
    with refusal("nobody_entered", round=1):
        by_hand(recorded(plan()))


def test_where_one_loss_is_the_end_losers_are_paired_only_instead_of_somebody():
    tournament = recorded(plan(format="knockout", scoring=Scoring("match_points")), *entries(4), paired(1, (1, 2), (3, 4)), RoundClosed(1))
    games = (game(1, ("p1", "p2"), (5, 3)), game(2, ("p3", "p4"), (1, 3), table="2"))
    assert by_hand(tournament, table("final", (1,), (4,)), games=games).tables == (Seating("final", (1, 4)),)
    assert by_hand(tournament, table("final", (1,), (2,)), games=games).tables == (Seating("final", (1, 2)),)
    with refusal("not_paired", entrants=(1, 4)):
        by_hand(tournament, byes=(2,), games=games)


def test_the_last_round_is_unpaired_before_anything_is_played():
    ready = recorded(*FOUR, paired(1, (1, 2), (3, 4)))
    assert withdraw_pairing(ready, (), None) == PairingWithdrawn(1, None)
    assert withdraw_pairing(ready, [game(1, ("p1", "p2"), (0, 0), standing="annulled")], None) == PairingWithdrawn(1, None)
    with refusal("nothing_paired"):
        withdraw_pairing(recorded(*FOUR), (), None)


def test_what_was_played_keeps_a_pairing():
    ready = (*FOUR, paired(1, (1, 2), (3, 4)))
    for said in (ResultEntered(1, "1", (1, 2), 1), TableForfeited(1, "1", (2,), None)):
        with refusal("round_played", round=1):
            withdraw_pairing(recorded(*ready, said), (), None)
    with refusal("round_played", round=1):
        withdraw_pairing(recorded(*ready), [game(1, ("p1", "p2"), (0, 0), over=False)], None)
    with refusal("round_closed", round=1):
        withdraw_pairing(recorded(*ready, RoundClosed(1)), (), None)


def test_a_round_is_closed_when_nothing_is_open():
    ready = recorded(*FOUR, paired(1, (1, 2), (3, 4)), ResultEntered(1, "2", (1, 2), None))
    assert close_round(ready, [game(1, ("p1", "p2"), (3, 4))], 1) == RoundClosed(1)


def test_a_closing_names_the_checkpoint_that_it_is_told_and_without_one_is_stored_as_ever():
    ready = (*FOUR, paired(1, (1, 2), (3, 4)), *(ResultEntered(1, table, (1, 2), None) for table in ("1", "2")))
    named = NamedCheckpoint("club/log/1", 26, "qg==")
    closed = close_round(recorded(*ready), (), 1, checkpoint=named)
    assert closed == RoundClosed(1, named)
    assert [recorded(*ready, event).rounds[0].checkpoint for event in (closed, RoundClosed(1))] == [named, UNSET]
    assert msgspec.json.encode(closed) == b'{"round":1,"checkpoint":{"origin":"club/log/1","size":26,"root":"qg=="}}'
    assert msgspec.json.encode(RoundClosed(1)) == b'{"round":1}'


def test_an_open_round_says_who_waits_for_what():
    ready = recorded(*FOUR, paired(1, (1, 2), (3, 4)), ResultEntered(1, "2", (1, 2), 3))
    with pytest.raises(StillOpen) as refused:
        close_round(ready, (), 1)
    assert refused.value.detail == {"round": 1, "tables": ("1", "2")}
    assert refused.value.missing == (
        MissingResult(1, "1", "game_missing", {"games": 1, "recorded": 0}),
        MissingResult(1, "2", "result_unconfirmed", {"sides": (4,)}),
    )


def test_a_round_is_closed_once():
    with refusal("round_closed", round=1):
        close_round(recorded(*FOUR, paired(1, (1, 2), (3, 4)), RoundClosed(1)), (), 1)
    with pytest.raises(Unknown):
        close_round(recorded(*FOUR), (), 1)


def test_a_tournament_is_finished_after_a_closed_round():
    over = recorded(plan(rounds=9), *entries(2), paired(1, (1, 2)), RoundClosed(1))
    assert finish_tournament(over, [game(1, ("p1", "p2"), (3, 4))], None) == TournamentEnded("finished", None)
    with refusal("round_not_closed", round=1):
        finish_tournament(recorded(plan(), *entries(2), paired(1, (1, 2))), (), None)
    with refusal("nothing_paired"):
        finish_tournament(recorded(plan()), (), None)


def test_an_end_is_remarked_only_before_the_last_planned_round():
    assert warn_about_end(recorded(plan(rounds=2), *entries(2), paired(1, (1, 2)), RoundClosed(1))) == (
        Remark("rounds_left", {"played": 1, "planned": 2}),
    )
    assert warn_about_end(recorded(plan(rounds=1), *entries(2), paired(1, (1, 2)), RoundClosed(1))) == ()
    assert warn_about_end(recorded(plan(format="knockout", rounds=None), *entries(2), paired(1, (1, 2)), RoundClosed(1))) == ()


def test_adjourned_tables_are_finished_first():
    late = recorded(plan(), *entries(2), paired(1, (1, 2)), TableAdjourned(1, "1", None), RoundClosed(1))
    with pytest.raises(StillOpen) as refused:
        finish_tournament(late, (), None)
    assert (refused.value.code, refused.value.detail) == ("tournament_open", {"tables": ("1",)})
    assert refused.value.missing == (MissingResult(1, "1", "adjourned", {}),)


def test_a_tournament_can_be_cancelled_at_any_time():
    assert cancel_tournament(recorded(*FOUR, paired(1, (1, 2), (3, 4))), None) == TournamentEnded("cancelled", None)


def test_after_the_end_nothing_is_paired_or_closed():
    over = recorded(*FOUR, paired(1, (1, 2), (3, 4)), TournamentEnded("cancelled", None))
    for decide in (
        lambda: by_hand(over),
        lambda: draw_round(over, ()),
        lambda: withdraw_pairing(over, (), None),
        lambda: close_round(over, (), 1),
        lambda: finish_tournament(over, (), None),
        lambda: cancel_tournament(over, None),
    ):
        with refusal("tournament_ended"):
            decide()


@each("how", ["finished", "cancelled"])
def test_a_tournament_is_reopened_until_it_is_published(how: Literal["finished", "cancelled"]):
    over = (*FOUR, paired(1, (1, 2), (3, 4)), RoundClosed(1), TournamentEnded(how, None))
    assert reopen_tournament(recorded(*over), None) == TournamentReopened(None)
    with refusal("ended_in_public"):
        reopen_tournament(recorded(*over, TournamentPublished("aliases")), None)
    assert reopen_tournament(recorded(*over, TournamentPublished("aliases"), TournamentPublished("no")), None) == TournamentReopened(None)
    going_on = recorded(*over, TournamentReopened(None))
    assert (going_on.ended, going_on.ended_at) == (None, None)
    with refusal("not_ended"):
        reopen_tournament(going_on, None)
