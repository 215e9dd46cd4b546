"""What moves are judged on, by random play of every ruleset: for a seat the verdict on what it sees is the one on the whole table, and who
sees what everybody sees is never told that a legal move is none.
"""

from random import Random

import pytest

from domain.errors import Refused
from domain.games import RULESETS
from domain.moves import table_judged
from domain.rules import Move, Rulebook
from domain.sight import PUBLIC, Viewer
from domain.table import Table
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.laws import Step

GAMES = 3
STEPS = 40


def steps(key: str) -> list[tuple[Rulebook, Step, list[Move]]]:
    """Steps of random games, each with its move and some of other moments of the game."""
    chance, found = Random(f"judging {key}"), []
    for number in range(GAMES):
        played = random_game(key, chance.choice(TRIED[key]().set_ups), f"judging {number}")
        moves = [step.move for step in played.steps if step.move is not None]
        for step in chance.sample(played.steps, min(STEPS, len(played.steps))):
            if step.move is not None:
                found.append((played.rulebook, step, [step.move, *chance.sample(moves, min(4, len(moves)))]))
    return found


def verdict(rulebook: Rulebook, table: Table, seat: int, move: Move) -> str:
    try:
        rulebook.resolve(table, seat, move)
    except Refused as refused:
        return refused.code
    return "legal"


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_a_seat_s_own_move_has_the_verdict_that_it_has_on_the_whole_table(key: str):
    for rulebook, step, moves in steps(key):
        imagined = table_judged(rulebook, step.before, Viewer(step.seat))
        for move in moves:
            assert verdict(rulebook, imagined, step.seat, move) == verdict(rulebook, step.before, step.seat, move)


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_on_what_everybody_sees_a_legal_move_could_be_legal_or_asks_for_cards(key: str):
    for rulebook, step, moves in steps(key):
        seen = table_judged(rulebook, step.before, PUBLIC)
        for move in moves:
            if verdict(rulebook, step.before, step.seat, move) == "legal":
                assert verdict(rulebook, seen, step.seat, move) in ("legal", "card_unknown")


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_of_what_everybody_sees_the_moves_that_could_be_legal_are_listed(key: str):
    for rulebook, step, _ in steps(key):
        seen = table_judged(rulebook, step.before, PUBLIC)
        listed = rulebook.legal(seen, step.seat)
        few = [move for move, _ in zip(listed, range(200), strict=False)]
        assert step.move in few or len(few) == 200
