"""The sides of a table with their points, the same on every page."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from api.pages.names import name_sides


class Side(Struct, frozen=True):
    """A side of a table. ``points``: of the result, else of the game in progress; None where there are none."""

    names: str
    points: float | None = None


def list_sides(table: Mapping[str, Any], about: Mapping[str, Any]) -> list[Side]:
    """Return the sides of a table of a round. A forfeit that counts like a bye brings none at the table itself.

    ``about``: the tournament, as the API returns it.
    """
    points = None if table["how"] == "forfeited" and about["scoring"]["forfeit"][0] == "bye" else _points(table)
    return [Side(name, points[place] if points else None) for place, name in enumerate(name_sides(table))]


def _points(table: Mapping[str, Any]) -> Sequence[float] | None:
    entered = table["entered"]["points"] if table["entered"] and "differing" not in table else None
    return table["points"] or entered or (table["games"][-1]["totals"] if table["games"] else None)
