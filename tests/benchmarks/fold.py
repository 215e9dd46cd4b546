"""Folding games from their stored bytes, beside decoding the same bytes with msgspec and nothing else."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from domain import codec
from domain.codec import _DECODERS
from domain.game import project
from domain.games import RULESETS
from replay.playout import fewest_seats
from tests.benchmarks.games import GAME, played, recorded
from tests.benchmarks.measure import Figure, compared, turns
from tests.benchmarks.playouts import SET_UPS

QUICK = 1e-5
"""Seconds an event that are quick enough: 100,000 a second. Where to decode alone takes half of that, twice the decoding is."""

_MOST = 500


def figures(quick: bool) -> Iterator[Figure]:
    for key in RULESETS:
        yield from _figures(key, 5 if quick else 30)


def _figures(key: str, times: int) -> Iterator[Figure]:
    options, seats = (SET_UPS.get(key) or [({}, fewest_seats(RULESETS[key], {}))])[0]
    rows = [(event.position, event.name, event.state) for event in recorded(islice(played(1, key, options, seats, hands=100), _MOST))]

    def folded() -> object:
        return project(None, [codec.read(GAME, position, name, state) for position, name, state in rows])

    def decoded() -> object:
        return [_DECODERS[name].decode(state) for _, name, state in rows]

    def plainly() -> object:
        return [msgspec.json.decode(state) for _, _, state in rows]

    fold, decode = (taken / len(rows) for taken in turns(folded, decoded, times))
    plain, _ = (taken / len(rows) for taken in turns(plainly, decoded, times))
    enough = max(QUICK, 2 * decode)
    yield compared(f"fold a stored event, {key}", fold, "100,000 a second, or twice the next line", enough, goal=1.0)
    yield compared(f"fold a stored event, {key}", fold, "decode it with msgspec into its Struct", decode)
    yield compared(f"fold a stored event, {key}", fold, "decode it with msgspec into dicts and lists", plain)
