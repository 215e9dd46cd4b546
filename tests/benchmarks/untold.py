"""What lists of legal moves cost where cards of the hand have no face (COM-76), beside the same hands fully known.

Random games of all set-ups are searched for their worst positions, each with all cards of the hand unknown, with some, and with one. Three
things are held to twice the time: of the list with unknown cards, as many first moves as the hand fully known offers (50 at most); where
both lists are as long, the whole lists, with finding out that there is no further move; and the slowest list that is found, beside the
slowest of a known hand. A hand with unknown cards mostly offers many more moves, so the worst of all positions is told without a goal, and
both are also compared by the move over everything that was searched.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from random import Random
from time import process_time
from typing import NamedTuple, TypeAlias

from domain.cards import HIDDEN, Seat
from domain.games import RULESETS
from domain.games.cascades.table import CascadesTable
from domain.rules import Rulebook
from domain.sight import Viewer, masked
from domain.table import Table, Zone
from replay.sample_games import play_sample_game
from tests.benchmarks.measure import Figure, compared, least
from tests.domain.games.setups import TRIED

FIRST = 50
_WORST = 20
"""Of so many positions that seem the worst all are measured again: where some microseconds are compared, the first look misleads."""

_GOAL = 2.0
_LONGEST = 400
_LOOKED_AT = 15_000

Place: TypeAlias = tuple[str, int]
"""A zone and the index of a card in it."""


def of_hand(table: Table, seat: Seat) -> list[Place]:
    name = f"hand:{seat}"
    return [(name, place) for place, card in enumerate(table.cards(name)) if card != HIDDEN]


def of_stack(table: Table, seat: Seat) -> list[Place]:
    """From the top card down."""
    return of_hand(table, seat)[::-1]


def of_piles(table: Table, _: Seat) -> list[Place]:
    """The top cards that lie open; there are no hands."""
    return [(zone, len(table.cards(zone)) - 1) for zone in CascadesTable(table).available.values()]


ENROLLED: Mapping[str, Callable[[Table, Seat], list[Place]]] = {
    "alcasan": of_hand,
    "canasta": of_hand,
    "cascades": of_piles,
    "casino": of_hand,
    "quartett-classic": of_hand,
    "quartett-trumpf": of_stack,
}
"""By ruleset: the cards that the seat sees and that may have no face, in the order in which they lose it."""


def forgotten(table: Table, places: Iterable[Place]) -> Table:
    """The table as the seat sees it, with these cards unknown."""
    zones = dict(table.zones)
    for name, place in places:
        zone = zones[name]
        zones[name] = Zone(zone.sight, zone.owner, (*zone.cards[:place], HIDDEN, *zone.cards[place + 1 :]), zone.marks)
    return Table(table.setup, zones, table.marks, table.phase, table.turn, table.to_act, table.score)


class Position(NamedTuple):
    """The same table with the hand known and with cards of it unknown; how many moves each lists, and the seconds of processor time.

    ``as_many``: the seconds in which the unknown hand lists as many moves as the known one.
    """

    rulebook: Rulebook
    seat: Seat
    tables: tuple[Table, Table]
    moves: tuple[int, int]
    seconds: tuple[float, float]
    as_many: float

    def again(self) -> tuple[float, float]:
        """Known and unknown, measured in turn."""
        return self._in_turn(FIRST)

    def again_as_many(self) -> tuple[float, float]:
        """Known, and as many moves of the unknown hand."""
        return self._in_turn(self.moves[0])

    def _in_turn(self, most: int) -> tuple[float, float]:
        known, unknown = self.tables
        of_known = partial(_listed, self.rulebook, known, self.seat, FIRST)
        return least(of_known, partial(_listed, self.rulebook, unknown, self.seat, most), times=3, rounds=30)


def figures(quick: bool) -> Iterator[Figure]:
    for key in ENROLLED:
        yield from _compared(key, list(searched(key, 1, 40 if quick else _LONGEST, 100 if quick else _LOOKED_AT)))


def searched(key: str, seed: int, longest: int, looked_at: int) -> Iterator[Position]:
    """Of a random game in every set-up with which the game is tried, about so many positions in all in which somebody is to act."""
    set_ups = TRIED[key]().set_ups
    share = looked_at / (longest * len(set_ups))
    for number, (options, seats, *_) in enumerate(set_ups):
        rulebook, chance, looks = RULESETS[key].bind(options, seats), Random(f"{seed}/{number}/{seats}"), Random(f"looks/{seed}/{number}")
        for step in islice(play_sample_game(rulebook, chance), longest):
            for seat in step.table.to_act if looks.random() < share else ():
                yield from _unknown(key, rulebook, masked(step.table, Viewer(seat)), seat, looks)


def _unknown(key: str, rulebook: Rulebook, known: Table, seat: Seat, chance: Random) -> Iterator[Position]:
    places = ENROLLED[key](known, seat)
    held = len(places)
    for count in sorted({1, chance.randint(1, held), held} if held else ()):
        unknown = forgotten(known, places[:count])
        moves, seconds = _timed(rulebook, known, seat, FIRST)
        more, longer = _timed(rulebook, unknown, seat, FIRST)
        _, as_many = _timed(rulebook, unknown, seat, moves)
        yield Position(rulebook, seat, (known, unknown), (moves, more), (seconds, longer), as_many)


def _listed(rulebook: Rulebook, table: Table, seat: Seat, most: int) -> int:
    return len(list(islice(rulebook.legal(table, seat), most)))


def _timed(rulebook: Rulebook, table: Table, seat: Seat, most: int) -> tuple[int, float]:
    """How many moves are listed, and the shortest of three times: what disturbs a measurement makes it longer."""
    times = []
    for _ in range(3):
        start = process_time()
        moves = _listed(rulebook, table, seat, most)
        times.append(process_time() - start)
    return moves, min(times)


def _compared(key: str, found: list[Position]) -> Iterator[Figure]:
    name, limit = f"first {FIRST} legal moves, {key}, with unknown cards", "hand fully known"
    unknown, known = _worst(found, lambda one: one.as_many / one.seconds[0], Position.again_as_many)
    yield compared(f"{name}: as many moves as the hand fully known, worst of {len(found)} positions", unknown, limit, known, goal=_GOAL)
    alike = [one for one in found if one.moves[0] == one.moves[1]]
    if alike:
        unknown, known = _worst(alike, _slower, Position.again)
        yield compared(f"{name}: whole lists, worst of {len(alike)} positions with as many moves", unknown, limit, known, goal=_GOAL)
    unknown, known = _worst(found, _slower, Position.again)
    yield compared(f"{name}: worst of all {len(found)} positions", unknown, limit, known)
    slowest = [max(one.again()[side] for one in sorted(found, key=lambda one: one.seconds[side])[-_WORST:]) for side in (0, 1)]
    yield compared(f"{name}: slowest of all", slowest[1], f"slowest {limit}", slowest[0], goal=_GOAL)
    each = [sum(one.seconds[side] for one in found) / sum(one.moves[side] for one in found) for side in (0, 1)]
    yield compared(f"{name}: a move, over all", each[1], limit, each[0])


def _slower(one: Position) -> float:
    return one.seconds[1] / one.seconds[0]


def _worst(
    found: list[Position], ratio: Callable[[Position], float], again: Callable[[Position], tuple[float, float]]
) -> tuple[float, float]:
    """Unknown and known, of the position where they differ most. Of the first look only those count that seem the worst, and of these the
    shortest times of three more: what differs most by chance in one measurement does not so in all.
    """
    suspects = sorted(found, key=ratio)[-_WORST:]
    shortest = [tuple(map(min, zip(*(again(one) for _ in range(3)), strict=True))) for one in suspects]
    known, unknown = max(shortest, key=lambda times: times[1] / times[0])
    return unknown, known
