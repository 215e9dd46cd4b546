"""Standings as of when, and in which form."""

from typing import Annotated, Literal

from msgspec import Meta, field

from api.http.fields import Incoming, Number, Timestamp, Whole

MomentText = Annotated[str, Meta(description="`round:3`, `sequence:812`, `now`, or a time", examples=["round:3"])]


class StandingsQuery(Incoming, frozen=True, kw_only=True):
    """``round``: with the results of so many rounds only. ``at`` a time, or ``as_of`` a sequence: as it was known then."""

    round: Number | None = None
    at: Timestamp | None = None
    as_of: Whole | None = None
    explain: bool = True
    format: Literal["json", "csv", "html"] | None = None


class DiffQuery(Incoming, frozen=True, kw_only=True):
    from_: MomentText = field(default="", name="from")
    to: MomentText = "now"
