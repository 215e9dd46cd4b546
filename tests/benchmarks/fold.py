"""Folding games from their stored bytes, beside decoding the same bytes with msgspec and nothing else."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from domain import codec
from domain.codec import _DECODERS
from domain.game import project
from domain.games import RULESETS
from tests.benchmarks.games import GAME, played, recorded
from tests.benchmarks.measure import Figure, compared, turns
from tests.benchmarks.playouts import set_ups

QUICK = 1e-5
"""Seconds an event that are quick enough: 100,000 a second. Where to decode alone takes half of that, twice the decoding is."""

_MOST = 500


def figures(quick: bool) -> Iterator[Figure]:
    for key in RULESETS:
        yield from _figures(key, 5 if quick else 30)


def _figures(key: str, times: int) -> Iterator[Figure]:
    options, seats = set_ups(RULESETS[key])[0]
    rows = [(event.position, event.name, event.state) for event in recorded(islice(played(1, key, options, seats, hands=100), _MOST))]

    def folded() -> object:
        return project(None, (codec.decode_event(GAME, position, name, state) for position, name, state in rows))

    def decoded() -> None:
        for _, name, state in rows:
            _DECODERS[name].decode(state)

    def plainly() -> None:
        for _, _, state in rows:
            msgspec.json.decode(state)

    fold, decode = (taken / len(rows) for taken in turns(folded, decoded, times))
    plain, _ = (taken / len(rows) for taken in turns(plainly, decoded, times))
    enough = max(QUICK, 2 * decode)
    yield compared(f"fold a stored event, {key}", fold, "100,000 a second, or twice the next line", enough, goal=1.0)
    yield compared(f"fold a stored event, {key}", fold, "decode it with msgspec into its Struct", decode)
    yield compared(f"fold a stored event, {key}", fold, "decode it with msgspec into dicts and lists", plain)
