"""The bracket of a knock-out as pages show it: rounds by name, and parts of it that fit on a wall."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from api.common.pages.shell import fetch_value
from api.http.request import Request
from domain.texts import Texts

_MOST = 4
"""Matches of a column that fit on a wall, one above the other."""


class BracketColumn(Struct, frozen=True):
    """A round of a bracket by name, with its matches."""

    name: str
    matches: Sequence[Mapping[str, Any]]


class BracketLayout(Struct, frozen=True):
    """The rounds of a bracket, without the match for the third place. ``regular``: each round has half the matches of the one before, so
    that lines can join them.
    """

    columns: Sequence[BracketColumn]
    regular: bool
    third_place: Mapping[str, Any] | None


async def read_bracket_layout(request: Request, about: Mapping[str, Any], said: Texts) -> BracketLayout | None:
    """Return the bracket of a tournament; None in other formats, and before the draw. ``about``: the tournament, as the API returns it."""
    if about["format"] != "knockout" or not about["paired"]:
        return None
    rounds = (await fetch_value(request, f"/v1/tournaments/{quote(about['id'], safe='')}/bracket"))["rounds"]
    matches = [[match for match in one["matches"] if not match["third_place"]] for one in rounds]
    names = [
        said.get(f"tournament.bracket.{len(some)}") or said["tournament.round"].format(round=number)
        for number, some in enumerate(matches, 1)
    ]
    return BracketLayout(
        columns=[BracketColumn(name, some) for name, some in zip(names, matches, strict=True)],
        regular=all(len(one) == 2 * len(next) for one, next in pairwise(matches)),
        third_place=next((match for one in rounds for match in one["matches"] if match["third_place"]), None),
    )


def split_bracket(bracket: BracketLayout) -> list[BracketLayout]:
    """Return parts with at most four matches in a column, from top to bottom and then up to the final.

    Of an irregular bracket only the last rounds are left.
    """
    columns = bracket.columns
    if len(columns[0].matches) <= _MOST:
        return [bracket]
    if not bracket.regular:
        return split_bracket(replace(bracket, columns=columns[1:]))
    parts = [
        BracketLayout([_cut(column, top >> depth, _MOST >> depth) for depth, column in enumerate(columns[:3])], True, None)
        for top in range(0, len(columns[0].matches), _MOST)
    ]
    return [*parts, *split_bracket(replace(bracket, columns=columns[2:]))]


def _cut(column: BracketColumn, first: int, count: int) -> BracketColumn:
    return BracketColumn(column.name, column.matches[first : first + count])
