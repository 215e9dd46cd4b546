"""Requests and responses about standings. An entrant is a number; its players are ids."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from api.common.tables.columns import CsvDialect
from api.http.decoding import Incoming, Number, ResponseModel, Timestamp, Whole
from api.tournaments.responses import LotsView
from domain.forms import FORM
from domain.standings.plan import Origin
from domain.standings.tie_breaks import TieBreak

Label = Annotated[str, Meta(min_length=1, max_length=60)]
Category = Annotated[Label | None, Meta(description="the category in which prizes are won, such as junior; null for none")]
Amount = Annotated[int | float, Meta(description="reckoned exactly; a whole number where it is one", examples=[7, 1.5])]


class AsOfView(ResponseModel, frozen=True, kw_only=True):
    """The moment of standings. All null is now."""

    round: int | None
    sequence: int | None
    at: datetime | None


class GameLink(ResponseModel, frozen=True, kw_only=True):
    game: UUID
    url: Annotated[str, Meta(examples=["/v1/games/0b54f1f6-6f0a-4a57-9d3e-6f1d0c8e4b21/score-sheet"])]


class PartView(ResponseModel, frozen=True, kw_only=True):
    """The contribution of one round, or of one opponent in it. Without opponents it is a dummy; a part that does not count was cut, is
    open, or belongs to who was taken out.
    """

    round: int
    table: str | None
    how: Literal["open", "played", "forfeited", "bye", "absent"]
    opponents: tuple[int, ...]
    value: Amount
    counts: bool
    games: list[GameLink]


class TieBreakView(ResponseModel, frozen=True, kw_only=True):
    """A tie-break: the sum of the parts that count.

    Direct encounter is the place among the tied, null where nobody is tied; of lots the lowest wins, and they are null before they are
    drawn.
    """

    tie_break: TieBreak
    value: Amount | None
    parts: list[PartView] | UnsetType = UNSET


class AwardView(ResponseModel, frozen=True, kw_only=True):
    """A prize. ``place`` is that among the entrants who can win in the fund."""

    category: Category
    place: int
    entrant: int
    shown: list[str]
    amount: Annotated[int | float, Meta(description="rounded down to hundredths", examples=[50, 33.33])]


class StandingsRowView(ResponseModel, frozen=True, kw_only=True):
    """A row of the standings. ``shown`` are the names that this caller may see. Wins, draws and losses are null at tables not of two."""

    place: int
    entrant: int
    players: tuple[str, ...]
    shown: list[str]
    score: Amount
    played: int
    wins: int | None
    draws: int | None
    losses: int | None
    withdrawn_from: Annotated[int | None, Meta(description="the first round that an entrant who withdrew did not play")]
    taken_out: Annotated[
        bool,
        Meta(description="withdrew from a round robin before half of it was played: nothing counts, and `place` is the last one"),
    ]
    ordered: Annotated[bool, Meta(description="placed by the director among equals, such as after a play-off")]
    for_others: Annotated[Amount, Meta(description="the score as it counts in the figures of opponents (FIDE C.07, 16.3)")]
    tie_breaks: list[TieBreakView]
    parts: list[PartView] | UnsetType = UNSET
    note: Annotated[str, Meta(description="other players who stood for the entrant, and when")] | UnsetType = UNSET
    club: Annotated[str, Meta(description="the club of the entrant")] | UnsetType = UNSET
    team: Annotated[str, Meta(description="the team of the entrant")] | UnsetType = UNSET
    category: Annotated[str, Meta(description="the category in which the entrant can win prizes")] | UnsetType = UNSET


class Standings(ResponseModel, frozen=True, kw_only=True):
    """Standings, best first.

    ``rounds`` are paired. ``after`` is the last round that is over: closed, or with a result at every table; what counts already of a later
    one is in the figures. ``open`` counts the tables that have no result yet, ``undecided`` the disputes that wait for a decision: while
    there are any, the standings are provisional. It is null for a moment that is past.
    """

    tournament: str
    as_of: AsOfView
    position: int
    rounds: int
    after: int
    open: int
    heading: Annotated[str, Meta(description="in words, which rounds count, and how many of their tables are open")]
    undecided: int | None
    tie_breaks: tuple[TieBreak, ...]
    lots: LotsView
    lines: list[StandingsRowView]
    prizes: Annotated[list[AwardView], Meta(description="the prizes by these standings, if there are any")] | UnsetType = UNSET


class StandingsPlace(ResponseModel, frozen=True, kw_only=True):
    place: int
    score: Amount
    tie_breaks: list[TieBreakView]


class MovedView(ResponseModel, frozen=True, kw_only=True):
    entrant: int
    players: tuple[str, ...]
    shown: list[str]
    before: StandingsPlace | None
    after: StandingsPlace | None


class OutcomeView(ResponseModel, frozen=True, kw_only=True):
    """An outcome of a table. ``places``: of each party, where the game says otherwise than its points."""

    points: tuple[int, ...] | None
    places: tuple[int, ...] | None
    how: Origin
    absent: tuple[int, ...]


class ActView(ResponseModel, frozen=True, kw_only=True):
    """An act of an official in a game in between. ``ruling`` is its number in the game, where one ordered it."""

    game: UUID
    position: int
    name: Annotated[str, Meta(examples=["points.adjusted/1"])]
    at: datetime
    ruling: int | None
    url: str


class ChangedTableView(ResponseModel, frozen=True, kw_only=True):
    """A table with another outcome, its games, and the acts of officials in them in between."""

    round: int
    table: str
    parties: tuple[tuple[int, ...], ...]
    before: OutcomeView | None
    after: OutcomeView | None
    games: list[GameLink]
    acts: list[ActView]


class StandingsDiff(ResponseModel, frozen=True, kw_only=True):
    """The entrants who moved, in the order of the later standings, and the tables that made them move."""

    tournament: str
    before: AsOfView
    after: AsOfView
    moved: list[MovedView]
    tables: list[ChangedTableView]


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
    old: Annotated[MomentText, Meta(description="the earlier standings")] = ""
    new: Annotated[MomentText, Meta(description="the later ones")] = "now"


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
