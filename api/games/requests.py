"""What comes in about games. What the rules judge is ``Any`` and reaches them undecoded, so that refusals carry their codes."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType, field

from api.common.tables.formats import FormName
from api.http.fields import Id, Incoming, Limit, Move, Number, Seat, Timestamp, View, Whole


class OpenGame(Incoming, frozen=True, kw_only=True):
    """A game: a ruleset with options, and who sits where."""

    ruleset: Annotated[str, Meta(examples=["casino"])]
    seats: Annotated[Any, Meta(description="number of seats", examples=[2])]
    options: Annotated[Any, Meta(description="an object; what is left out has its default", examples=[{"sweeps": True}])] = {}
    players: Annotated[list[Id | None], Meta(max_length=64, description="an opaque id or null for each seat; no names")] = []
    tournament: Id | None = None
    round: Number | None = None
    table: Id | None = None
    openness: Annotated[Literal["hand_over", "game_over", "never"], Meta(description="when everybody may see what lay hidden")] = (
        "game_over"
    )
    happened_at: Timestamp | None = None


class DealHand(Incoming, frozen=True, kw_only=True):
    """A hand. Without ``deck`` the service shuffles and records the order."""

    dealer: Seat
    deck: Annotated[Any, Meta(description="card codes, the first is dealt first", examples=[["3H", "8C"]])] = UNSET
    fill: Literal["sorted"] | UnsetType = UNSET
    happened_at: Timestamp | None = None


class OneMove(Incoming, frozen=True, kw_only=True):
    seat: Seat
    move: Move


class PlayMoves(Incoming, frozen=True, kw_only=True):
    """One move (``seat``, ``move``), or ``moves``: several, all or none."""

    seat: Seat = UNSET
    move: Move = UNSET
    moves: Annotated[list[OneMove], Meta(min_length=1, max_length=1000)] | UnsetType = UNSET
    happened_at: Timestamp | None = None


class RewindGame(Incoming, frozen=True, kw_only=True):
    """Back to the position ``to``; what came after it is void."""

    to: Whole
    reason: Annotated[str, Meta(max_length=2000)] | None = None


class JudgeMove(Incoming, frozen=True, kw_only=True):
    """Would this move be legal, now or at a position?"""

    seat: Seat
    move: Move
    position: Number | None = None


class TryMoves(Incoming, frozen=True, kw_only=True):
    """A line of moves from a position; ``view`` is for whom it is tried."""

    position: Number
    moves: Annotated[list[OneMove], Meta(min_length=1, max_length=1000)]
    view: View = "arbiter"


class GamesQuery(Incoming, frozen=True, kw_only=True):
    ruleset: str | None = None
    tournament: str | None = None
    round: Whole | None = None
    table: str | None = None
    player: str | None = None
    phase: str | None = None
    finished: bool | None = None
    standing: Literal["open", "suspended", "abandoned", "annulled"] | None = None
    opened_from: Timestamp | None = None
    opened_before: Timestamp | None = None
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    format: Annotated[FormName, Meta(description="goes before Accept; all but json come whole")] | None = None
    min_sequence: Whole | None = None


class ReplayQuery(Incoming, frozen=True, kw_only=True):
    """A page after a position, or the one before it; of one hand, of one seat, from a position to another."""

    after: Whole | None = None
    before: Number | None = None
    limit: Limit = 100
    hand: Number | None = None
    seat: Annotated[int, Meta(ge=0, le=63)] | None = None
    from_: Number = field(default=1, name="from")
    to: Number | None = None
    view: View | None = None


class TableQuery(Incoming, frozen=True, kw_only=True):
    """``position`` or ``at``, not both; the present without either."""

    position: Number | None = None
    at: Timestamp | None = None
    view: View | None = None


class LegalQuery(Incoming, frozen=True, kw_only=True):
    seat: Annotated[int, Meta(ge=0, le=63)] | None = None
    position: Number | None = None
    limit: Limit = 100
    cursor: str | None = None


SheetFormat: TypeAlias = Literal["json", "csv", "html", "pdf"]


class SheetQuery(Incoming, frozen=True, kw_only=True):
    position: Number | None = None
    min_sequence: Whole | None = None
    format: SheetFormat | None = None
