"""Tables at which moves are sent: games that are opened and dealt before the clock starts, with their moves as requests."""

import asyncio
from collections.abc import Sequence
from functools import cache
from itertools import cycle, islice
from math import ceil
from typing import TypeAlias

from tests.benchmarks.line import Line, hand, opened
from tests.benchmarks.moves.places import Running

Requests: TypeAlias = list[tuple[str, str]]
"""Paths and bodies, in order."""

_AT_ONCE = 8
_HANDS = 64
"""Different ones; then they begin again."""
_MOVES = 48
"""Of a hand of Casino, however it is played: a card each."""


def tables(server: Running, callers: int, moves: int) -> list[Requests]:
    """For each caller so many moves, in as many games of one hand as that takes."""
    each = ceil(moves / _MOVES)
    games = asyncio.run(_opened(server, [number % _HANDS for number in range(callers * each)]))
    return [[move for game in games[number::callers] for move in game][:moves] for number in range(callers)]


async def _opened(server: Running, seeds: Sequence[int]) -> list[Requests]:
    ports = islice(cycle(server.ports), _AT_ONCE)  # so that a game is opened where its moves are sent
    lines = [Line(*await asyncio.open_connection("127.0.0.1", port), server.token) for port in ports]

    async def open_some(line: Line, some: Sequence[int]) -> list[Requests]:
        return [[(path, move) for move in _moves(seed)] for seed in some for path in [await opened(line, hand(seed)[0])]]

    told = await asyncio.gather(*(open_some(line, seeds[number::_AT_ONCE]) for number, line in enumerate(lines)))
    for line in lines:
        line.close()
    return [game for some in told for game in some]


@cache
def _moves(seed: int) -> list[str]:
    return [move.decode() for move in hand(seed)[1]]
