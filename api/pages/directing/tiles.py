"""A tile for each table of the round: who sits there, how it stands, and since when nothing was heard of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from api.pages.directing.evening import Evening, Told

State = Literal["playing", "suspended", "unconfirmed", "nobody", "adjourned", "done"]


class Side(Struct, frozen=True):
    """``points``: of the result, else of the game that is on."""

    names: str
    points: float | None


class Tile(Struct, frozen=True):
    """``heard``: when something was recorded in its game; ``game``: the newest; ``begun``: how often its
    last deck was begun, where nobody chose it."""

    table: str
    state: State
    sides: Sequence[Side]
    hand: int
    heard: str | None
    game: str | None
    begun: int
    waiting: Sequence[str]
    told: Told


def tiles(evening: Evening) -> list[Tile]:
    if evening.looked is None:
        return []
    return [_tile(evening, one, evening.games.get(one["table"])) for one in evening.looked["tables"]]


def _tile(evening: Evening, table: Told, row: Told | None) -> Tile:
    state = _state(table, row)
    return Tile(
        table=table["table"],
        state=state,
        sides=_sides(evening.names, table),
        hand=row["hand"] if row else 0,
        heard=row["updated_at"] if row and state in ("playing", "suspended") else None,
        game=table["games"][-1]["game"] if table["games"] else None,
        begun=evening.begun.get(row["id"], 0) if row else 0,
        waiting=[one["sentence"] for one in table["waiting"]],
        told=table,
    )


def _state(table: Told, row: Told | None) -> State:
    codes = {one["code"] for one in table["waiting"]}
    if table["adjourned"]:
        return "adjourned"
    if table["points"] is not None and not codes:
        return "done"
    if "result_unconfirmed" in codes or table["entered"]:
        return "unconfirmed"
    if "game_suspended" in codes or (row is not None and row["standing"] == "suspended"):
        return "suspended"
    return "playing" if row is not None else "nobody"


def _sides(names: Mapping[int, str], table: Told) -> list[Side]:
    points: Sequence[Any] | None = table["points"]
    if points is None and table["entered"]:
        points = table["entered"]["points"]
    if points is None and table["games"]:
        points = table["games"][-1]["totals"]
    called = [" & ".join(names.get(one, str(one)) for one in party) for party in table["parties"]]
    return [Side(name, points[place] if points else None) for place, name in enumerate(called)]
