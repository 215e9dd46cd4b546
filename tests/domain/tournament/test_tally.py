"""What came of the tables, and what is still waited for."""

from typing import Any

from domain.events.tournament import EntryChanged, ResultConfirmed, ResultEntered, RoundClosed, TableAdjourned, TableForfeited
from domain.standings.cross_table import build_cross_table
from domain.standings.plan import Outcome, Scoring
from domain.tournament.games import SeatedHands
from domain.tournament.tally import MissingResult, list_adjourned_tables, missing_results, tally_rounds
from domain.tournament.tournament import Tournament
from tests.domain.tournament.recorded import ALONE, PAIRS, entries, game, game_id, paired, pairs, plan, recorded
from tests.each import each

DUELS = (plan(), *entries(2), paired(1, (1, 2)))


def outcome(tournament: Tournament, *games: Any, **kwargs: Any) -> tuple[Any, ...]:
    """Points, where they come from and which games are behind them, of the only table."""
    (one,) = tally_rounds(tournament, games, **kwargs)
    return (one.points, one.how, one.games)


def lacks(tournament: Tournament, *games: Any, round: int = 1) -> list[tuple[str, dict[str, Any]]]:
    return [(one.code, one.detail) for one in missing_results(tournament, games, round)]


def test_a_table_without_a_result_waits_for_a_game():
    tournament = recorded(*DUELS)
    assert tally_rounds(tournament, ()) == (Outcome(1, "1", ((1,), (2,)), None, "open"),)
    assert missing_results(tournament, (), 1) == (MissingResult(1, "1", "game_missing", {"games": 1, "recorded": 0}),)


def test_the_game_of_a_table_is_its_result():
    over = game(1, ("p1", "p2"), (21, 17))
    assert tally_rounds(recorded(*DUELS), [over]) == (Outcome(1, "1", ((1,), (2,)), (21, 17), "games", games=(game_id(1),)),)
    assert lacks(recorded(*DUELS), over) == []


def test_points_go_to_those_who_made_them_wherever_they_sat():
    assert outcome(recorded(*DUELS), game(1, ("p2", "p1"), (21, 17))) == ((17, 21), "games", (game_id(1),))


def test_a_game_without_players_counts_by_its_seats():
    assert outcome(recorded(*DUELS), game(1, (None, None), (21, 17)))[0] == (21, 17)
    assert outcome(recorded(*DUELS), game(1, (None, "p2"), (21, 17)))[0] == (21, 17)


def test_a_game_that_is_played_is_waited_for():
    playing = game(1, ("p1", "p2"), (3, 4), over=False)
    assert outcome(recorded(*DUELS), playing) == (None, "open", (game_id(1),))
    assert lacks(recorded(*DUELS), playing) == [("game_unfinished", {"game": str(game_id(1))})]
    assert lacks(recorded(*DUELS), game(1, ("p1", "p2"), (3, 4), over=False, standing="suspended")) == [
        ("game_suspended", {"game": str(game_id(1))})
    ]


def test_an_annulled_game_is_as_if_it_had_not_been():
    annulled = game(1, ("p1", "p2"), (0, 0), standing="annulled")
    assert outcome(recorded(*DUELS), annulled) == (None, "open", ())
    assert lacks(recorded(*DUELS), annulled) == [("game_missing", {"games": 1, "recorded": 0})]
    assert outcome(recorded(*DUELS), annulled, game(2, ("p1", "p2"), (5, 4))) == ((5, 4), "games", (game_id(2),))


def test_of_an_abandoned_game_counts_what_was_scored():
    assert outcome(recorded(*DUELS), game(1, ("p1", "p2"), (3, 4), over=False, standing="abandoned"))[0] == (3, 4)


def test_a_lost_solitaire_is_over_too():
    alone = recorded(plan(ALONE), *entries(1), paired(1, (1,)))
    assert outcome(alone, game(1, ("p1",), (0,), parties=ALONE))[0] == (0,)


def test_several_games_of_a_table_are_added_up_in_their_order():
    tournament = recorded(plan(games=2), *entries(2), paired(1, (1, 2)))
    second, first = game(5, ("p2", "p1"), (1, 10)), game(3, ("p1", "p2"), (21, 17))
    assert lacks(tournament, first) == [("game_missing", {"games": 2, "recorded": 1})]
    assert outcome(tournament, second, first) == ((31, 18), "games", (game_id(3), game_id(5)))


def test_a_game_too_many_is_named():
    one, other = game(1, ("p1", "p2"), (21, 17)), game(2, ("p1", "p2"), (1, 2))
    assert outcome(recorded(*DUELS), one, other)[:2] == (None, "open")
    assert lacks(recorded(*DUELS), one, other) == [("too_many_games", {"games": 1, "recorded": 2})]


@each("players", [("p1", "x"), ("p1", "p1"), ("x", None)])
def test_a_game_of_other_players_is_named(players: tuple[str, str]):
    wrong = game(1, players, (21, 17))
    assert lacks(recorded(*DUELS), wrong) == [("players_do_not_fit", {"game": str(game_id(1)), "players": players})]


def test_partners_who_were_parted_do_not_fit():
    tournament = recorded(plan(PAIRS), *pairs(2), paired(1, (1, 2, 1, 2)))
    right = game(1, ("p2b", "p1a", "p2a", "p1b"), (9, 5), parties=PAIRS)
    assert outcome(tournament, right)[0] == (5, 9)
    assert lacks(tournament, game(1, ("p1a", "p1b", "p2a", "p2b"), (9, 5), parties=PAIRS))[0][0] == "players_do_not_fit"


def test_partners_who_sat_apart_in_some_hands_leave_their_table_without_a_result():
    apart, together = ("p1a", "p1b", "p2a", "p2b"), ("p1a", "p2a", "p1b", "p2b")
    seated = (SeatedHands(1, apart, (4, 2)), SeatedHands(2, together, (5, 3)))
    one = game(1, together, (9, 5), parties=PAIRS, seated=seated)
    assert lacks(recorded(plan(PAIRS), *pairs(2), paired(1, (1, 2, 1, 2))), one) == [
        ("players_do_not_fit", {"game": str(game_id(1)), "players": apart})
    ]


def test_changing_partners_keep_their_entrants_apart():
    tournament = recorded(plan(PAIRS, entrants="players"), *entries(4), paired(1, (1, 2, 3, 4)))
    (one,) = tally_rounds(tournament, [game(1, ("p2", "p3", "p4", "p1"), (9, 5), parties=PAIRS)])
    assert (one.parties, one.points) == (((1, 3), (2, 4)), (5, 9))


def test_a_substitute_and_who_played_before_him_both_fit():
    tournament = recorded(plan(games=2), *entries(2), paired(1, (1, 2)), EntryChanged(2, ("x",), 1))
    assert outcome(tournament, game(1, ("p1", "p2"), (1, 2)), game(2, ("p1", "x"), (3, 4)))[0] == (4, 6)


def test_who_was_merged_into_another_id_fits_under_both():
    person = {"old": "p2"}
    assert outcome(recorded(*DUELS), game(1, ("old", "p1"), (1, 2)), person_of=lambda id: person.get(id, id))[0] == (2, 1)


def test_a_game_of_other_rules_is_named():
    wrong = [("other_rules", {"game": str(game_id(1))})]
    assert lacks(recorded(*DUELS), game(1, ("p1", "p2"), (1, 2), options={"sweeps": False})) == wrong
    assert lacks(recorded(*DUELS), game(1, ("p1", "p2"), (1, 2), ruleset="canasta")) == wrong


def test_options_that_came_with_a_later_edition_do_no_harm():
    assert lacks(recorded(*DUELS), game(1, ("p1", "p2"), (1, 2), options={"sweeps": True, "newer": 1})) == []


def test_games_at_no_table_of_the_round_count_nowhere():
    assert outcome(recorded(*DUELS), game(1, ("p1", "p2"), (1, 2), table="9"), game(2, ("p1", "p2"), (1, 2), round=4))[1] == "open"


def test_an_entered_result_waits_for_the_other_side():
    said = recorded(*DUELS, ResultEntered(1, "1", (3, 5), 2))
    assert outcome(said) == (None, "open", ())
    assert lacks(said) == [("result_unconfirmed", {"sides": (1,)})]
    assert outcome(recorded(*DUELS, ResultEntered(1, "1", (3, 5), 2), ResultConfirmed(1, "1", 1))) == ((3, 5), "entered", ())


def test_one_of_each_party_is_enough():
    changing = recorded(plan(PAIRS, entrants="players"), *entries(4), paired(1, (1, 2, 3, 4)), ResultEntered(1, "1", (3, 5), 3))
    assert lacks(changing) == [("result_unconfirmed", {"sides": (2,)})]


def test_who_plays_alone_needs_nobody_to_confirm():
    alone = recorded(plan(ALONE), *entries(1), paired(1, (1,)), ResultEntered(1, "1", (36,), 1))
    assert outcome(alone) == ((36,), "entered", ())


def test_a_recorded_game_goes_before_what_the_sides_agree_on():
    said = recorded(*DUELS, ResultEntered(1, "1", (3, 5), 2), ResultConfirmed(1, "1", 1))
    assert outcome(said, game(1, ("p1", "p2"), (21, 17)))[:2] == ((21, 17), "games")


def test_the_word_of_the_director_goes_before_everything():
    said = recorded(*DUELS, ResultEntered(1, "1", (3, 5), None))
    assert outcome(said, game(1, ("p1", "p2"), (21, 17))) == ((3, 5), "entered", (game_id(1),))


@each(("absent", "points"), [((2,), (10, -1)), ((1, 2), (-1, -1))])
def test_a_forfeit_brings_what_was_announced(absent: tuple[int, ...], points: tuple[int, int]):
    away = recorded(plan(scoring=Scoring("points", forfeit=(10, -1))), *entries(2), paired(1, (1, 2)), TableForfeited(1, "1", absent, None))
    assert tally_rounds(away, ()) == (Outcome(1, "1", ((1,), (2,)), points, "forfeited", absent),)
    assert lacks(away) == []


def test_an_adjourned_table_keeps_no_round_open_but_the_tournament():
    late = recorded(*DUELS, TableAdjourned(1, "1", None), RoundClosed(1))
    playing = game(1, ("p1", "p2"), (3, 4), over=False)
    assert outcome(late, playing) == (None, "adjourned", (game_id(1),))
    assert lacks(late, playing) == []
    assert list_adjourned_tables(late, [playing]) == (MissingResult(1, "1", "adjourned", {}),)
    assert outcome(late, game(1, ("p1", "p2"), (3, 4)))[1] == "games"
    assert list_adjourned_tables(late, [game(1, ("p1", "p2"), (3, 4))]) == ()


def test_outcomes_come_in_the_order_of_rounds_and_tables():
    tournament = recorded(plan(), *entries(4), paired(1, (1, 2), (3, 4)), RoundClosed(1), paired(2, (1, 3), (2, 4)))
    found = tally_rounds(tournament, [game(1, ("p3", "p4"), (1, 2), table="2"), game(2, ("p1", "p3"), (1, 2), round=2)])
    assert [(one.round, one.table, one.points) for one in found] == [
        (1, "1", None),
        (1, "2", (1, 2)),
        (2, "1", (1, 2)),
        (2, "2", None),
    ]


def test_a_game_of_fewer_parties_does_not_fit():
    wrong = game(1, ("p1", "p2"), (3,), parties=((0, 1),))
    assert lacks(recorded(*DUELS), wrong)[0][0] == "players_do_not_fit"
    assert lacks(recorded(*DUELS), game(1, ("p1",), (3,), parties=ALONE))[0][0] == "players_do_not_fit"


def test_who_counts_out_first_has_won_whatever_the_points_are():  # CNO-65
    (one,) = tally_rounds(recorded(*DUELS), [game(1, ("p2", "p1"), (21, 22), places=(1, 2))])
    assert (one.points, one.places, one.rank_key) == ((22, 21), (2, 1), (-2, -1))
    table = build_cross_table(plan(), [1, 2], [one], ())
    assert [(int(share.score), share.result) for entrant in (1, 2) for share in table[entrant]] == [(0, "lost"), (2, "won")]


def test_a_ruling_that_gives_the_win_to_both_makes_them_equal():
    (one,) = tally_rounds(recorded(*DUELS), [game(1, ("p1", "p2"), (21, 22), places=(1, 1))])
    assert one.rank_key == (-1, -1)


def test_places_of_several_games_do_not_add_up():
    tournament = recorded(plan(games=2), *entries(2), paired(1, (1, 2)))
    games = [game(number, ("p1", "p2"), (21, 22), places=(1, 2)) for number in (1, 2)]
    assert [one.rank_key for one in tally_rounds(tournament, games)] == [(42, 44)]


def test_a_lost_solitaire_has_points_and_no_place():
    alone = recorded(plan(ALONE), *entries(1), paired(1, (1,)))
    assert [one.rank_key for one in tally_rounds(alone, [game(1, ("p1",), (12,), parties=ALONE, places=(None,))])] == [(12,)]
