"""Prize giving: the places of the standings, revealed from below by the director, one by one."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

Told = Mapping[str, Any]
_HIDDEN = 3
"""Places that are hidden until the director says otherwise."""
_MOST = 8
"""Places that stand on the wall together, the best ones of those that are revealed."""


class Reveal(Struct, frozen=True):
    """The next place with those who share it. ``hidden``: how many places are hidden after it."""

    place: int
    names: Sequence[str]
    hidden: int


def list_revealed(standings: Told, wall: Told) -> list[Told]:
    """Return the rows of the standings that prize giving shows, the best first."""
    return [line for line in standings["lines"] if not line["taken_out"] and line["place"] > _count_hidden(wall)][:_MOST]


def next_reveal(standings: Told, wall: Told) -> Reveal | None:
    """Return what is revealed next; None where everything is."""
    hidden = [line for line in standings["lines"] if not line["taken_out"] and line["place"] <= _count_hidden(wall)]
    if not hidden:
        return None
    place = hidden[-1]["place"]
    return Reveal(place, [" & ".join(line["shown"]) for line in hidden if line["place"] == place], place - 1)


def _count_hidden(wall: Told) -> int:
    return _HIDDEN if wall["hidden"] is None else wall["hidden"]
