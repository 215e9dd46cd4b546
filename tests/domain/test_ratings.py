"""Ratings: what a game does to them, and how they are shown. Another program, bare openskill, comes to the same."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from domain.ratings import Rating, RatingRun, Teams, is_rated
from tests.each import each

PLAYERS = [f"p{number}" for number in range(6)]


def random_games(chance: Random, count: int) -> list[Teams]:
    """Single players, partners and parties of unequal size, with ties."""
    return [_random_game(chance) for _ in range(count)]


def _random_game(chance: Random) -> Teams:
    players, sizes = chance.sample(PLAYERS, 4), chance.choice([(1, 1), (1, 1, 1), (1, 1, 1, 1), (2, 2), (2, 1)])
    return [([players.pop() for _ in range(size)], chance.randint(1, len(sizes))) for size in sizes]


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.integers(1, 30))
def test_a_straight_run_of_openskill_gives_equal_ratings(seed: int, count: int):
    games = random_games(Random(seed), count)
    model, run = PlackettLuce(), RatingRun()
    straight = {player: model.rating() for player in PLAYERS}
    found: dict[str, Rating] = {}
    for teams in games:
        rated = model.rate([[straight[player] for player in team] for team, _ in teams], ranks=[place for _, place in teams])
        for (team, _), ratings in zip(teams, rated, strict=True):
            straight |= dict(zip(team, ratings, strict=True))
        found |= {step.player: step.after for step in run.rate_game(teams)}
    assert {player: (one.mu, one.sigma) for player, one in found.items()} == {
        player: (straight[player].mu, straight[player].sigma) for player in found
    }


def test_a_run_continues_from_known_ratings():
    first, second = random_games(Random(1), 2)
    whole = RatingRun()
    known = {step.player: step.after for step in whole.rate_game(first)}
    assert RatingRun(known).rate_game(second) == whole.rate_game(second)


def test_expected_places_add_up_and_the_stronger_one_is_expected_first():
    run = RatingRun({"anna": Rating(35.0, 2.0, 40), "bert": Rating(30.0, 2.0, 40)})
    steps = run.rate_game([(("anna",), 1), (("bert",), 2), (("carl",), 3)])
    assert sum(step.expected for step in steps) == pytest.approx(6)
    assert [step.player for step in sorted(steps, key=lambda step: step.expected)] == ["anna", "bert", "carl"]


def test_a_rating_is_shown_with_its_uncertainty_and_provisional_before_ten_games():
    told = [(one.points, one.error, one.is_established) for one in (Rating(), Rating(30.0, 1.5, 9), Rating(30.0, 1.5, 10))]
    assert told == [(1500, 333, False), (2520, 60, False), (2520, 60, True)]


@each(
    "teams",
    [[(("anna",), 1)], [], [(("anna",), 1), (("anna",), 2)], [(("anna",), 1), ((), 2)]],
    ids=["solitaire", "none", "twice", "empty"],
)
def test_a_game_without_opponents_is_not_rated(teams: Teams):
    assert not is_rated(teams)
