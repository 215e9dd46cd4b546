"""Random legal play, for every ruleset."""

from itertools import islice
from random import Random

import msgspec
import pytest

from domain.errors import Refused
from domain.games import RULESETS
from domain.rules import Ruleset
from replay.cases import play_record
from replay.sample_games import FEW, SampleStep, find_minimum_seats, first_moves, play_sample_game, random_record

LONG = 200

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


def steps(ruleset: Ruleset, seed: int, most: int = LONG) -> list[SampleStep]:
    rulebook = ruleset.bind({}, find_minimum_seats(ruleset, {}))
    return list(islice(play_sample_game(rulebook, Random(seed)), most))


@every_ruleset
def test_the_same_chance_plays_the_same_game_and_another_one_something_else(ruleset: Ruleset):
    assert steps(ruleset, 1) == steps(ruleset, 1)
    assert steps(ruleset, 1) != steps(ruleset, 2)


@every_ruleset
def test_a_game_is_dealt_and_then_played_by_whoever_is_to_act(ruleset: Ruleset):
    first, *others = steps(ruleset, 1)
    assert (first.move, sorted(first.deck)) == (None, sorted(ruleset.bind({}, find_minimum_seats(ruleset, {})).deck))
    before = first
    for step in others:
        assert (step.move is None) == (not before.table.in_hand)
        assert step.move is None or step.seat in before.table.to_act
        before = step


@every_ruleset
def test_a_random_record_is_accepted_and_ends_where_it_has_to(ruleset: Ruleset):
    record = random_record("any", ruleset, {}, find_minimum_seats(ruleset, {}), Random(3), LONG)
    assert play_record(msgspec.json.decode(msgspec.json.encode(record)), RULESETS).error is None
    short = random_record("any", ruleset, {}, find_minimum_seats(ruleset, {}), Random(3), 5)
    assert [len(hand["moves"]) for hand in short["hands"]] == [5]
    assert short["hands"][0]["moves"] == record["hands"][0]["moves"][:5]


FREE = {"tuck": "free", "deck_def": "metals", "deals": 9, "tie_break": "tied", "round_limit": 60}


@pytest.mark.parametrize("seats", [2, 5])
def test_chance_draws_the_order_of_cards_that_nobody_records(seats: int):  # QTR-32
    records = [random_record("any", RULESETS["quartett-trumpf"], FREE, seats, Random(seed), 80) for seed in (1, 1, 2)]
    assert records[0] == records[1]
    moves = [move for record in records[1:] for hand in record["hands"] for move in hand["moves"]]
    assert seats > 3 or any("known" in move for move in moves)
    for record in records:
        assert play_record(msgspec.json.decode(msgspec.json.encode(record)), RULESETS).error is None


@every_ruleset
def test_only_the_first_few_moves_are_listed(ruleset: Ruleset):
    rulebook = ruleset.bind({}, find_minimum_seats(ruleset, {}))
    listed = [first_moves(rulebook, step.table, step.table.to_act[0]) for step in steps(ruleset, 1) if step.table.in_hand]
    assert 1 <= min(map(len, listed)) <= max(map(len, listed)) <= FEW


def test_nobody_gives_up_in_most_games():
    cascades = RULESETS["cascades"]
    ends = [steps(cascades, seed)[-1].table.score.hands[-1].end for seed in range(20)]
    assert len(ends) - ends.count("resigned") > 10


def test_the_fewest_seats_follow_from_the_options():
    casino = RULESETS["casino"]
    assert (find_minimum_seats(casino, {}), find_minimum_seats(casino, {"partners": True})) == (2, 4)


@pytest.mark.parametrize("options", [{"target": 0}, {"jokers": 2}, [], {"start_totals": [1, 2, 3, 4, 5]}])
@every_ruleset
def test_options_that_the_game_does_not_know_are_refused(ruleset: Ruleset, options: object):
    with pytest.raises(Refused, match="bad_option"):
        find_minimum_seats(ruleset, options)
