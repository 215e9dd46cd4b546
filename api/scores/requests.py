"""The filters and forms of score lines."""

from typing import Annotated

from msgspec import Meta, field

from api.common.tables.formats import FormName
from api.http.fields import Cursor, Incoming, MinSequence, Name, Timestamp, Whole


class PlayerScoresQuery(Incoming, frozen=True, kw_only=True):
    """``latest``: of how many finished games the latest average is made."""

    ruleset: Annotated[Name | None, Meta(description="of games of this ruleset")] = None
    tournament: Annotated[Name | None, Meta(description="of games of this tournament")] = None
    from_: Annotated[Timestamp, Meta(description="played at this moment or later")] | None = field(default=None, name="from")
    to: Annotated[Timestamp, Meta(description="played before this moment")] | None = None
    latest: Annotated[int, Meta(ge=1, le=1000, description="of how many finished games the latest average is made")] = 10
    min_sequence: MinSequence = None
    names: Annotated[bool, Meta(description="with names in a column more; not of JSON")] = False
    format: Annotated[FormName, Meta(description="goes before Accept")] | None = None
    cursor: Cursor = None
    limit: Annotated[int, Meta(ge=1, le=200, description="games on a page of JSON")] = 50


class ScoresQuery(Incoming, frozen=True, kw_only=True):
    """All filters that are given must hold."""

    tournament: Annotated[Name | None, Meta(description="of games of this tournament")] = None
    ruleset: Annotated[Name | None, Meta(description="of games of this ruleset")] = None
    player: Annotated[Name, Meta(description="lines that count for this player, those of ids merged into his included")] | None = None
    club: Annotated[Name, Meta(description="lines of those who are its members")] | None = None
    from_: Annotated[Timestamp, Meta(description="played at this moment or later")] | None = field(default=None, name="from")
    to: Annotated[Timestamp, Meta(description="played before this moment")] | None = None
    changed_since: (
        Annotated[Whole, Meta(description="changed after this sequence; lines that stand no more are told as withdrawn")] | None
    ) = None
    as_of: Annotated[Whole, Meta(description="the lines that were true at this sequence; else those of now")] | None = None
    min_sequence: MinSequence = None
    names: Annotated[bool, Meta(description="with what may stand for the player before you, in a column more")] = False
    format: Annotated[FormName, Meta(description="goes before Accept")] | None = None
    cursor: Cursor = None
    limit: Annotated[int, Meta(ge=1, le=1000, description="lines on a page of JSON")] = 100
