"""Folding a game from its stored bytes, beside decoding the same bytes with msgspec and nothing else."""

import msgspec

from domain import codec
from domain.codec import _DECODERS
from domain.game import project
from tests.benchmarks.games import GAME, played, recorded
from tests.benchmarks.measure import Figure, compared, turns


def figures(quick: bool) -> list[Figure]:
    rows = [(event.position, event.name, event.state) for event in recorded(played(1))]
    times = 5 if quick else 60

    def folded() -> object:
        return project(None, [codec.read(GAME, position, name, state) for position, name, state in rows])

    def decoded() -> object:
        return [_DECODERS[name].decode(state) for _, name, state in rows]

    def plainly() -> object:
        return [msgspec.json.decode(state) for _, _, state in rows]

    fold, decode = turns(folded, decoded, times)
    untyped, _ = turns(plainly, decoded, times)
    moves = len(rows) - 2
    return [
        compared(f"fold a game of {moves} moves from its bytes", fold, "2 ms", 0.002, goal=1.0, scale=1e3, unit="ms"),
        compared("fold one stored event", fold / len(rows), "decode it with msgspec into its Struct", decode / len(rows), goal=2.0),
        compared("fold one stored event", fold / len(rows), "decode it with msgspec into dicts and lists", untyped / len(rows)),
        Figure("fold events", len(rows) / fold, "a second"),
    ]
