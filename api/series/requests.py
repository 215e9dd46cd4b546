"""Requests about series: plan, tournaments, adjustments, and moments of the table."""

from typing import Annotated, TypeAlias, get_args

from msgspec import UNSET, Meta, UnsetType

from api.common.tables.columns import CsvDialect
from api.common.tables.files import FormName
from api.http.decoding import ActBody, FreeText, Id, Incoming, MinSequence, Name, PageQuery, RulesetKey, Timestamp, Whole
from domain.events.tournament import Publication
from domain.forms import FORM
from domain.standings.plan import USUAL_TABLE, PointsBy, SeriesPlan, SeriesPoints, SeriesTables, SeriesTieBreak, SharedPlaces

_Points: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
_Few: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]
Title: TypeAlias = Annotated[FreeText | None, Meta(description="the name for people")]
Weight: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[0-9]{1,3}([.][0-9]{1,2}|/[1-9][0-9]{0,2})?$",
        description="the points are multiplied by it",
        examples=["1.5"],
        extra_json_schema={FORM: "form.weight"},
    ),
]
_MOMENTS = [{"pattern": "^(now|tournament:.{1,100}|sequence:[0-9]{1,15})$"}, {"format": "date-time"}]
SeriesPoint = Annotated[str, Meta(max_length=120, extra_json_schema={FORM: "form.series_moment", "anyOf": _MOMENTS}, examples=["now"])]


class PointsBody(Incoming, frozen=True, kw_only=True):
    """The points of each tournament."""

    by: Annotated[
        PointsBy,
        Meta(description="`place`: by `table`; `field`: 100·(n−place+1)/n of n who played; `score`; `percent` of the best score"),
    ] = "place"
    table: (
        Annotated[list[_Points], Meta(max_length=500, description="of `place`: the points of each place, the best first; then 0")]
        | UnsetType
    ) = UNSET
    ties: Annotated[SharedPlaces, Meta(description="equal places share the average, or each have the best")] = "average"

    def to_points(self) -> SeriesPoints:
        usual = USUAL_TABLE if self.by == "place" else ()
        return SeriesPoints(self.by, usual if self.table is UNSET else tuple(self.table), self.ties)


class TablesBody(Incoming, frozen=True, kw_only=True):
    """Tables beside that of the players."""

    club: Annotated[_Few | None, Meta(description="clubs: so many of their best players count in each tournament; null: none")] = None
    partnership: Annotated[bool, Meta(description="partners who played together")] = False
    category: Annotated[bool, Meta(description="a table of each category")] = False


Best: TypeAlias = Annotated[_Few | None, Meta(description="so many results count; null: all")]
Minimum: TypeAlias = Annotated[_Few, Meta(description="tournaments to be played to be ranked")]
TieBreaks: TypeAlias = Annotated[
    list[SeriesTieBreak], Meta(max_length=len(get_args(SeriesTieBreak)), description="for equal points, the most important one first")
]
Rulesets: TypeAlias = Annotated[Annotated[list[RulesetKey], Meta(max_length=50)] | None, Meta(description="null or none: any")]


class AnnounceSeries(ActBody, frozen=True, kw_only=True):
    id: Annotated[Id | None, Meta(description="the id of the series; left out: one is made")] = None
    title: Title = None
    points: Annotated[PointsBody, Meta(description="the points of a tournament")] = PointsBody()
    best: Best = None
    minimum: Minimum = 1
    tie_breaks: TieBreaks = []
    tables: Annotated[TablesBody, Meta(description="tables beside that of the players")] = TablesBody()
    rulesets: Rulesets = None

    def to_plan(self) -> SeriesPlan:
        return SeriesPlan(
            points=self.points.to_points(),
            best=self.best,
            minimum=self.minimum,
            tie_breaks=tuple(self.tie_breaks),
            tables=_tables(self.tables),
            rulesets=tuple(self.rulesets or ()) or None,
        )


class CorrectSeries(ActBody, frozen=True, kw_only=True):
    """Fields that are left out stay as they are; `points` and `tables` are replaced whole."""

    corrects = True

    title: Title | UnsetType = UNSET
    points: PointsBody | UnsetType = UNSET
    best: Best | UnsetType = UNSET
    minimum: Minimum | UnsetType = UNSET
    tie_breaks: TieBreaks | UnsetType = UNSET
    tables: TablesBody | UnsetType = UNSET
    rulesets: Rulesets | UnsetType = UNSET

    def change_plan(self, plan: SeriesPlan) -> SeriesPlan:
        """Return the plan with the fields that are given."""
        rulesets = plan.rulesets if self.rulesets is UNSET else tuple(self.rulesets or ()) or None
        return SeriesPlan(
            points=plan.points if self.points is UNSET else self.points.to_points(),
            best=plan.best if self.best is UNSET else self.best,
            minimum=plan.minimum if self.minimum is UNSET else self.minimum,
            tie_breaks=plan.tie_breaks if self.tie_breaks is UNSET else tuple(self.tie_breaks),
            tables=plan.tables if self.tables is UNSET else _tables(self.tables),
            rulesets=rulesets,
        )


def _tables(body: TablesBody) -> SeriesTables:
    return SeriesTables(body.club, body.partnership, body.category)


class AddTournament(ActBody, frozen=True, kw_only=True):
    tournament: Annotated[Id, Meta(description="a tournament that you may read: announced, in play or finished")]
    weight: Weight = "1"


class RemoveTournament(ActBody, frozen=True, kw_only=True):
    tournament: Annotated[Id, Meta(description="a tournament of the series")]
    reason: Annotated[FreeText, Meta(description="the reason, in words")]


class AdjustSeries(ActBody, frozen=True, kw_only=True):
    player: Annotated[Id, Meta(description="the id of the player")]
    points: Annotated[_Points, Meta(description="a bonus, or with a minus a penalty")]
    reason: Annotated[FreeText, Meta(description="the reason, in words")]


class SetCategory(ActBody, frozen=True, kw_only=True):
    player: Annotated[Id, Meta(description="the id of the player")]
    category: Annotated[
        Annotated[str, Meta(min_length=1, max_length=60)] | None,
        Meta(description="such as junior, no name of a person; null: none"),
    ]


class PublishSeries(ActBody, frozen=True, kw_only=True):
    publication: Annotated[
        Publication,
        Meta(
            description=(
                "`no`: only callers with a token may read it; `aliases`: everybody, with aliases; `names`: everybody, with the names of "
                "players who agreed"
            )
        ),
    ]


class SeriesQuery(PageQuery, frozen=True, kw_only=True):
    min_sequence: MinSequence = None


class SeriesStandingsQuery(Incoming, frozen=True, kw_only=True):
    """The moment and the format; ``at`` a time, or ``as_of`` a sequence: not both."""

    after: Annotated[Name | None, Meta(description="with this tournament and those that ended before it only")] = None
    at: Annotated[Timestamp | None, Meta(description="as it was known at this moment")] = None
    as_of: Annotated[Whole | None, Meta(description="as it was known at this sequence")] = None
    format: Annotated[FormName | None, Meta(description="takes precedence over `Accept`")] = None
    dialect: CsvDialect = None


class SeriesDiffQuery(Incoming, frozen=True, kw_only=True):
    old: Annotated[SeriesPoint, Meta(description="the earlier table")] = ""
    new: Annotated[SeriesPoint, Meta(description="the later one")] = "now"
