"""What a move costs to judge after a pause: the same moves, and between two of them time that passes or memory that is read.

One caller at a time leaves the service such a pause between two moves, sixteen do not.
"""

import gc
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from random import Random
from statistics import median
from time import perf_counter, sleep
from typing import TypeAlias

import msgspec

from domain.games import RULESETS
from domain.moves import resolve_entry
from domain.rules import Rulebook
from domain.table import Table
from replay.sample_games import play_sample_game
from tests.benchmarks.measure import Figure, compared
from tests.benchmarks.moves.machine import SERVER, on_core

_PAUSE = 300e-6  # seconds: about what one caller leaves
_MOVES = 400
_Entered: TypeAlias = tuple[Rulebook, Table, tuple[object, object]]


def figures(quick: bool) -> Iterator[Figure]:
    moves, rounds = _moves(40 if quick else _MOVES), 1 if quick else 15
    between = {
        "0.3 ms of waiting in a loop": _wait,
        "0.3 ms of sleep": lambda: sleep(_PAUSE),
        **{f"reading {size // 1024:,} kB": _reading(size) for size in (256 << 10, 1 << 20, 8 << 20)},
    }
    with on_core(SERVER):
        at_once = _seconds(moves, _nothing, rounds)
        for what, work in between.items():
            yield compared(f"a move judged after {what}", _seconds(moves, work, rounds), "one after another", at_once)


def _moves(number: int) -> list[_Entered]:
    """As they are entered, each with the table that it is made on."""
    rulebook = RULESETS["casino"].bind({}, 2)
    steps = pairwise(islice(play_sample_game(rulebook, Random(1)), 3 * number))
    made: list[_Entered] = [
        (rulebook, before.table, (step.seat, json.loads(msgspec.json.encode(step.move)))) for before, step in steps if step.move
    ]
    return made[:number]


def _seconds(moves: Sequence[_Entered], between: Callable[[], object], rounds: int) -> float:
    """The median of one."""
    gc.collect()
    taken = []
    for _ in range(rounds):
        for move in moves:
            between()
            begun = perf_counter()
            resolve_entry(*move)
            taken.append(perf_counter() - begun)
    return median(taken)


def _nothing() -> None:
    pass


def _wait() -> None:
    end = perf_counter() + _PAUSE
    while perf_counter() < end:
        pass


def _reading(size: int) -> Callable[[], object]:
    memory = bytes(size)
    return lambda: memory.count(1)
