"""Who plays what: two games that were recorded elsewhere, and two that chance plays, one of them still going on."""

from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

_NAMES = ("Amsel", "Drossel", "Elster", "Zeisig")


class Plan(Struct, frozen=True):
    """``record`` is a bundled record; without it chance plays, to the end of the game or up to so many moves of the second hand."""

    table: str
    seats: int
    options: dict[str, Any] = {}
    record: str | None = None
    moves_of_second_hand: int | None = None


FIRST = (
    Plan(_NAMES[0], 2, record="classic"),
    Plan(_NAMES[1], 2, {"variant": "royal", "sweeps": True}, record="royal"),
    Plan(_NAMES[2], 3, {"sweeps": True}),
    Plan(_NAMES[3], 4, {"variant": "royal", "partners": True}, moves_of_second_hand=10),
)


def plans(games: int) -> list[Plan]:
    """So many, of which the first four are always the same; more of them are played by chance."""
    more = (Plan(f"{_NAMES[number % 4]} {number // 4 + 1}", 2 + number % 3) for number in range(len(FIRST), games))
    return [*FIRST[:games], *more]


def hands_of(record: str) -> list[dict[str, Any]]:
    """The hands of a bundled record."""
    read: dict[str, Any] = msgspec.json.decode((files("deploy.demo") / "records" / f"{record}.json").read_bytes())
    hands: list[dict[str, Any]] = read["hands"]
    return hands
