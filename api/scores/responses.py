"""Queries and responses about score lines."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct, field

from api.common.tables.columns import CsvDialect
from api.common.tables.files import FormName
from api.http.decoding import Cursor, Incoming, LocalTime, MinSequence, Name, Number, Whole
from api.scores.schema import ScoreLine
from projections.models.score_lines.score_history import Month, PlayerGame, Totals


class ScorePage(Struct, frozen=True):
    """A page of lines. They are true at the sequence ``as_of``, on this page and on all that follow. ``next`` is a cursor."""

    schema: str
    as_of: int
    items: tuple[ScoreLine, ...]
    next: str | None


class PlayerScores(Struct, frozen=True):
    """The score history of a player. ``player`` is the id that the person is known by, after mergers.

    Totals and months are of all games that fit the filters. Games of which a finished hand counts, and tables whose result was entered,
    newest first; ``next`` is the cursor of the following page.
    """

    player: str
    as_of: int
    totals: tuple[Totals, ...]
    months: tuple[Month, ...]
    items: tuple[PlayerGame, ...]
    next: str | None


# Filters and formats of score lines.


class PlayerScoresQuery(Incoming, frozen=True, kw_only=True):
    """Filters. ``latest``: the number of finished games in the latest average."""

    ruleset: Annotated[Name | None, Meta(description="of games of this ruleset")] = None
    tournament: Annotated[Name | None, Meta(description="of games of this tournament")] = None
    from_: Annotated[LocalTime, Meta(description="played at this moment or later")] | None = field(default=None, name="from")
    to: Annotated[LocalTime, Meta(description="played before this moment")] | None = None
    latest: Annotated[int, Meta(ge=1, le=1000, description="of how many finished games the latest average is made")] = 10
    min_sequence: MinSequence = None
    names: Annotated[bool, Meta(description="with names in another column; not in JSON")] = False
    format: Annotated[FormName, Meta(description="takes precedence over `Accept`")] | None = None
    dialect: CsvDialect = None
    cursor: Cursor = None
    limit: Annotated[int, Meta(ge=1, le=200, description="games on a page of JSON")] = 50


class ScoresQuery(Incoming, frozen=True, kw_only=True):
    """Filters; all that are given must hold."""

    tournament: Annotated[Name | None, Meta(description="of games of this tournament")] = None
    round: Annotated[Number | None, Meta(description="of games of this round")] = None
    table: Annotated[Name | None, Meta(description="of games at this table")] = None
    game: Annotated[UUID | None, Meta(description="of this game")] = None
    ruleset: Annotated[Name | None, Meta(description="of games of this ruleset")] = None
    player: Annotated[Name, Meta(description="lines that count for this player, including those of merged ids")] | None = None
    club: Annotated[Name, Meta(description="lines of its members")] | None = None
    from_: Annotated[LocalTime, Meta(description="played at this moment or later")] | None = field(default=None, name="from")
    to: Annotated[LocalTime, Meta(description="played before this moment")] | None = None
    changed_since: Annotated[Whole, Meta(description="changed after this sequence; removed lines are listed as withdrawn")] | None = None
    as_of: Annotated[Whole, Meta(description="the lines that were true at this sequence; else those of now")] | None = None
    min_sequence: MinSequence = None
    names: Annotated[bool, Meta(description="with the player's name or alias, as you may see it, in another column")] = False
    format: Annotated[FormName, Meta(description="takes precedence over `Accept`")] | None = None
    dialect: CsvDialect = None
    cursor: Cursor = None
    limit: Annotated[int, Meta(ge=1, le=1000, description="lines on a page of JSON")] = 100
