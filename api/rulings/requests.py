"""Bodies of the acts of officials. Free texts go into the register of texts, never into an event."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

from api.common.tables.files import ListQuery
from api.http.decoding import (
    ActBody,
    ChangedSince,
    FreeText,
    Id,
    LocalTime,
    Move,
    Name,
    Number,
    ReasonBody,
    RuleNumber,
    Seat,
    Timestamp,
    Whole,
)
from domain.events.game import Decision
from domain.forms import FORM
from domain.notation.reading import LONGEST_LINE

CitedRules: TypeAlias = (
    Annotated[
        str,
        Meta(
            pattern=r"^[A-Z]{3}-[0-9]{1,3}(,[A-Z]{3}-[0-9]{1,3}){0,19}$(?!\n)",
            examples=["CNO-22,CNO-23"],
            description="rulings that cite one of these rules; commas between",
        ),
    ]
    | None
)
SearchWords: TypeAlias = (
    Annotated[str, Meta(min_length=1, max_length=100, description="words of claim or reason, as far as you may read them")] | None
)


class RulingsQuery(ListQuery, frozen=True, kw_only=True):
    ruleset: Annotated[Name | None, Meta(description="rulings in games of this ruleset")] = None
    game: Annotated[str, Meta(pattern="^[0-9a-f-]{36}$", description="rulings in this game")] | None = None
    decision: Annotated[Decision | None, Meta(description="rulings that decided so")] = None
    instance: Annotated[Literal["arbiter", "committee"] | None, Meta(description="rulings of this instance")] = None
    tournament: Annotated[Name | None, Meta(description="rulings in games of this tournament", examples=["spring-open"])] = None
    rules: CitedRules = None
    from_: Annotated[LocalTime, Meta(description="ruled at this moment or later")] | None = field(default=None, name="from")
    to: Annotated[LocalTime, Meta(description="ruled before this moment")] | None = None
    q: SearchWords = None
    changed_since: ChangedSince = None


Public: TypeAlias = Annotated[
    bool,
    Meta(description=("the reason names no hidden card and viewers may read it now; otherwise they read it once its position is open")),
]
Digest: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[0-9a-f]{64}$(?!\n)",
        examples=["e903e17d5119c8b89c10237ff63dd492e3e4b8bdc1d8ec1c32d800a20ea6f395"],
        extra_json_schema={FORM: "form.digest"},
    ),
]
SomeSeat: TypeAlias = Annotated[int, Meta(ge=0, le=63)]
Suspends: TypeAlias = Annotated[bool, Meta(description="no move is made until it is decided")]
GivenEffects: TypeAlias = Annotated[
    Any,
    Meta(
        description=(
            "changes of the table, in the vocabulary of docs/events.md; checked against the cards that lie there. Of a move that stood "
            "they may be left out: then they are what the move says"
        ),
        examples=[[["moved", ["7D"], "won:0", "board"], ["turn", "play", 1, [1]]]],
        extra_json_schema={"type": "array", "items": {"type": "array", "items": {}}},
    ),
]
TypedLine: TypeAlias = (
    Annotated[
        str,
        Meta(
            max_length=LONGEST_LINE,
            description="in the place of `move`: one short line, with the letters of `Accept-Language`",
            examples=["8cx7c"],
        ),
    ]
    | UnsetType
)
Lifted: TypeAlias = Annotated[
    Number | None, Meta(description="the ruling that is overturned; by default the last one on this dispute that ordered anything")
]
FromRuling: TypeAlias = Annotated[Number | None, Meta(description="the number of the ruling that orders it")]


class IllegalMove(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move that the rules refuse: ``seat`` with ``move`` or ``text``."""

    seat: Seat
    move: Move = UNSET
    text: TypedLine = UNSET


class AcceptedIllegalMove(IllegalMove, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The illegal move that stood, with what it really did."""

    effects: GivenEffects = UNSET


class RaiseDispute(ActBody, frozen=True, kw_only=True):
    """A dispute: the position, the claim, the seat that raises it, and the illegal move that it is about."""

    claim: Annotated[FreeText, Meta(description="the claim, in words; for officials only")]
    position: Annotated[Number | None, Meta(description="the event in dispute, by its position; left out: the last one")] = None
    seat: Annotated[SomeSeat | None, Meta(description="the seat that disputes it, from 0; null for an official")] = None
    suspends: Suspends = False
    refused_move: Annotated[
        IllegalMove | None, Meta(description="the move that was made now although the rules refuse it; needs a role that sees all cards")
    ] = None


class PointsAdjustment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Points that a party is given, or that are taken from it."""

    party: Annotated[Whole, Meta(description="the party, from 0")]
    points: Annotated[int, Meta(ge=-1_000_000, le=1_000_000, description="the points given; below 0: taken")]
    hand: Annotated[Number | None, Meta(description="the finished hand that they belong to, from 1; null for none in particular")] = None


Reason: TypeAlias = Annotated[FreeText, Meta(description="the reason, in words")]
MaybeReason: TypeAlias = Annotated[FreeText | None, Meta(description="the reason, in words")]


class IssueRuling(ActBody, frozen=True, kw_only=True):
    """A ruling.

    ``stands`` may take ``stood``, ``rewind`` takes ``to``, ``rectify`` takes ``effects``, ``adjust`` and ``penalty`` take ``adjustments``;
    ``overturn``, with which the committee lifts what a ruling ordered, may take ``lifts``; the others nothing.
    """

    decision: Annotated[Decision, Meta(description="the order; `stands`: nothing changes")]
    reason: Reason
    dispute: Annotated[Number | None, Meta(description="the dispute that it decides; null where nobody raised one")] = None
    public: Public = False
    rules: Annotated[
        list[RuleNumber],
        Meta(max_length=50, description="rules of the game or of all games that it rests on, by number; house rules go into the reason"),
    ] = []
    to: Annotated[Number | None, Meta(description="of `rewind`: the position that stands; what came after it is taken back")] = None
    effects: GivenEffects = UNSET
    adjustments: Annotated[list[PointsAdjustment], Meta(max_length=64, description="of `adjust` and `penalty`: who gets which points")] = []
    stood: Annotated[AcceptedIllegalMove | None, Meta(description="of `stands`: the illegal move that is recorded as it was made")] = None
    lifts: Lifted = None


class AppealRuling(ActBody, frozen=True, kw_only=True):
    """An appeal against the ruling on a dispute."""

    reason: MaybeReason = None
    public: Public = False
    seat: Annotated[SomeSeat | None, Meta(description="the seat that appeals, from 0; null for an official")] = None
    deadline: Annotated[Timestamp | None, Meta(description="the deadline of the committee")] = None
    suspends: Suspends = False


class StateReason(ReasonBody, frozen=True, kw_only=True):
    """An act that needs no more than a reason."""

    public: Public = False


class AnnulGame(ActBody, frozen=True, kw_only=True):
    reason: Reason
    public: Public = False
    ruling: FromRuling = None


class CorrectTable(ActBody, frozen=True, kw_only=True):
    effects: GivenEffects
    reason: Reason
    public: Public = False
    ruling: FromRuling = None


class AdjustPoints(ActBody, frozen=True, kw_only=True):
    adjustments: Annotated[list[PointsAdjustment], Meta(min_length=1, max_length=64, description="the points for each party")]
    reason: Reason
    public: Public = False
    ruling: FromRuling = None


class AcceptIllegalMove(ActBody, frozen=True, kw_only=True):
    """A move that the rules refuse but that stood at the table, and its real effects."""

    seat: Seat
    move: Move = UNSET
    text: TypedLine = UNSET
    effects: GivenEffects = UNSET
    reason: MaybeReason = None
    public: Public = False
    ruling: FromRuling = None


class AddNote(ActBody, frozen=True, kw_only=True):
    text: Annotated[FreeText, Meta(description="the note, in words; for officials only")]
    position: Annotated[Number | None, Meta(description="the event that it is about, by its position; left out: the last one")] = None


class SignSheet(ActBody, frozen=True, kw_only=True):
    """A signature of a side on the score sheet that was shown to it, by its ``digest`` or its ``position``."""

    party: Annotated[Whole, Meta(description="the party, from 0")]
    digest: Annotated[Digest | None, Meta(description="`digest` of the sheet that was shown")] = None
    position: Annotated[Number | None, Meta(description="the position of the sheet that was shown")] = None


class CorrectPlayers(ReasonBody, frozen=True, kw_only=True):
    """The players who really sat there."""

    players: Annotated[list[Id | None], Meta(max_length=16, description="the id of a player, or null, for each seat from 0 on")]
    from_hand: Annotated[Number, Meta(description="the first hand that they played; 1: they sat there from the beginning")] = 1
    public: Public = False


class WithdrawSignature(ActBody, frozen=True, kw_only=True):
    """The withdrawal of a signature given by mistake."""


class SeatPlayer(ActBody, frozen=True, kw_only=True):
    """A player who sits here from now on."""

    seat: Annotated[SomeSeat, Meta(description="the seat, from 0")]
    player: Annotated[Id | None, Meta(description="the id of the player; null leaves the seat without a named player")]
