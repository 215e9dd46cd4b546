"""Fields that requests share, and the base classes of requests and responses. Values that rules judge are ``Any`` and stay undecoded."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

from domain.events.game import Openness
from domain.forms import FORM
from domain.name_validation import ID, LONGEST_ID

Whole: TypeAlias = Annotated[int, Meta(ge=0, le=10**15 - 1)]
Number: TypeAlias = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
"""An id to look for: ids that were recorded before there was one pattern may have another form."""
Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID, extra_json_schema={FORM: "form.id"})]
"""An id that goes into an event: of a player, a club, a tournament, a table. It is opaque; it should be no name."""
Follow: TypeAlias = Annotated[bool, Meta(description="false: only what is already recorded; then the stream ends")]
Timestamp: TypeAlias = Annotated[datetime, Meta(tz=True, extra_json_schema={FORM: "form.time"})]
View: TypeAlias = Annotated[str, Meta(pattern="^(arbiter|public|seat:[0-9]{1,2})$", extra_json_schema={FORM: "form.view"})]
FreeText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=4000)]
"""Words of a person. They go into the register of texts, never into an event."""
RuleNumber: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Z]{2,4}-[0-9]{1,4}$(?!\n)",
        examples=["CNO-22"],
        extra_json_schema={FORM: "form.rule"},
    ),
]

# Their meaning is the same wherever they stand.

SEAT = {"type": "integer", "minimum": 0, "maximum": 63}
Seat: TypeAlias = Annotated[Any, Meta(description="a seat, from 0", examples=[0], extra_json_schema=SEAT)]
Seats: TypeAlias = Annotated[
    Any,
    Meta(
        description="number of seats; which, the ruleset says",
        examples=[2],
        extra_json_schema={"type": "integer", "minimum": 1, "maximum": 64},
    ),
]
MOVE = {"$ref": "#/components/schemas/Move"}
Move: TypeAlias = Annotated[Any, Meta(description="a move of this ruleset", extra_json_schema=MOVE)]
WORTH = {"type": "object", "additionalProperties": {"type": "integer"}}
TOLD = {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}
"""Cards by zone, as they are told (COM-71)."""

_PER_PARTY = {"type": "array", "maxItems": 64, "items": {"type": "integer", "minimum": -1_000_000, "maximum": 1_000_000}}
RESULT = {
    "title": "HandResult",
    "type": "object",
    "description": "the score of a hand that was not recorded",
    "properties": {
        "points": {**_PER_PARTY, "description": "a number for each party"},
        "rows": {
            "type": "object",
            "additionalProperties": _PER_PARTY,
            "maxProperties": 64,
            "description": "rows of the score sheet, a number for each party; they add up to the points",
        },
        "end": {"type": "string", "maxLength": 100, "description": "how the hand ended, as on the score sheet"},
    },
    "required": ["points"],
    "additionalProperties": False,
}
"""The result of a hand of which only the result is known (COM-67)."""

Options: TypeAlias = Annotated[
    Any,
    Meta(
        description="of this ruleset; what is left out has its default, or its value in the `preset`",
        extra_json_schema={"$ref": "#/components/schemas/Options"},
    ),
]
RulesetKey: TypeAlias = Annotated[Name, Meta(description="the key of the ruleset (`GET /v1/rulesets`)", examples=["casino"])]
OpenWhen: TypeAlias = Annotated[
    Openness,
    Meta(
        description=("when hidden cards open to everybody: after each hand, the game, the round or the tournament, at a moment, or never")
    ),
]
IsLive: TypeAlias = Annotated[bool, Meta(description="whether the public sees a game while it is played; else only that it is on")]
PlayersMove: TypeAlias = Annotated[bool, Meta(description="the players may make their own moves")]
FairShuffle: TypeAlias = Annotated[
    Literal["fair"] | None,
    Meta(description=("`fair`: every hand is dealt from a fair shuffle (docs/fair-decks.md); by default any deck may be dealt")),
]
HappenedAt: TypeAlias = Annotated[Timestamp | None, Meta(description="the time at the table; left out if unknown")]
Cursor: TypeAlias = Annotated[str, Meta(max_length=1000, description="`next` of the earlier page; opaque")] | None
Limit: TypeAlias = Annotated[int, Meta(ge=1, le=1000, description="the largest number on a page")]
ShortLimit: TypeAlias = Annotated[int, Meta(ge=1, le=200, description="the largest number on a page")]
MinSequence: TypeAlias = Annotated[
    Whole | None, Meta(description="wait until the projection has reached this sequence, from the answer to a write; 2 s at most")
]
AfterPosition: TypeAlias = Annotated[Whole, Meta(description="only events after this position; 0 for all")]
DryRunOnly: TypeAlias = Annotated[bool, Meta(description="only try: answer what would be recorded, without recording it")]


S = TypeVar("S", bound=Struct)


class Incoming(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all request bodies and queries."""


class ResponseModel(Struct, frozen=True, kw_only=True):
    """The base of all responses. Fields that are left out are ``UNSET`` by default."""


class ActBody(Incoming, frozen=True, kw_only=True):
    """The base of the bodies of acts: the time at the table."""

    happened_at: HappenedAt = None


class ReasonBody(ActBody, frozen=True, kw_only=True):
    """An act that needs no more than a reason."""

    reason: Annotated[FreeText | None, Meta(description="the reason, in words")] = None


def copy_fields(source: object, kind: type[S], **others: object) -> S:
    """Return a Struct of this kind: fields that are not given come from the attributes of the same name."""
    same = (name for name in kind.__struct_fields__ if name not in others)
    return kind(**{name: getattr(source, name) for name in same}, **others)


class DryRun(Incoming, frozen=True, kw_only=True):
    dry_run: DryRunOnly = False


class MinSequenceQuery(Incoming, frozen=True, kw_only=True):
    min_sequence: MinSequence = None


class PageQuery(Incoming, frozen=True, kw_only=True):
    """A page of a list that is read from a register."""

    cursor: Cursor = None
    limit: ShortLimit = 50


class HistoryQuery(Incoming, frozen=True, kw_only=True):
    after: AfterPosition = 0
    limit: Limit = 100
