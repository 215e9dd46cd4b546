"""Requests about tournaments. What the rules of a game judge is ``Any`` and reaches them undecoded."""

from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, UnsetType

from api.common.tables.formats import FormName
from api.http.fields import FreeText, Id, Incoming, Number, Timestamp, Whole
from domain.standings.plan import Entrants, Format, ScoredBy, Scoring, usual_bye
from domain.standings.tie_breaks import TieBreak

MOST_ENTRIES = 1000
"""In one request; longer lists are sent in parts."""
Rating: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
_Points: TypeAlias = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
PartyPoints: TypeAlias = Annotated[
    list[_Points],
    Meta(max_length=64, description="game points of each party, in their order"),
]
Numbers: TypeAlias = Annotated[list[Number], Meta(max_length=10_000)]


class ScoringBody(Incoming, frozen=True, kw_only=True):
    """By `match_points` (one number for each place at a table; parties with the same place share their sum) or by game `points`."""

    by: ScoredBy
    places: Annotated[tuple[_Points, ...], Meta(max_length=64, description="match points by place, the best first")] = (2, 0)
    bye: Annotated[
        _Points | Literal["average"] | None,
        Meta(
            description="what a bye brings, in the unit of `by`: a number, or the average of those who played in that round. "
            "By default 2 match points; of game points the average"
        ),
    ] = None
    forfeit: Annotated[tuple[_Points, _Points], Meta(description="game points of who came, and of who did not come")] = (0, 0)

    def settled(self) -> Scoring:
        return Scoring(self.by, self.places, usual_bye(self.by) if self.bye is None else self.bye, self.forfeit)


class AnnounceTournament(Incoming, frozen=True, kw_only=True):
    """A tournament. What is left out is made here (``id``, ``seed``) or has its default."""

    id: Id | None = None
    title: FreeText | None = None
    ruleset: Annotated[str, Meta(examples=["casino"])]
    options: Annotated[Any, Meta(description="an object; what is left out has its default", examples=[{"sweeps": True}])] = {}
    seats: Annotated[Any, Meta(description="seats of a table", examples=[4])]
    format: Format
    entrants: Entrants = "parties"
    scoring: ScoringBody = ScoringBody(by="match_points")
    tie_breaks: Annotated[list[TieBreak], Meta(max_length=len(get_args(TieBreak)))] = []
    rounds: Annotated[int, Meta(ge=1, le=1000)] | None = None
    games: Annotated[int, Meta(ge=1, le=100, description="games that a table plays in a round")] = 1
    openness: Literal["hand_over", "game_over", "never"] = "game_over"
    seed: Annotated[str, Meta(min_length=1, max_length=200, description="lots and draws follow from it alone")] | None = None
    happened_at: Timestamp | None = None


class CorrectAnnouncement(Incoming, frozen=True, kw_only=True):
    """What is to be announced otherwise; what is left out stays. ``id`` and ``seed`` never change, and may be told only as they are.

    ``options`` and ``scoring`` are replaced whole. Without ``options`` those of before hold, for another ruleset its defaults.
    """

    id: Id | UnsetType = UNSET
    seed: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    title: FreeText | None | UnsetType = UNSET
    ruleset: Annotated[str, Meta(examples=["casino"])] | UnsetType = UNSET
    options: Annotated[Any, Meta(description="an object; what is left out has its default")] = UNSET
    seats: Annotated[Any, Meta(description="seats of a table", examples=[4])] = UNSET
    format: Format | UnsetType = UNSET
    entrants: Entrants | UnsetType = UNSET
    scoring: ScoringBody | UnsetType = UNSET
    tie_breaks: Annotated[list[TieBreak], Meta(max_length=len(get_args(TieBreak)))] | UnsetType = UNSET
    rounds: Annotated[int, Meta(ge=1, le=1000)] | None | UnsetType = UNSET
    games: Annotated[int, Meta(ge=1, le=100)] | UnsetType = UNSET
    openness: Literal["hand_over", "game_over", "never"] | UnsetType = UNSET
    happened_at: Timestamp | None = None


class RateEntry(Incoming, frozen=True, kw_only=True):
    """The rating by which an entrant is seeded; null for none."""

    rating: Rating | None
    happened_at: Timestamp | None = None


class EntryBody(Incoming, frozen=True, kw_only=True):
    """Who enters: the ids of the players of a partnership in the order of their seats, or of one player."""

    players: Annotated[list[Id], Meta(min_length=1, max_length=64)]
    rating: Rating | None = None
    from_round: Number | None = None


class EnterTournament(Incoming, frozen=True, kw_only=True):
    """One entry (``players``), or ``entries``: several, all or none."""

    players: Annotated[list[Id], Meta(min_length=1, max_length=64)] | None = None
    rating: Rating | None = None
    from_round: Number | None = None
    entries: Annotated[list[EntryBody], Meta(min_length=1, max_length=MOST_ENTRIES)] | None = None


class SubstitutePlayers(Incoming, frozen=True, kw_only=True):
    """Who stands for the entrant from a round on, by default from the one in play."""

    players: Annotated[list[Id], Meta(min_length=1, max_length=64)]
    from_round: Number | None = None
    happened_at: Timestamp | None = None


class WithdrawEntry(Incoming, frozen=True, kw_only=True):
    """``from_round``: the first round in which the entrant does not play, by default the next that is paired.

    ``back_from``: the first in which he plays again, if he only sits some out.
    """

    from_round: Number | None = None
    back_from: Number | None = None
    reason: FreeText | None = None
    happened_at: Timestamp | None = None


class ReturnEntry(Incoming, frozen=True, kw_only=True):
    """``from_round``: the first round in which the entrant plays again, or already, by default the next that is paired.

    ``players`` stand for the entrant from then on, by default those who did.
    """

    from_round: Number | None = None
    players: Annotated[list[Id], Meta(min_length=1, max_length=64)] | None = None
    happened_at: Timestamp | None = None


class TablePairing(Incoming, frozen=True, kw_only=True):
    """A table paired by hand: the entrants of each party in the order of their seats, a partnership once. Tables are named 1, 2 …"""

    table: Id | None = None
    parties: Annotated[list[Numbers], Meta(min_length=1, max_length=64, examples=[[[1], [2]]])]


class PairRound(Incoming, frozen=True, kw_only=True):
    """A round: drawn by the format, or with ``tables`` by hand. ``byes`` are entrants who have no table."""

    tables: Annotated[list[TablePairing], Meta(max_length=10_000)] | None = None
    byes: Numbers = []
    happened_at: Timestamp | None = None


class EnterResult(Incoming, frozen=True, kw_only=True):
    """``side``: the entrant who says so, to be confirmed by the other parties; without it the director says so, finally."""

    points: PartyPoints
    side: Number | None = None
    happened_at: Timestamp | None = None


class ConfirmResult(Incoming, frozen=True, kw_only=True):
    side: Number
    happened_at: Timestamp | None = None


class ForfeitTable(Incoming, frozen=True, kw_only=True):
    """The entrants who did not come, or were sent away."""

    absent: Annotated[list[Number], Meta(min_length=1, max_length=64)]
    reason: FreeText | None = None
    happened_at: Timestamp | None = None


class EndTournament(Incoming, frozen=True, kw_only=True):
    how: Literal["finished", "cancelled"] = "finished"
    reason: FreeText | None = None
    happened_at: Timestamp | None = None


class OpenRoundGames(Incoming, frozen=True, kw_only=True):
    """Games for all tables that lack one, or for those that are named."""

    tables: Annotated[list[Id], Meta(min_length=1, max_length=10_000)] | None = None


class TournamentsQuery(Incoming, frozen=True, kw_only=True):
    ruleset: str | None = None
    state: Literal["announced", "running", "finished", "cancelled"] | None = None
    announced_from: Timestamp | None = None
    announced_before: Timestamp | None = None
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    format: Annotated[FormName, Meta(description="goes before Accept; all but json come whole")] | None = None
    min_sequence: Whole | None = None


SeatingFormat: TypeAlias = Literal["json", "html"]


class SeatingQuery(Incoming, frozen=True, kw_only=True):
    format: SeatingFormat | None = None
