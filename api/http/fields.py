"""What comes in: bodies and queries. What the rules judge is ``Any`` and reaches them undecoded, so that refusals carry their codes."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

Whole: TypeAlias = Annotated[int, Meta(ge=0, le=10**15)]
Number: TypeAlias = Annotated[int, Meta(ge=1, le=2**31 - 1)]
LONGEST_NAME = 100
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Moment: TypeAlias = Annotated[datetime, Meta(tz=True, description="RFC 3339, with an offset")]
View: TypeAlias = Annotated[str, Meta(pattern="^(arbiter|public|seat:[0-9]{1,2})$", examples=["arbiter", "public", "seat:1"])]
Limit: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]

Seat: TypeAlias = Annotated[Any, Meta(description="a seat, from 0", examples=[0])]
Move: TypeAlias = Annotated[Any, Meta(description="a move of this ruleset, with its type", examples=[{"type": "trail", "card": "KC"}])]


class _In(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all that comes in."""


class OpenGame(_In, frozen=True, kw_only=True):
    """A game: a ruleset with options, and who sits where."""

    ruleset: Annotated[str, Meta(examples=["casino"])]
    seats: Annotated[Any, Meta(description="number of seats", examples=[2])]
    options: Annotated[Any, Meta(description="an object; what is left out has its default", examples=[{"sweeps": True}])] = {}
    players: Annotated[list[Name | None], Meta(max_length=64, description="an opaque id or null for each seat; no names")] = []
    tournament: Name | None = None
    round: Number | None = None
    table: Name | None = None
    openness: Annotated[Literal["hand_over", "game_over", "never"], Meta(description="when everybody may see what lay hidden")] = (
        "game_over"
    )
    happened_at: Moment | None = None


class DealHand(_In, frozen=True, kw_only=True):
    """A hand. Without ``deck`` the service shuffles and records the order."""

    dealer: Seat
    deck: Annotated[Any, Meta(description="card codes, the first is dealt first", examples=[["3H", "8C"]])] = UNSET
    fill: Literal["sorted"] | UnsetType = UNSET
    happened_at: Moment | None = None


class OneMove(_In, frozen=True, kw_only=True):
    seat: Seat
    move: Move


class PlayMoves(_In, frozen=True, kw_only=True):
    """One move (``seat``, ``move``), or ``moves``: several, all or none."""

    seat: Seat = UNSET
    move: Move = UNSET
    moves: Annotated[list[OneMove], Meta(min_length=1, max_length=1000)] | UnsetType = UNSET
    happened_at: Moment | None = None


class Rewind(_In, frozen=True, kw_only=True):
    """Back to the position ``to``; what came after it is void."""

    to: Whole
    reason: Annotated[str, Meta(max_length=2000)] | None = None


class JudgeMove(_In, frozen=True, kw_only=True):
    """Would this move be legal, now or at a position?"""

    seat: Seat
    move: Move
    position: Number | None = None


class TryMoves(_In, frozen=True, kw_only=True):
    """A line of moves from a position; ``view`` is for whom it is asked."""

    position: Number
    moves: Annotated[list[OneMove], Meta(min_length=1, max_length=1000)]
    view: View = "arbiter"


class DryRun(_In, frozen=True, kw_only=True):
    dry_run: bool = False


class GamesQuery(_In, frozen=True, kw_only=True):
    ruleset: str | None = None
    tournament: str | None = None
    round: Whole | None = None
    table: str | None = None
    player: str | None = None
    phase: str | None = None
    finished: bool | None = None
    standing: Literal["open", "suspended", "abandoned", "annulled"] | None = None
    opened_from: Moment | None = None
    opened_before: Moment | None = None
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    min_sequence: Whole | None = None


class RulingsQuery(_In, frozen=True, kw_only=True):
    ruleset: str | None = None
    game: Annotated[str, Meta(pattern="^[0-9a-f-]{36}$")] | None = None
    decision: Literal["stands", "rewind", "rectify", "adjust", "penalty", "annul"] | None = None
    instance: Literal["arbiter", "committee"] | None = None
    rule: Annotated[str, Meta(pattern="^[A-Z]{2,4}-[0-9]{1,4}$", examples=["CNO-22"])] | None = None
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    min_sequence: Whole | None = None


class Fresh(_In, frozen=True, kw_only=True):
    min_sequence: Whole | None = None


class HistoryQuery(_In, frozen=True, kw_only=True):
    after: Whole = 0
    limit: Limit = 100


class ReplayQuery(_In, frozen=True, kw_only=True):
    """A page after a position, or the one before it; of one hand, of one seat, from a position to another."""

    after: Whole | None = None
    before: Number | None = None
    limit: Limit = 100
    hand: Number | None = None
    seat: Annotated[int, Meta(ge=0, le=63)] | None = None
    from_: Number = field(default=1, name="from")
    to: Number | None = None
    view: View | None = None


class TableQuery(_In, frozen=True, kw_only=True):
    """``position`` or ``at``, not both; the present without either."""

    position: Number | None = None
    at: Moment | None = None
    view: View | None = None


class LegalQuery(_In, frozen=True, kw_only=True):
    seat: Annotated[int, Meta(ge=0, le=63)] | None = None
    position: Number | None = None
    limit: Limit = 100
    cursor: str | None = None


class SheetQuery(_In, frozen=True, kw_only=True):
    position: Number | None = None
    min_sequence: Whole | None = None
    format: Literal["json", "csv", "html", "pdf"] | None = None


class RecordQuery(_In, frozen=True, kw_only=True):
    """``texts``: with the words of people, in a full record."""

    full: bool = False
    texts: bool = False
