"""Requests about tournaments. What the rules of a game judge is ``Any`` and reaches them undecoded."""

from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta

from api.http.fields import (
    Cursor,
    FreeText,
    HappenedAt,
    Id,
    Incoming,
    MinSequence,
    Name,
    Number,
    OpenWhen,
    RulesetKey,
    ShortLimit,
    Timestamp,
)
from domain.standings.plan import Entrants, Format, Scoring
from domain.standings.tie_breaks import TieBreak

MOST_ENTRIES = 1000
"""In one request; longer lists are sent in parts."""
Rating: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
MaybeRating: TypeAlias = Annotated[Rating | None, Meta(description="the strength as a number: the format ranks the first draw by it")]
MaybeReason: TypeAlias = Annotated[FreeText | None, Meta(description="why, in words")]
FirstRound: TypeAlias = Annotated[Number | None, Meta(description="the first round that is played; left out: the next that is paired")]
Side: TypeAlias = Annotated[Number, Meta(description="an entrant of the party that says so")]
PartyPoints: TypeAlias = Annotated[
    list[Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]],
    Meta(max_length=64, description="game points of each party, in their order"),
]
Players: TypeAlias = Annotated[
    list[Id],
    Meta(min_length=1, max_length=64, description="the ids of a partnership in the order of their seats, or of one player; no names"),
]
Numbers: TypeAlias = Annotated[list[Number], Meta(max_length=10_000)]


class AnnounceTournament(Incoming, frozen=True, kw_only=True):
    """A tournament. What is left out is made here (``id``, ``seed``) or has its default."""

    id: Annotated[Id | None, Meta(description="what its games carry as `tournament`")] = None
    title: Annotated[FreeText | None, Meta(description="what people call it")] = None
    ruleset: RulesetKey
    options: Annotated[Any, Meta(description="an object; what is left out has its default", examples=[{"sweeps": True}])] = {}
    seats: Annotated[Any, Meta(description="seats of a table", examples=[4])]
    format: Annotated[Format, Meta(description="how rounds are drawn; `manual`: by hand")]
    entrants: Annotated[Entrants, Meta(description="partnerships that keep together, or players whose partners rotate")] = "parties"
    scoring: Annotated[Scoring, Meta(description="what standings count")] = Scoring("match_points")
    tie_breaks: Annotated[
        list[TieBreak], Meta(max_length=len(get_args(TieBreak)), description="what orders those with the same score, the first one first")
    ] = []
    rounds: Annotated[int, Meta(ge=1, le=1000, description="rounds that are planned, where the format does not say it")] | None = None
    games: Annotated[int, Meta(ge=1, le=100, description="games that a table plays in a round")] = 1
    openness: OpenWhen = "game_over"
    seed: Annotated[str, Meta(min_length=1, max_length=200, description="lots and draws follow from it alone")] | None = None
    happened_at: HappenedAt = None


class EntryBody(Incoming, frozen=True, kw_only=True):
    """Who enters."""

    players: Players
    rating: MaybeRating = None
    from_round: FirstRound = None


class EnterTournament(Incoming, frozen=True, kw_only=True):
    """One entry (``players``), or ``entries``: several, all or none."""

    players: Players | None = None
    rating: MaybeRating = None
    from_round: FirstRound = None
    entries: Annotated[list[EntryBody], Meta(min_length=1, max_length=MOST_ENTRIES, description="several, all or none")] | None = None


class SubstitutePlayers(Incoming, frozen=True, kw_only=True):
    """Who stands for the entrant from a round on, by default from the one in play."""

    players: Players
    from_round: Annotated[Number | None, Meta(description="the first round that they play; left out: the one in play")] = None
    happened_at: HappenedAt = None


class WithdrawEntry(Incoming, frozen=True, kw_only=True):
    """For good, or for some rounds."""

    from_round: Annotated[Number | None, Meta(description="the first round without the entrant; left out: the next that is paired")] = None
    back_from: Annotated[Number | None, Meta(description="the first round with him again, if he only sits some out")] = None
    reason: MaybeReason = None
    happened_at: HappenedAt = None


class ReturnEntry(Incoming, frozen=True, kw_only=True):
    """Of an entrant who has withdrawn."""

    from_round: FirstRound = None
    players: Annotated[Players | None, Meta(description="who stands for the entrant from then on; left out: those who did")] = None
    happened_at: HappenedAt = None


class TablePairing(Incoming, frozen=True, kw_only=True):
    """A table paired by hand: the entrants of each party in the order of their seats, a partnership once. Tables are named 1, 2 …"""

    table: Annotated[Id | None, Meta(description="the name of the table; left out: its number")] = None
    parties: Annotated[
        list[Numbers], Meta(min_length=1, max_length=64, description="of each party the entrants, by number", examples=[[[1], [2]]])
    ]


class PairRound(Incoming, frozen=True, kw_only=True):
    """A round: drawn by the format, or with ``tables`` by hand."""

    tables: Annotated[list[TablePairing], Meta(max_length=10_000, description="by hand: who meets whom")] | None = None
    byes: Annotated[Numbers, Meta(description="by hand: the entrants who have no table")] = []
    happened_at: HappenedAt = None


class EnterResult(Incoming, frozen=True, kw_only=True):
    """What a table came to."""

    points: PartyPoints
    side: Annotated[
        Number | None, Meta(description="an entrant of the party that says so, for the others to confirm; left out: the director's word")
    ] = None
    happened_at: HappenedAt = None


class ConfirmResult(Incoming, frozen=True, kw_only=True):
    side: Side
    happened_at: HappenedAt = None


class ForfeitTable(Incoming, frozen=True, kw_only=True):
    """The entrants who did not come, or were sent away."""

    absent: Annotated[list[Number], Meta(min_length=1, max_length=64, description="the entrants, by number")]
    reason: MaybeReason = None
    happened_at: HappenedAt = None


class EndTournament(Incoming, frozen=True, kw_only=True):
    how: Annotated[Literal["finished", "cancelled"], Meta(description="played to its end, or called off")] = "finished"
    reason: MaybeReason = None
    happened_at: HappenedAt = None


class OpenRoundGames(Incoming, frozen=True, kw_only=True):
    """Games for all tables that lack one, or for those that are named."""

    tables: Annotated[list[Id], Meta(min_length=1, max_length=10_000, description="these tables only, by name")] | None = None


class TournamentsQuery(Incoming, frozen=True, kw_only=True):
    ruleset: Annotated[Name | None, Meta(description="tournaments of this ruleset")] = None
    state: Annotated[
        Literal["announced", "running", "finished", "cancelled"] | None, Meta(description="tournaments that have come so far")
    ] = None
    announced_from: Annotated[Timestamp | None, Meta(description="announced at this moment or later")] = None
    announced_before: Annotated[Timestamp | None, Meta(description="announced before this moment")] = None
    cursor: Cursor = None
    limit: ShortLimit = 50
    min_sequence: MinSequence = None


SeatingFormat: TypeAlias = Literal["json", "html"]


class SeatingQuery(Incoming, frozen=True, kw_only=True):
    format: Annotated[SeatingFormat | None, Meta(description="goes before `Accept`")] = None
