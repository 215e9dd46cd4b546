"""Responses about series. Players are ids; a club goes by its name."""

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from api.common.event_views import EventView, Remarks
from api.http.decoding import ResponseModel
from api.standings.responses import ChangedTableView
from domain.events.tournament import Publication
from domain.series.tables import TableKind
from domain.standings.plan import SeriesPlan, SeriesTieBreak

Amount = Annotated[int | float, Meta(description="reckoned exactly, rounded to two digits", examples=[25, 8.33])]


class SeriesCommandResponse(ResponseModel, frozen=True, kw_only=True):
    """``position`` is the one for the next ``If-Match``."""

    series: str
    position: int
    sequence: int | UnsetType = UNSET
    events: list[EventView]
    remarks: Remarks = UNSET
    dry_run: bool | UnsetType = UNSET


class MemberView(ResponseModel, frozen=True, kw_only=True):
    tournament: str
    weight: str


class SeriesView(ResponseModel, frozen=True, kw_only=True):
    """A series: its plan, and its tournaments in the order in which they were added."""

    id: str
    title: str | None
    plan: SeriesPlan
    tournaments: list[MemberView]
    ended: bool
    publication: Publication
    position: int


class SeriesListRow(ResponseModel, frozen=True, kw_only=True):
    id: str
    title: str | None
    tournaments: int
    ended: bool
    publication: Publication
    announced_at: datetime
    position: int


class SeriesList(ResponseModel, frozen=True, kw_only=True):
    items: list[SeriesListRow]
    next: str | None


class SeriesHistory(ResponseModel, frozen=True, kw_only=True):
    series: str
    position: Annotated[int, Meta(description="of the last event of the series")]
    events: list[EventView]
    after: Annotated[int, Meta(description="`after` of the next page; null on the last")] | None


class SeriesAsOf(ResponseModel, frozen=True, kw_only=True):
    """The moment of a table. All null is now."""

    after: str | None
    sequence: int | None
    at: datetime | None


class PlayedView(ResponseModel, frozen=True, kw_only=True):
    """A tournament of the table, in the order of their ends. It is ``provisional`` while it is played."""

    tournament: str
    weight: str
    ended_at: datetime | None
    played: Annotated[int, Meta(description="entrants who sat at a table that counts")]
    provisional: bool
    standings: Annotated[str, Meta(description="the address of its standings: rounds and games of each figure")]


class SeriesResultView(ResponseModel, frozen=True, kw_only=True):
    """A result in a tournament. ``place``: among those who played; ``counts`` is false beyond the best."""

    tournament: str
    entrants: tuple[int, ...]
    place: int
    points: Amount
    counts: bool


class SeriesTieBreakView(ResponseModel, frozen=True, kw_only=True):
    tie_break: SeriesTieBreak
    value: Amount | None


class SeriesLine(ResponseModel, frozen=True, kw_only=True):
    """A line. ``place`` is null below the line: too few tournaments were played. ``players`` are one, or the partners; ``club`` is there
    in the table of clubs instead.
    """

    place: int | None
    players: tuple[str, ...]
    shown: list[str]
    club: str | UnsetType = UNSET
    points: Amount
    played: int
    adjusted: Annotated[int, Meta(description="bonus and penalty points, which are in `points`")]
    results: list[SeriesResultView]
    tie_breaks: list[SeriesTieBreakView]


class SeriesTableView(ResponseModel, frozen=True, kw_only=True):
    kind: TableKind
    category: str | None
    lines: list[SeriesLine]


class AdjustmentView(ResponseModel, frozen=True, kw_only=True):
    """A bonus or a penalty. Only officials read the reason."""

    player: str
    points: int
    reason: str | None


class SeriesStandings(ResponseModel, frozen=True, kw_only=True):
    """The tables of a series. They are ``provisional`` while one of its tournaments is played."""

    series: str
    title: str | None
    as_of: SeriesAsOf
    position: int
    provisional: bool
    tournaments: list[PlayedView]
    tables: list[SeriesTableView]
    adjustments: list[AdjustmentView]


class SeriesPlace(ResponseModel, frozen=True, kw_only=True):
    place: int | None
    points: Amount


class SeriesMove(ResponseModel, frozen=True, kw_only=True):
    """A player who moved, and the tournaments whose result differs."""

    player: str
    shown: str
    before: SeriesPlace | None
    after: SeriesPlace | None
    tournaments: list[str]


class SeriesChange(ResponseModel, frozen=True, kw_only=True):
    """A tournament of both tables in which a table has another outcome, with the acts of officials that made it so."""

    tournament: str
    tables: list[ChangedTableView]


class SeriesDiff(ResponseModel, frozen=True, kw_only=True):
    """The differences between two tables of players. ``only_before`` and ``only_after``: tournaments that one of them has."""

    series: str
    before: SeriesAsOf
    after: SeriesAsOf
    moved: list[SeriesMove]
    only_before: list[str]
    only_after: list[str]
    tournaments: list[SeriesChange]
