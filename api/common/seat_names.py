"""Seat names for people: the player's name, else the compass at a table of four, else seats counted from 1. Programs count seats from 0
(COM-1).
"""

from collections.abc import Sequence

from domain import texts
from domain.texts import say

_COMPASS = 4
"""Seats of a table whose places are named clockwise from north."""


def name_seats(players: Sequence[str | None], language: str) -> list[str]:
    """Return the name of each seat: that of its player, else of its place."""
    return [name or place for name, place in zip(players, name_places(len(players), language), strict=True)]


def name_places(seats: int, language: str) -> list[str]:
    """Return the name of each place at a table: ``North`` at a table of four, else ``Seat 1``."""
    if seats == _COMPASS:
        return texts.render(say("place.compass"), language).split()
    return [texts.render(say("place.numbered", number=number), language) for number in range(1, seats + 1)]


def letter_places(seats: int, language: str) -> list[str]:
    """Return the short form of each place: ``N`` at a table of four, else ``1``."""
    if seats == _COMPASS:
        return texts.render(say("place.letters"), language).split()
    return [str(number) for number in range(1, seats + 1)]
