"""What lists of legal moves cost where cards of the hand have no face (COM-76), beside the same hands fully known.

Random games are searched for their worst positions, each with all cards of the hand unknown, with some, and with one. Two things are held:
where a hand fully known offers as many moves too, listing the first of them with unknown cards costs at most twice as much; and the
slowest list that is found costs at most twice the slowest of a known hand. A hand with unknown cards mostly offers many more moves, so
both are also compared by the move over everything that was searched.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from random import Random
from time import process_time
from typing import NamedTuple, TypeAlias

from domain.cards import HIDDEN, Seat
from domain.games import RULESETS
from domain.rules import Rulebook
from domain.sight import Viewer, masked
from domain.table import Table, Zone
from replay.playout import playout
from tests.benchmarks.measure import Figure, compared, turns
from tests.benchmarks.playouts import set_ups

FIRST = 50
_WORST = 5
_GOAL = 2.0

Forget: TypeAlias = Callable[[Table, Seat, int], Table]
"""The table as the seat sees it, with so many cards of its hand unknown."""


def of_hand(table: Table, seat: Seat, count: int) -> Table:
    name = f"hand:{seat}"
    zone = table.zones[name]
    forgotten = Zone(zone.sight, zone.owner, (HIDDEN,) * count + zone.cards[count:], zone.marks)
    return Table(table.setup, {**table.zones, name: forgotten}, table.marks, table.phase, table.turn, table.to_act, table.score)


ENROLLED: Mapping[str, Forget] = {
    "canasta": of_hand,
}
"""By ruleset; another game is a line here."""


class Position(NamedTuple):
    """The same table with the hand known and with cards of it unknown; how many moves each lists, and the seconds of processor time."""

    rulebook: Rulebook
    seat: Seat
    tables: tuple[Table, Table]
    moves: tuple[int, int]
    seconds: tuple[float, float]

    def again(self) -> tuple[float, float]:
        """Known and unknown, measured in turn."""
        known, unknown = (partial(_listed, self.rulebook, table, self.seat) for table in self.tables)
        return turns(known, unknown, times=3, rounds=5)


def figures(quick: bool) -> Iterator[Figure]:
    for key in ENROLLED:
        found = [position for games in range(1 if quick else 6) for position in searched(key, games, 40 if quick else 400)]
        yield from _compared(key, found)


def searched(key: str, seed: int, longest: int) -> Iterator[Position]:
    """A random game of every set-up that is measured, its first positions in which somebody is to act."""
    for options, seats in set_ups(RULESETS[key]):
        rulebook, chance = RULESETS[key].bind(options, seats), Random(f"{seed}/{seats}")
        for step in islice(playout(rulebook, chance), longest):
            for seat in step.table.to_act:
                yield from _unknown(key, rulebook, masked(step.table, Viewer(seat)), seat, chance)


def _unknown(key: str, rulebook: Rulebook, known: Table, seat: Seat, chance: Random) -> Iterator[Position]:
    held = len(known.cards(f"hand:{seat}"))
    for count in sorted({1, chance.randint(1, held), held} if held else ()):
        tables = known, ENROLLED[key](known, seat, count)
        timed = [_timed(rulebook, table, seat) for table in tables]
        yield Position(rulebook, seat, tables, (timed[0][0], timed[1][0]), (timed[0][1], timed[1][1]))


def _listed(rulebook: Rulebook, table: Table, seat: Seat) -> int:
    return len(list(islice(rulebook.legal(table, seat), FIRST)))


def _timed(rulebook: Rulebook, table: Table, seat: Seat) -> tuple[int, float]:
    """How many moves are listed, and the shortest of three times: what disturbs a measurement makes it longer."""
    times = []
    for _ in range(3):
        start = process_time()
        moves = _listed(rulebook, table, seat)
        times.append(process_time() - start)
    return moves, min(times)


def _compared(key: str, found: list[Position]) -> Iterator[Figure]:
    name, limit = f"first {FIRST} legal moves, {key}, with unknown cards", "hand fully known"
    alike = sorted((one for one in found if min(one.moves) == FIRST), key=lambda one: one.seconds[1] / one.seconds[0])[-_WORST:]
    if alike:
        known, unknown = max((one.again() for one in alike), key=lambda times: times[1] / times[0])
        yield compared(f"{name}: worst of {len(found)} positions", unknown, limit, known, goal=_GOAL)
    slowest = [max(one.again()[side] for one in sorted(found, key=lambda one: one.seconds[side])[-_WORST:]) for side in (0, 1)]
    yield compared(f"{name}: slowest of all", slowest[1], f"slowest {limit}", slowest[0], goal=_GOAL)
    each = [sum(one.seconds[side] for one in found) / sum(one.moves[side] for one in found) for side in (0, 1)]
    yield compared(f"{name}: a move, over all", each[1], limit, each[0])
