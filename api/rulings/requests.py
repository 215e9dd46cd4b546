"""Bodies of the acts of officials. Free texts go into the register of texts, never into an event."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct

from api.http.fields import ActBody, FreeText, Id, Incoming, Move, Number, ReasonBody, Seat, Timestamp, Whole
from domain.events.game import Decision


class RulingsQuery(Incoming, frozen=True, kw_only=True):
    ruleset: str | None = None
    game: Annotated[str, Meta(pattern="^[0-9a-f-]{36}$")] | None = None
    decision: Decision | None = None
    instance: Literal["arbiter", "committee"] | None = None
    rule: Annotated[str, Meta(pattern=r"^[A-Z]{2,4}-[0-9]{1,4}$(?!\n)", examples=["CNO-22"])] | None = None
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    min_sequence: Whole | None = None


Public: TypeAlias = Annotated[
    bool, Meta(description="the reason names no hidden card and may be told to viewers now; else they read it once its position is open")
]
SomeSeat: TypeAlias = Annotated[int, Meta(ge=0, le=63)]
Suspends: TypeAlias = Annotated[bool, Meta(description="no move is made until it is decided")]
RuleNumber: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Z]{2,4}-[0-9]{1,4}$(?!\n)",
        description="a rule of this game, or one that all games share; regulations of a house go into the reason",
        examples=["CNO-22"],
    ),
]
GivenEffects: TypeAlias = Annotated[
    Any,
    Meta(
        description="what is done to the table, in the vocabulary of docs/events.md; checked against what lies there",
        examples=[[["moved", ["7D"], "won:0", "board"], ["turn", "play", 1, [1]]]],
    ),
]
Lifted: TypeAlias = Annotated[
    Number | None, Meta(description="the ruling that is overturned; by default the last one on this dispute that ordered anything")
]
FromRuling: TypeAlias = Annotated[Number | None, Meta(description="the number of the ruling that orders it")]


class RaiseDispute(ActBody, frozen=True, kw_only=True):
    """``position`` is the one in dispute, the last one by default; ``seat`` who disputes it, null for an official."""

    claim: FreeText
    position: Number | None = None
    seat: SomeSeat | None = None
    suspends: Suspends = False


class PointsAdjustment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Points for a party, or taken from it; ``hand`` is a finished one, or none in particular."""

    party: Whole
    points: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
    hand: Number | None = None


Adjustments: TypeAlias = Annotated[list[PointsAdjustment], Meta(max_length=64)]


class GiveRuling(ActBody, frozen=True, kw_only=True):
    """``rewind`` takes ``to``, ``rectify`` takes ``effects``, ``adjust`` and ``penalty`` take ``adjustments``; ``overturn``, with which the
    committee lifts what a ruling ordered, may take ``lifts``; the others nothing.
    """

    decision: Decision
    reason: FreeText
    public: Public = False
    rules: Annotated[list[RuleNumber], Meta(max_length=50)] = []
    to: Number | None = None
    effects: GivenEffects = UNSET
    adjustments: Adjustments = []
    lifts: Lifted = None


class AppealRuling(ActBody, frozen=True, kw_only=True):
    """``seat`` is who appeals; ``deadline`` until when the committee is to decide."""

    reason: FreeText | None = None
    public: Public = False
    seat: SomeSeat | None = None
    deadline: Timestamp | None = None
    suspends: Suspends = False


class GiveReason(ReasonBody, frozen=True, kw_only=True):
    """An act that needs no more than a reason."""

    public: Public = False


class AnnulGame(ActBody, frozen=True, kw_only=True):
    reason: FreeText
    public: Public = False
    ruling: FromRuling = None


class RectifyTable(ActBody, frozen=True, kw_only=True):
    effects: GivenEffects
    reason: FreeText
    public: Public = False
    ruling: FromRuling = None


class AdjustPoints(ActBody, frozen=True, kw_only=True):
    adjustments: Annotated[list[PointsAdjustment], Meta(min_length=1, max_length=64)]
    reason: FreeText
    public: Public = False
    ruling: FromRuling = None


class LetMoveStand(ActBody, frozen=True, kw_only=True):
    """A move that the rules refuse but that stood at the table, and what it really did."""

    seat: Seat
    move: Move
    effects: GivenEffects
    reason: FreeText | None = None
    public: Public = False
    ruling: FromRuling = None


class AddNote(ActBody, frozen=True, kw_only=True):
    text: FreeText
    position: Number | None = None


class SeatPlayer(ActBody, frozen=True, kw_only=True):
    """From now on this player sits here; null leaves the seat to nobody in particular."""

    seat: SomeSeat
    player: Id | None
