"""Random legal play: how many moves a second the rulebooks decide, listing what is legal included (``replay/sample_games.py``).

A game without an entry in ``SET_UPS`` is played with its usual options and as few seats as it allows.
"""

from collections.abc import Iterator, Mapping
from itertools import count, islice
from random import Random
from typing import Any

from domain.games import RULESETS
from domain.rules import Ruleset
from replay.sample_games import find_minimum_seats, play_sample_game
from tests.benchmarks.measure import Figure, a_second

SET_UPS: dict[str, list[tuple[dict[str, object], int]]] = {
    "alcasan": [({}, 2), ({"extra_lay": "any", "deals": 3, "move_limit": 150}, 4)],
    "canasta": [({"end": "hands", "hand_count": 1}, 2), ({"end": "hands", "hand_count": 1}, 4), ({"target_check": "immediate"}, 4)],
    "cascades": [({}, 1), ({"variant": "ace", "pawns": True, "courts": True}, 1)],
    "casino": [({}, 2), ({"variant": "royal", "sweeps": True}, 3), ({"partners": True, "sweeps": True}, 4)],
    "quartett-classic": [({}, 4), ({"deck_def": "metals"}, 3)],
    "quartett-trumpf": [({}, 2), ({}, 4), ({"deck_def": "metals", "remainder": "deal"}, 5)],
}

ENOUGH = 10_000
FEWER = {"canasta": 2_000}
"""Moves a second that are enough: to list and judge melds of a hand takes longer than anything in the other games."""

_LONGEST = 5_000


def figures(quick: bool) -> Iterator[Figure]:
    for key, ruleset in RULESETS.items():
        for options, seats in set_ups(ruleset):
            yield _figure(key, options, seats, 0.3 if quick else 3.0)


def set_ups(ruleset: Ruleset) -> list[tuple[dict[str, object], int]]:
    return SET_UPS.get(ruleset.key) or [({}, find_minimum_seats(ruleset, {}))]


def _figure(key: str, options: Mapping[str, Any], seats: int, seconds: float) -> Figure:
    enough = FEWER.get(key, ENOUGH)
    moves = a_second(random_moves(key, options, seats), seconds)
    name = ", ".join([key, f"{seats} seats", *(f"{option}={value}" for option, value in options.items())])
    return Figure(f"random legal moves, {name}", moves, "a second", f"{enough:,} a second", enough, enough / moves, goal=1.0)


def random_moves(key: str, options: Mapping[str, Any], seats: int) -> Iterator[int]:
    """Plays a game at a time; answers how many moves it took."""
    rulebook = RULESETS[key].bind(options, seats)
    for seed in count():
        yield sum(step.move is not None for step in islice(play_sample_game(rulebook, Random(seed)), _LONGEST))
