"""Hands as recorders type them (``docs/recorded``): the lines of one, with nothing taken back."""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

RECORDED = Path(__file__).parents[3] / "docs" / "recorded"


class Begins(Struct, frozen=True):
    """How the game of the hand is opened."""

    seats: int
    options: dict[str, object] = {}


BEGINS = {
    "alcasan": Begins(2),
    "canasta": Begins(4, {"target_score": 1200}),
    "cascades": Begins(1),
    "casino": Begins(2),
    "quartett-classic": Begins(3, {"deck_def": "wood"}),
    "quartett-trumpf": Begins(3, {"deck_def": "metals"}),
}


def lines(ruleset: str) -> Iterator[str]:
    """What was taken back and entered again, is entered once."""
    again = 0
    for line in (RECORDED / f"{ruleset}.txt").read_text(encoding="utf-8").splitlines():
        if taken := re.fullmatch(r"/undo ?(\d*)", line):
            again = int(taken[1] or 1)
        elif again and not line:
            again -= 1
        else:
            again = 0
            yield line
