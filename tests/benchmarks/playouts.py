"""Random legal play: how many moves and games a second the rulebooks decide, ``legal()`` included."""

from itertools import count
from time import perf_counter

from domain.events import MovePlayed
from domain.games import RULESETS
from tests.benchmarks.games import played
from tests.benchmarks.measure import Figure

SET_UPS: dict[str, list[tuple[dict[str, object], int]]] = {
    "alcasan": [({}, 2), ({"extra_lay": "any", "deals": 3, "move_limit": 150}, 4)],
    "canasta": [({"end": "hands", "hand_count": 1}, 2), ({"end": "hands", "hand_count": 1}, 4), ({"target_check": "immediate"}, 4)],
    "cascades": [({}, 1), ({"variant": "ace", "pawns": True, "courts": True}, 1)],
    "casino": [({}, 2), ({"variant": "royal", "sweeps": True}, 3), ({"partners": True, "sweeps": True}, 4)],
    "quartett-classic": [({}, 4), ({"deck_def": "metals"}, 3)],
    "quartett-trumpf": [({}, 2), ({}, 4), ({"deck_def": "metals", "remainder": "deal"}, 5)],
}


def figures(quick: bool) -> list[Figure]:
    return [
        figure for key in RULESETS for options, seats in SET_UPS[key] for figure in _figures(key, options, seats, 0.3 if quick else 3.0)
    ]


def _figures(key: str, options: dict[str, object], seats: int, seconds: float) -> list[Figure]:
    games = moves = 0
    start = perf_counter()
    for seed in count():
        moves += sum(isinstance(event, MovePlayed) for event in played(seed, key, options, seats, hands=100))
        games += 1
        taken = perf_counter() - start
        if taken > seconds:
            break
    name = " ".join([key, *(f"{option}={value}" for option, value in options.items()), f"{seats} seats"])
    return [Figure(f"random legal moves, {name}", moves / taken, "a second"), Figure(f"whole games, {name}", games / taken, "a second")]
