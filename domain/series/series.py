"""The Series aggregate and its fold: tournaments that belong together, the plan of their table, adjustments and categories."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID, uuid5

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import DataIntegrityError, Refused
from domain.events import AggregateType, Recorded
from domain.events import series as events
from domain.events.base import TextRef, Unreadable
from domain.events.tournament import Publication
from domain.standings.plan import SeriesPlan

_STREAMS = UUID("c0a3f3c1-7a52-4b0e-8f0a-4b6f6e1d9a77")  # never to be changed: the streams of all series follow from it


def series_stream(series: str) -> UUID:
    """Return the stream of the series with this id."""
    return uuid5(_STREAMS, series)


class Series(Struct, frozen=True):
    """A series, folded from its events. ``tournaments`` stand in the order in which they were added, ``categories`` by player."""

    id: UUID
    position: int
    last: bytes
    series: str
    announced_at: datetime
    title: TextRef | None
    plan: SeriesPlan
    tournaments: tuple[events.SeriesTournamentAdded, ...] = ()
    adjustments: tuple[events.SeriesAdjusted, ...] = ()
    categories: tuple[events.SeriesCategoryGiven, ...] = ()
    ended: bool = False
    publication: Publication = "no"
    bound: bool = False

    @property
    def version(self) -> int:
        """The position, under the name that eventsourcing's repository uses."""
        return self.position

    def has(self, tournament: str) -> bool:
        return any(one.tournament == tournament for one in self.tournaments)

    def category_of(self, player: str) -> str | None:
        return next((one.category for one in self.categories if one.player == player), None)

    def check_open(self) -> None:
        if self.ended:
            raise Refused("series_ended")


def fold_event(series: Series | None, recorded: Recorded) -> Series:
    """Return the series after one more event. Raises ``DataIntegrityError`` if the first event cannot be read; total otherwise."""
    event, position, last = recorded.event, recorded.position, recorded.state
    if series is None:
        if not isinstance(event, events.SeriesAnnounced):
            raise DataIntegrityError(recorded.stream, position, "the announcement of the series cannot be read")
        at, bound = recorded.stamp.at, recorded.link is not None
        return Series(recorded.stream, position, last, event.series, at, event.title, event.plan, bound=bound)
    series = replace(series, position=position, last=last)
    return _after(series, event) if isinstance(event, events.SeriesEvent) else series


def _after(series: Series, event: events.SeriesEvent) -> Series:
    match event:
        case events.SeriesAnnounced():
            return series
        case events.SeriesCorrected(title=title, plan=plan):
            return replace(series, title=title, plan=plan)
        case events.SeriesTournamentAdded():
            return replace(series, tournaments=(*series.tournaments, event))
        case events.SeriesTournamentRemoved(tournament=gone):
            return replace(series, tournaments=tuple(one for one in series.tournaments if one.tournament != gone))
        case events.SeriesAdjusted():
            return replace(series, adjustments=(*series.adjustments, event))
        case events.SeriesCategoryGiven(player=player):
            return replace(series, categories=(*(one for one in series.categories if one.player != player), event))
        case events.SeriesEnded():
            return replace(series, ended=True)
        case events.SeriesPublished(publication=publication):
            return replace(series, publication=publication)


def project(series: Series | None, history: Iterable[Recorded]) -> Series | None:
    """Fold a whole history, or continue from a series; ``None`` where there is no event, or the events are not those of a series."""
    for recorded in history:
        if series is None and not isinstance(recorded.event, events.SeriesEvent | Unreadable):
            return None
        series = fold_event(series, recorded)
    return series


SERIES = AggregateType("series", Series, project)
