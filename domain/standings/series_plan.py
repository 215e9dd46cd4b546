"""The plan of a series: how results of tournaments become points, which of them count, and how ties are broken."""

from typing import Literal, TypeAlias

from msgspec import Struct

PointsBy: TypeAlias = Literal["place", "field", "score", "percent"]
SharedPlaces: TypeAlias = Literal["average", "best"]
SeriesTieBreak: TypeAlias = Literal["first_places", "best_results", "tournaments", "latest_result", "direct_comparison", "lots"]

USUAL_TABLE = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
"""Points by place, of a series that names no others."""


class SeriesPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """The points of a tournament. ``by`` place: from ``table``, 0 after its end; by field: 100 · (n - place + 1) / n, of n who played;
    by score: the score of the standings; by percent: of the best score. ``ties``: equal places share the average of the places that
    they hold together, or each have the best of them.
    """

    by: PointsBy = "place"
    table: tuple[int, ...] = ()
    ties: SharedPlaces = "average"


class SeriesTables(Struct, frozen=True, forbid_unknown_fields=True):
    """Tables beside that of the players. ``club``: how many players of a club count in each tournament; null for no such table."""

    club: int | None = None
    partnership: bool = False
    category: bool = False


class SeriesPlan(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The plan. ``best``: so many results count, null for all. ``minimum``: tournaments to be played to be ranked. ``rulesets``: of its
    tournaments; null for any.
    """

    points: SeriesPoints
    best: int | None = None
    minimum: int = 1
    tie_breaks: tuple[SeriesTieBreak, ...] = ()
    tables: SeriesTables = SeriesTables()
    rulesets: tuple[str, ...] | None = None
