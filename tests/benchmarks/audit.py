"""The audit of random games, from their stored bytes, beside playing them at random. The goal: at least half as many events a second."""

from time import perf_counter

from domain import codec
from domain.games import EDITIONS, RULESETS
from replay.audit import audit
from tests.benchmarks.games import GAME, played, recorded
from tests.benchmarks.measure import Figure, compared
from tests.benchmarks.playouts import set_ups

_ENOUGH = 3_000
"""Events of a set-up."""


def figures(quick: bool) -> list[Figure]:
    return [
        _figure(key, options, seats, _ENOUGH // 20 if quick else _ENOUGH) for key in RULESETS for options, seats in set_ups(RULESETS[key])
    ]


def _figure(key: str, options: dict[str, object], seats: int, enough: int) -> Figure:
    """Game by game in turn, so that a drift of the machine meets both."""
    playing = auditing = 0.0
    events = seed = 0
    while events < enough:
        start = perf_counter()
        game = list(played(seed, key, options, seats, hands=20))
        playing += perf_counter() - start
        rows = [(one.position, one.name, one.state) for one in recorded(iter(game))]
        start = perf_counter()
        found = audit([codec.decode_event(GAME, *row) for row in rows], EDITIONS)
        auditing += perf_counter() - start
        assert found.verdict == "sound"
        events += len(rows)
        seed += 1
    name = " ".join([key, *(f"{option}={value}" for option, value in options.items()), f"{seats} seats"])
    return compared(f"audit an event, {name}", auditing / events, "play it at random", playing / events, goal=2.0)
