"""Standings as of when, and in which form."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, field

from api.http.fields import Incoming, Number, Timestamp, Whole

MomentText = Annotated[str, Meta(description="`round:3`, `sequence:812`, `now`, or a time", examples=["round:3"])]


StandingsFormat: TypeAlias = Literal["json", "csv", "html", "ndjson", "xlsx", "parquet"]


class StandingsQuery(Incoming, frozen=True, kw_only=True):
    """``round``: with the results of so many rounds only. ``at`` a time, or ``as_of`` a sequence: as it was known then."""

    round: Number | None = None
    at: Timestamp | None = None
    as_of: Whole | None = None
    explain: bool = True
    format: StandingsFormat | None = None


class DiffQuery(Incoming, frozen=True, kw_only=True):
    from_: MomentText = field(default="", name="from")
    to: MomentText = "now"
