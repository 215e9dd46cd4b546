"""Requests for standings: moment and format."""

from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from msgspec import Meta, field

from api.common.tables.dialects import CsvDialect
from api.http.decoding import Incoming, Number, Timestamp, Whole
from domain.forms import FORM

_MOMENTS = [{"pattern": "^(now|round:[1-9][0-9]{0,8}|sequence:[0-9]{1,15})$"}, {"format": "date-time"}]
MomentText = Annotated[str, Meta(max_length=100, extra_json_schema={FORM: "form.moment", "anyOf": _MOMENTS}, examples=["round:3"])]


StandingsFormat: TypeAlias = Literal["json", "csv", "html", "ndjson", "xlsx", "parquet"]

Points: TypeAlias = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
EachPoints: TypeAlias = Annotated[list[Points], Meta(max_length=64)]
Entrants: TypeAlias = Annotated[list[Number], Meta(max_length=64)]
Places: TypeAlias = Annotated[list[Annotated[int, Meta(ge=1, le=64)] | None], Meta(max_length=64)]


class StandingsQuery(Incoming, frozen=True, kw_only=True):
    """The moment and the format; ``at`` a time, or ``as_of`` a sequence: not both."""

    round: Annotated[Number | None, Meta(description="with the results of this number of rounds only")] = None
    at: Annotated[Timestamp | None, Meta(description="as it was known at this moment")] = None
    as_of: Annotated[Whole | None, Meta(description="as it was known at this sequence")] = None
    explain: Annotated[bool, Meta(description="with the parts that each figure is made of, down to the games")] = True
    checkpoint: Annotated[bool, Meta(description="of a page: with the newest checkpoint of the log (docs/proof.md)")] = False
    format: Annotated[StandingsFormat | None, Meta(description="takes precedence over `Accept`")] = None
    dialect: CsvDialect = None


class DiffQuery(Incoming, frozen=True, kw_only=True):
    from_: Annotated[MomentText, Meta(description="the earlier standings")] = field(default="", name="from")
    to: Annotated[MomentText, Meta(description="the later ones")] = "now"


class PossibleResult(Incoming, frozen=True, kw_only=True):
    """A possible decision of the director on a table. Neither ``points`` nor ``absent``: an earlier decision is taken back."""

    round: Annotated[Number, Meta(description="the round, counted from 1")]
    table: Annotated[str, Meta(min_length=1, max_length=100, description="the table, by its name")]
    points: Annotated[EachPoints | None, Meta(description="of each party")] = None
    absent: Annotated[Entrants | None, Meta(description="forfeited for these entrants")] = None


class TryResult(Incoming, frozen=True, kw_only=True):
    """A possible result of a game of the tournament, or a possible decision on a table: one of the two."""

    game: Annotated[UUID | None, Meta(description="the game, by its id")] = None
    totals: Annotated[list[Points], Meta(max_length=64, description="of each party of the game, with all points that count")] = []
    places: Annotated[Places | None, Meta(description="of each party; null while the game is not over")] = None
    annulled: Annotated[bool, Meta(description="it counts for nothing")] = False
    said: Annotated[PossibleResult | None, Meta(description="of a table")] = None
