"""Events of a series: tournaments whose results make one table. Its title and the reasons of people stand in the register of texts."""

from typing import TypeAlias

from domain.events.base import EventBase, TextRef
from domain.events.tournament import Publication
from domain.standings.plan import SeriesPlan


class SeriesAnnounced(EventBase, frozen=True):
    """``series.announced/1``: ``series`` is its id."""

    series: str
    title: TextRef | None
    plan: SeriesPlan


class SeriesCorrected(EventBase, frozen=True):
    """``series.corrected/1``: title and plan as they hold from now on, for all of its tournaments."""

    title: TextRef | None
    plan: SeriesPlan


class SeriesTournamentAdded(EventBase, frozen=True):
    """``series.tournament_added/1``: its points are multiplied by ``weight``, a number such as ``1.5`` or ``3/2``."""

    tournament: str
    weight: str


class SeriesTournamentRemoved(EventBase, frozen=True):
    """``series.tournament_removed/1``: it does not count any more."""

    tournament: str
    reason: TextRef


class SeriesAdjusted(EventBase, frozen=True):
    """``series.adjusted/1``: bonus points, or with a minus a penalty."""

    player: str
    points: int
    reason: TextRef


class SeriesCategoryGiven(EventBase, frozen=True):
    """``series.category_given/1``: the category of a player in this series from now on; null for none."""

    player: str
    category: str | None


class SeriesEnded(EventBase, frozen=True):
    """``series.ended/1``: nothing is added any more. Rulings in its tournaments may still change the table."""

    reason: TextRef | None


class SeriesPublished(EventBase, frozen=True):
    """``series.published/1``: from here on everybody may read the table, with these names; ``no`` takes that back."""

    publication: Publication


SeriesEvent: TypeAlias = (
    SeriesAnnounced
    | SeriesCorrected
    | SeriesTournamentAdded
    | SeriesTournamentRemoved
    | SeriesAdjusted
    | SeriesCategoryGiven
    | SeriesEnded
    | SeriesPublished
)

NAMES: dict[type, str] = {
    SeriesAnnounced: "series.announced/1",
    SeriesCorrected: "series.corrected/1",
    SeriesTournamentAdded: "series.tournament_added/1",
    SeriesTournamentRemoved: "series.tournament_removed/1",
    SeriesAdjusted: "series.adjusted/1",
    SeriesCategoryGiven: "series.category_given/1",
    SeriesEnded: "series.ended/1",
    SeriesPublished: "series.published/1",
}
