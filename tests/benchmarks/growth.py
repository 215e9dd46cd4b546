"""What a move costs as a game grows: listing, deciding, encoding and folding it at move 10, 1,000 and 10,000 of one game."""

from itertools import islice
from random import Random

from domain import codec
from domain.events import digest
from domain.game import Game, fold_event, project
from domain.games import RULESETS
from replay.sample_games import random_move
from tests.benchmarks.games import GAME, STAMP, endless, event_of, recorded
from tests.benchmarks.measure import Figure, compared, each

LENGTHS = (10, 1_000, 10_000)
SPREAD = 40  # the positions around each length over which the cost is averaged: one position may be rich in plays


def figures(quick: bool) -> list[Figure]:
    lengths = LENGTHS[:2] if quick else LENGTHS
    history = recorded(islice(endless(1), lengths[-1] + SPREAD))
    taken = {length: _seconds([project(None, history[: length + more]) for more in range(SPREAD)], quick) for length in lengths}
    first = taken[lengths[0]]
    return [
        compared(f"a move at position {length:,}", seconds, f"a move at position {lengths[0]}", first, goal=2.0)
        for length, seconds in taken.items()
    ]


def _seconds(games: list[Game | None], quick: bool) -> float:
    playable = [game for game in games if game and game.table.in_hand]
    rulebook = RULESETS["casino"].bind({}, 2)

    def moves() -> None:
        for game in playable:
            event = event_of(random_move(rulebook, game.table, Random(1)), game.opened.edition)
            fold_event(game, codec.encode_event(GAME, game.position + 1, digest(game.last), STAMP, event))

    return each(moves, 1 if quick else 5) / len(playable)
