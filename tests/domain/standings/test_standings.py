"""Where everybody stands, and what every figure is made of."""

from fractions import Fraction
from hashlib import sha256
from typing import Any, get_args
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.standings.plan import Bye, ByeBrings, Outcome, Scoring
from domain.standings.standings import StandingsRow, standings
from domain.standings.tie_breaks import Part, TieBreak, TieBreakValue
from tests.domain.tournament.fields import FOUR, MATCH_POINTS, POINTS, a_plan, duel, forfeit, histories
from tests.each import each

GAME = UUID(int=1)
EVERY_TIE_BREAK = get_args(TieBreak)


def scores(lines: tuple[StandingsRow, ...]) -> Any:
    return [(line.place, line.entrant, line.score) for line in lines]


def figures(lines: tuple[StandingsRow, ...]) -> Any:
    return {line.entrant: [figure.value for figure in line.figures] for line in lines}


def test_by_match_points_a_win_brings_the_first_place_and_a_draw_half_of_both():
    outcomes = [duel(1, 1, 2, 900, 200), duel(1, 3, 4, 500, 500)]
    assert scores(standings(a_plan(), range(1, 5), outcomes, [])) == [(1, 1, 2), (2, 3, 1), (2, 4, 1), (4, 2, 0)]


def test_by_points_the_game_points_are_the_score():
    outcomes = [duel(1, 1, 2, 900, 200), duel(1, 3, 4, 500, 950)]
    assert scores(standings(a_plan(scoring=POINTS), range(1, 5), outcomes, [])) == [(1, 4, 950), (2, 1, 900), (3, 3, 500), (4, 2, 200)]


def test_a_bye_brings_what_was_announced():
    tables = [duel(1, 1, 2, 900, 200)]
    assert scores(standings(a_plan(scoring=Scoring("points", bye=12)), (1, 2, 3), tables, [Bye(1, 3)])) == [
        (1, 1, 900),
        (2, 2, 200),
        (3, 3, 12),
    ]


def test_a_bye_may_bring_the_average_of_those_who_played_in_that_round():
    plan = a_plan(scoring=Scoring("points", bye="average", forfeit=(5000, 0)))
    tables = [duel(1, 1, 2, 900, 200), duel(1, 3, 4, 500, 401), duel(2, 1, 3, 10, 20), duel(2, 2, 4), forfeit(2, 5, 6, 6)]
    lines = standings(plan, range(1, 8), tables, [Bye(1, 5), Bye(1, 7), Bye(2, 7), Bye(3, 7)])
    assert {line.entrant: line.score for line in lines if line.entrant in (5, 7)} == {
        5: Fraction(2001, 4) + 5000,
        7: Fraction(2001, 4) + 15,
    }
    parts = next(line.parts for line in lines if line.entrant == 7)
    assert [(part.round, part.how, part.value) for part in parts] == [(1, "bye", Fraction(2001, 4)), (2, "bye", 15), (3, "bye", 0)]


def test_a_line_tells_what_was_played_won_drawn_and_lost():
    outcomes = [duel(1, 1, 2, 9, 2), duel(2, 1, 2, 5, 5), duel(3, 1, 2, 3, 4), forfeit(4, 1, 2, 2), duel(5, 1, 2)]
    line, _ = standings(a_plan(), (1, 2), outcomes, [])
    assert (line.entrant, line.score) == (1, Fraction(5))
    assert (line.played, line.wins, line.draws, line.losses) == (3, 1, 1, 1)


def test_parties_of_a_large_table_that_share_a_place_share_the_sum():
    plan = a_plan(parties=FOUR, entrants="players", scoring=Scoring("match_points", (5, 3, 1, 0)))
    outcomes = [Outcome(1, "1", ((1,), (2,), (3,), (4,)), (40, 70, 40, 40), "games")]
    lines = standings(plan, range(1, 5), outcomes, [])
    assert scores(lines) == [(1, 2, 5), (2, 1, Fraction(4, 3)), (2, 3, Fraction(4, 3)), (2, 4, Fraction(4, 3))]
    assert {(line.wins, line.draws, line.losses) for line in lines} == {(None, None, None)}


def test_with_changing_partners_each_player_has_the_result_of_his_party():
    plan = a_plan("swiss", "score_difference", entrants="players")
    outcomes = [Outcome(1, "1", ((3, 8), (5, 1)), (300, 500), "games"), Outcome(2, "1", ((3, 1), (5, 8)), (400, 100), "games")]
    lines = standings(plan, (1, 3, 5, 8), outcomes, [])
    assert scores(lines) == [(1, 1, 4), (2, 3, 2), (3, 5, 2), (4, 8, 0)]
    assert figures(lines) == {1: [500], 3: [100], 5: [-100], 8: [-500]}


def test_who_plays_alone_stands_by_his_points():
    plan = a_plan(parties=((0,),), entrants="players", scoring=POINTS)
    outcomes = [Outcome(1, "1", ((1,),), (30,), "games"), Outcome(1, "2", ((2,),), (45,), "games")]
    assert scores(standings(plan, (1, 2), outcomes, [])) == [(1, 2, 45), (2, 1, 30)]


def test_a_bye_brings_what_the_announcement_says():
    plan = a_plan(scoring=Scoring("match_points", (2, 0), 1))
    assert scores(standings(plan, (1, 2, 3), [duel(1, 1, 2, 9, 1)], [Bye(1, 3)])) == [(1, 1, 2), (2, 3, 1), (3, 2, 0)]


def test_who_came_has_the_win_and_who_did_not_come_has_the_last_place():
    assert scores(standings(a_plan(), (1, 2), [forfeit(1, 1, 2, 1)], [])) == [(1, 2, 2), (2, 1, 0)]


def test_if_neither_came_neither_has_anything():
    assert scores(standings(a_plan(), (1, 2), [forfeit(1, 1, 2, 1, 2)], [])) == [(1, 1, 0), (1, 2, 0)]


def test_who_came_to_a_large_table_shares_the_first_places():
    plan = a_plan("swiss", parties=FOUR, entrants="players", scoring=Scoring("match_points", (5, 3, 1, 0)))
    outcome = Outcome(1, "1", ((1,), (2,), (3,), (4,)), None, "forfeited", absent=(2,))
    assert scores(standings(plan, range(1, 5), [outcome], [])) == [(1, 1, 3), (1, 3, 3), (1, 4, 3), (4, 2, 0)]


def at_tables_of_four_and_three(scoring: Scoring) -> dict[int, Fraction]:
    plan = replace(a_plan(parties=FOUR, entrants="players", scoring=scoring), smaller_tables=True)
    four = Outcome(1, "1", ((1,), (2,), (3,), (4,)), (4, 3, 1, 0), "games")
    three = Outcome(1, "2", ((5,), (6,), (7,)), (5, 2, 1), "games")
    return {line.entrant: line.score for line in standings(plan, range(1, 9), [four, three], [Bye(1, 8)])}


def test_at_a_smaller_table_first_and_last_bring_the_same_match_points_and_those_between_are_spread_evenly():
    assert at_tables_of_four_and_three(Scoring("match_points", (6, 4, 2, 0), 6)) == {1: 6, 2: 4, 3: 2, 4: 0, 5: 6, 6: 3, 7: 0, 8: 6}


def test_by_points_a_smaller_table_is_levelled_to_the_average_of_the_full_ones():
    third = Fraction(2, 3)  # 8 points are won at either table: 2 each of four, and 2 2/3 each of three
    found = at_tables_of_four_and_three(Scoring("points", bye="average", forfeit=("bye", 0)))
    assert found == {1: 4, 2: 3, 3: 1, 4: 0, 5: 5 - third, 6: 2 - third, 7: 1 - third, 8: 2}


def test_who_came_wins_also_if_his_partner_did_not():
    outcome = Outcome(1, "1", ((1, 2), (3, 4)), None, "forfeited", absent=(2,))
    assert scores(standings(a_plan(entrants="players"), range(1, 5), [outcome], [])) == [(1, 1, 2), (1, 3, 2), (1, 4, 2), (4, 2, 0)]


def test_by_points_a_forfeit_brings_the_points_of_the_announcement():
    assert scores(standings(a_plan(scoring=POINTS), (1, 2), [forfeit(1, 1, 2, 1)], [])) == [(1, 2, 100), (2, 1, 0)]


@each(("bye", "each"), [("average", 1200), (700, 700)])
def test_by_points_each_who_came_gets_what_a_bye_brings_and_only_the_absent_nothing(bye: ByeBrings, each: int):
    plan = a_plan(entrants="players", scoring=Scoring("points", bye=bye, forfeit=("bye", 0)))
    played = Outcome(1, "1", ((1, 2), (3, 4)), (1500, 900), "entered")
    missed = Outcome(1, "2", ((5, 6), (7, 8)), (0, 0), "forfeited", absent=(6,))
    lines = standings(plan, range(1, 10), [missed, played], [Bye(1, 9)])
    assert {line.entrant: line.score for line in lines if line.entrant > 4} == {5: each, 6: 0, 7: each, 8: each, 9: each}


def test_beside_match_points_such_a_forfeit_brings_no_game_points():
    plan = a_plan("swiss", "points", scoring=Scoring("match_points", (3, 0), 3, ("bye", 0)))
    lines = standings(plan, (1, 2), [forfeit(1, 1, 2, 2)], [])
    assert (scores(lines), figures(lines)) == ([(1, 1, 3), (2, 2, 0)], {1: [0], 2: [0]})


def test_win_draw_and_loss_bring_what_was_announced():
    plan = a_plan("swiss", scoring=Scoring("match_points", (3, 0), 3, draw=1))
    lines = standings(plan, range(1, 5), [duel(1, 1, 2, 5, 5), duel(1, 3, 4, 9, 2)], [])
    assert scores(lines) == [(1, 3, 3), (2, 1, 1), (2, 2, 1), (4, 4, 0)]


def test_open_and_adjourned_tables_count_for_nothing_yet():
    outcomes = [duel(1, 1, 2), Outcome(1, "3-4", ((3,), (4,)), None, "adjourned")]
    assert scores(standings(a_plan("swiss", "buchholz"), range(1, 5), outcomes, [])) == [(1, n, 0) for n in range(1, 5)]


def test_places_are_shared_where_nothing_decides_and_the_following_stay_vacant():
    lines = standings(a_plan("swiss", "wins"), range(1, 4), [duel(1, 1, 2, 1, 1)], [Bye(1, 3)])
    assert scores(lines) == [(1, 3, 2), (2, 1, 1), (2, 2, 1)]


@given(histories())
def test_with_lots_no_place_is_shared(history):
    size, outcomes, byes = history
    lines = standings(a_plan("swiss", "buchholz", "lots"), range(1, size + 1), outcomes, byes)
    assert [line.place for line in lines] == list(range(1, size + 1))


def test_anybody_can_draw_the_lots_again():
    lines = standings(a_plan("swiss", "lots", seed="evening"), (1, 2, 3), [], [])
    drawn = {entrant: int(sha256(f"evening:lots:{entrant}".encode()).hexdigest()[:12], 16) for entrant in (1, 2, 3)}
    assert [line.entrant for line in lines] == sorted(drawn, key=drawn.__getitem__)
    assert figures(lines) == {entrant: [lot] for entrant, lot in drawn.items()}


@given(histories())
def test_every_score_and_figure_is_the_sum_of_the_parts_that_count(history):
    size, outcomes, byes = history
    names: tuple[TieBreak, ...] = ("buchholz", "buchholz_cut_1", "sonneborn_berger", "score_difference", "points", "wins")
    for line in standings(a_plan("swiss", *names), range(1, size + 1), outcomes, byes):
        assert line.score == sum(part.value for part in line.parts if part.counts)
        for figure in line.figures:
            assert figure.value == sum(part.value for part in figure.parts if part.counts)


def test_a_part_names_the_table_the_opponents_and_the_games():
    outcome = Outcome(1, "7", ((1,), (2,)), (900, 200), "games", games=(GAME,))
    first, second = standings(a_plan("swiss", "buchholz", "score_difference"), (1, 2), [outcome], [])
    assert first.parts == (Part(1, "7", "played", (2,), Fraction(2), (GAME,)),)
    assert first.figures[1] == TieBreakValue("score_difference", Fraction(700), (Part(1, "7", "played", (2,), Fraction(700), (GAME,)),))
    assert second.figures[0] == TieBreakValue("buchholz", Fraction(2), (Part(1, "7", "played", (1,), Fraction(2), (GAME,)),))


def test_buchholz_of_a_round_with_a_bye_is_a_dummy_with_the_own_score():
    lines = standings(a_plan("swiss", "buchholz"), (1, 2, 3), [duel(1, 1, 2, 1, 1)], [Bye(1, 3)])
    # He has 2, but a dummy has no more than a draw in every round.
    assert lines[0].figures[0].parts == (Part(1, None, "bye", (), Fraction(1), ()),)


def test_rounds_at_the_end_that_somebody_missed_count_as_drawn_for_others():
    outcomes = [duel(1, 1, 2, 9, 1), duel(2, 2, 3, 9, 1), duel(3, 2, 3, 9, 1)]
    lines = standings(a_plan("swiss", "buchholz"), (1, 2, 3), outcomes, [])
    assert [(line.entrant, int(line.score), int(line.for_others)) for line in lines] == [(2, 4, 4), (1, 2, 4), (3, 0, 0)]
    assert lines[0].figures[0].parts[0] == Part(1, "1-2", "played", (1,), Fraction(4), ())


def test_rounds_that_somebody_missed_before_he_returned_bring_nothing_to_others():
    left, back = [duel(1, 1, 2, 9, 1), duel(2, 2, 3, 9, 1)], [duel(3, 1, 3, 1, 9)]
    byes = [Bye(1, 3), Bye(3, 2)]
    assert figures(standings(a_plan("swiss", "buchholz"), range(1, 4), left, byes[:1]))[2] == [3 + 2]
    assert figures(standings(a_plan("swiss", "buchholz"), range(1, 4), left + back, byes))[2] == [2 + 4 + 3]


def test_the_lowest_part_is_cut_but_stays_to_be_seen():
    outcomes = [duel(1, 1, 2, 9, 1), duel(1, 3, 4, 9, 1), duel(2, 1, 3, 9, 1), duel(2, 2, 4, 9, 1)]
    line = standings(a_plan("swiss", "buchholz_cut_1"), range(1, 5), outcomes, [])[0]
    assert [(part.opponents, part.value, part.counts) for part in line.figures[0].parts] == [
        ((2,), Fraction(2), False),
        ((3,), Fraction(2), True),
    ]


def test_direct_encounter_is_the_place_among_the_tied_with_the_scores_of_their_encounters():
    outcomes = [duel(1, 1, 2, 1, 9), duel(1, 3, 4, 9, 1), duel(2, 1, 3, 9, 1), duel(2, 2, 4, 1, 9)]
    lines = standings(a_plan("swiss", "direct_encounter"), range(1, 5), outcomes, [])
    # All have won once. The fourth beat the second, who beat the first, who beat the third, who beat the fourth.
    assert {line.entrant: line.figures[0].value for line in lines} == {1: 1, 2: 1, 3: 1, 4: 1}
    assert [(part.opponents, part.value) for part in lines[0].figures[0].parts] == [((2,), Fraction(0)), ((3,), Fraction(2))]


def test_who_won_the_direct_encounter_goes_first():
    outcomes = [duel(1, 1, 2, 1, 9), duel(2, 1, 3, 9, 1), duel(2, 2, 4, 1, 9)]
    lines = standings(a_plan("swiss", "direct_encounter"), (1, 2), outcomes, [])
    assert [(line.place, line.entrant, line.figures[0].value) for line in lines] == [(1, 2, Fraction(1)), (2, 1, Fraction(2))]


def test_where_nobody_is_tied_there_is_no_direct_encounter():
    first, second = standings(a_plan("swiss", "direct_encounter"), (1, 2), [duel(1, 1, 2, 1, 9)], [])
    assert first.figures == second.figures == (TieBreakValue("direct_encounter", None),)


def test_a_large_table_has_the_scores_of_all_opponents_in_its_buchholz():
    plan = a_plan("swiss", "buchholz", parties=FOUR, entrants="players", scoring=Scoring("match_points", (3, 2, 1, 0)))
    lines = standings(plan, range(1, 5), [Outcome(1, "1", ((1,), (2,), (3,), (4,)), (9, 8, 7, 6), "games")], [])
    assert figures(lines) == {1: [3], 2: [4], 3: [5], 4: [6]}


def test_standings_as_of_a_round_are_those_of_the_outcomes_up_to_it():
    outcomes = [duel(1, 1, 2, 9, 1), duel(2, 1, 2, 1, 9)]
    assert scores(standings(a_plan(scoring=MATCH_POINTS), (1, 2), outcomes[:1], [])) == [(1, 1, 2), (2, 2, 0)]


def test_in_a_knock_out_who_comes_further_stands_higher():
    first = [duel(1, 3, 6, 9, 1), duel(1, 4, 5, 9, 1)]
    later = [duel(2, 1, 4, 9, 1), duel(2, 2, 3, 9, 1), duel(3, 1, 2, 1, 9)]
    lines = standings(a_plan("knockout"), range(1, 7), first + later, [Bye(1, 1), Bye(1, 2)])
    assert scores(lines) == [(1, 2, 6), (2, 1, 4), (3, 3, 2), (3, 4, 2), (5, 5, 0), (5, 6, 0)]


# FIDE Arbiters' Manual 2026, pages 258 and 259, an example for C.07, article 16: a tournament of ten rounds. Of each round the final
# score of the opponent, and what the player scored against him; in the fourth he was away. There a win counts 1, here 2.
WORKED = [(5, 1), (5, 1), (6.5, 0), None, (4.5, 1), (6, 0.5), (5, 1), (6.5, 0.5), (5.5, 1), (6, 1)]
RESULTS = {1: (9, 1), 0.5: (5, 5), 0: (1, 9)}


def test_the_worked_example_of_the_arbiters_manual():
    outcomes = []
    for number, met in enumerate(WORKED, 1):
        if met is not None:
            final, result = met
            outcomes.append(duel(number, 1, 10 + number, *RESULTS[result]))
            outcomes += earned(10 + number, 100 + number, final - (1 - result), [one for one in range(1, 11) if one != number])
    lines = standings(a_plan("swiss", "buchholz", "buchholz_cut_1", "sonneborn_berger"), range(1, 112), outcomes, [])
    (line,) = [line for line in lines if line.entrant == 1]
    assert line.score == 7 * 2
    assert figures((line,)) == {1: [55 * 2, 50 * 2, Fraction(37.25) * 4]}


def earned(entrant: int, other: int, score: float, rounds: list[int]) -> list[Outcome]:
    """So much against somebody who does not matter."""
    wins, draws = int(score), int(score * 2) % 2
    results = [RESULTS[1]] * wins + [RESULTS[0.5]] * draws + [RESULTS[0]] * (len(rounds) - wins - draws)
    return [duel(number, entrant, other, *points) for number, points in zip(rounds, results, strict=True)]


parties = st.lists(st.lists(st.integers(1, 5), max_size=3).map(tuple), max_size=4).map(tuple)
points = st.none() | st.lists(st.integers(-5, 5), max_size=4).map(tuple)
damaged = st.builds(
    Outcome,
    st.integers(1, 3),
    st.just("1"),
    parties,
    points,
    st.sampled_from(["open", "games", "entered", "forfeited", "adjourned"]),
    st.lists(st.integers(1, 5), max_size=3).map(tuple),
    places=points,
)


@given(
    st.lists(damaged, max_size=5),
    st.lists(st.builds(Bye, st.integers(1, 3), st.integers(1, 5)), max_size=3),
    st.sampled_from(["swiss", "round_robin", "knockout", "manual"]),
    st.permutations(list(EVERY_TIE_BREAK)),
    st.sampled_from(
        [MATCH_POINTS, POINTS, Scoring("points", bye="average"), Scoring("match_points", ()), Scoring("match_points", (3, 1, 0))]
    ),
)
def test_damaged_histories_can_be_read_whatever_was_announced(outcomes, byes, format, tie_breaks, scoring):
    lines = standings(a_plan(format, *tie_breaks, scoring=scoring), range(1, 4), outcomes, byes)
    assert sorted(line.entrant for line in lines) == [1, 2, 3]
