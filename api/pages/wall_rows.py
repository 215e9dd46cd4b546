"""What stands in a row of the wall, for each of the things that it shows."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

Told = Mapping[str, Any]


class Side(Struct, frozen=True):
    """A party at a table; ``points`` as they stand, None where there are none."""

    name: str
    points: int | None = None


class Row(Struct, frozen=True):
    """``label``: the table, or the place; None where somebody has no table. ``state``: how a table stands."""

    label: str | None
    sides: Sequence[Side]
    partners: Sequence[str] = ()
    against: Sequence[str] = ()
    state: Literal["busy", "held", "over"] | None = None


def by_name(seating: Told, round: Told) -> Sequence[Row]:
    """Everybody, in the order of names: his table, and who else sits there."""
    tables = {table["table"]: table for table in round["tables"]}
    return [_player(one, tables) for one in seating["players"]]


def by_table(round: Told) -> Sequence[Row]:
    return [Row(table["table"], [Side(name) for name in _sides(table)]) for table in round["tables"]]


def results(round: Told) -> Sequence[Row]:
    """Every table as it stands: its points, while it plays those of the moment."""
    return [
        Row(
            table["table"],
            [Side(name, points) for name, points in zip(_sides(table), _points(table), strict=True)],
            state=_state(table),
        )
        for table in round["tables"]
    ]


def standings(told: Told) -> Sequence[Row]:
    return [Row(str(line["place"]), [Side(" & ".join(line["shown"]), line["score"])]) for line in told["lines"]]


def _player(one: Told, tables: Mapping[str, Told]) -> Row:
    table = tables.get(one["table"])
    sides = zip(table["parties"], _sides(table), strict=True) if table else ()
    against = [name for party, name in sides if one["entrant"] not in party]
    return Row(one["table"], [Side(one["shown"])], partners=one["partners"], against=against)


def _sides(table: Told) -> Sequence[str]:
    """Who sits there for each party, in the order of the seats."""
    seats = table["seats"]
    return [" & ".join(seat["shown"] for seat in seats if seat["entrant"] in party) for party in table["parties"]]


def _points(table: Told) -> Sequence[int | None]:
    if table["points"] is not None:
        points: Sequence[int] = table["points"]
        return points
    return table["games"][-1]["totals"] if table["games"] else [None] * len(table["parties"])


def _state(table: Told) -> Literal["busy", "held", "over"]:
    if table["how"] != "open":
        return "over"
    return "held" if table["adjourned"] or any(one["code"] == "game_suspended" for one in table["waiting"]) else "busy"
