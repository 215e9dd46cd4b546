"""The first page of what is legal, as the API lists it, in the worst positions of random games of all set-ups, with all cards known."""

from collections.abc import Iterable, Iterator
from heapq import nlargest
from itertools import count, islice
from random import Random
from time import process_time
from typing import NamedTuple

from api.games.move_lists import moves_page
from domain.cards import Seat
from domain.games import RULESETS
from domain.rules import Rulebook
from domain.table import Table
from replay.sample_games import play_sample_game
from tests.benchmarks.measure import Figure, compared
from tests.domain.games.setups import TRIED

FIRST = 50
LIMIT = 5e-3
"""Seconds."""

_WORST = 40
"""Of so many positions that seem the worst all are measured again: one look may have been disturbed."""

_LONGEST = 1_500
_SEARCHED, _QUICKLY = 20_000, 300


class Page(NamedTuple):
    """``seconds`` of processor time."""

    seconds: float
    rulebook: Rulebook
    table: Table
    seat: Seat

    def again(self) -> float:
        return min(_seconds(self.rulebook, self.table, self.seat) for _ in range(5))


def figures(quick: bool) -> Iterator[Figure]:
    searched = _QUICKLY if quick else _SEARCHED
    for key in RULESETS:
        worst = max(page.again() for page in worst_of(islice(pages(key, 1), searched)))
        name = f"the first {FIRST} legal moves, {key}, worst of {searched:,} positions"
        yield compared(name, worst, "5 ms", LIMIT, goal=1.0)


def worst_of(found: Iterable[Page]) -> list[Page]:
    return nlargest(_WORST, found, key=lambda page: page.seconds)


def pages(key: str, seed: int) -> Iterator[Page]:
    """Game after game, each time in the next set-up, without end."""
    set_ups = TRIED[key]().set_ups
    for number in count():
        options, seats, *_ = set_ups[number % len(set_ups)]
        rulebook = RULESETS[key].bind(options, seats)
        for step in islice(play_sample_game(rulebook, Random(f"{seed}/{number}")), _LONGEST):
            for seat in step.table.to_act:
                yield Page(_seconds(rulebook, step.table, seat), rulebook, step.table, seat)


def _seconds(rulebook: Rulebook, table: Table, seat: Seat) -> float:
    start = process_time()
    moves_page(rulebook, table, seat, 0, FIRST, None)
    return process_time() - start
